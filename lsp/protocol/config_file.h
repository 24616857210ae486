// A configuration file: the user's own, or the `.mca-lsp.json` of a folder.
//
// It is JSON with comments. Its keys are those of the editor's section, nested or with dots, and beside them
// "fragments": an array of objects with the same keys, each about the files that its "paths" match (glob.h). Later
// fragments are laid over earlier ones, and all of them over the rest of the file.
//
// What is wrong with it is told as findings on their places. A text that is not JSON changes nothing; of a key with a
// bad value, the last good one of the same place stays.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/protocol/settings.h"

#include <string>
#include <string_view>
#include <vector>

namespace lsp::protocol {

/// Whose file it is: a folder's must not name programs nor say what is trusted.
enum class ConfigOwner { User, Folder };

inline constexpr std::string_view kFolderConfigName = ".mca-lsp.json";

/// Longer files are not read. In bytes.
inline constexpr size_t kLongestConfig = size_t{1} << 20;

struct ConfigFragment {
  std::vector<std::string> paths; ///< globs; the first fragment, which is about every file, has none
  std::vector<SettingValue> values;
  std::vector<const Setting *> bad; ///< settings whose value is wrong
};

struct ConfigFile {
  std::string folder; ///< absolute, without a slash at its end
  bool readable = true;
  std::vector<ConfigFragment> fragments;
  std::vector<analysis::wire::Finding> findings;
};

/// Reads the text of the file at the absolute `path`.
ConfigFile readConfigFile(std::string_view text, std::string_view path, ConfigOwner owner);

/// A file of which there is no text.
ConfigFile unreadableConfigFile(std::string_view path, std::string why);

/// Puts what is wrong in `now` back to what it was in `before`.
void keepLastGood(ConfigFile &now, const ConfigFile &before);

/// Lays what the file says about `path` over the layers below.
void layOver(const ConfigFile &file, std::string_view path, UserSettings &settings);

} // namespace lsp::protocol
