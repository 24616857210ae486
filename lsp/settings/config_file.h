// A configuration file: the user's own, or the `.mca-lsp.json` of a folder.
//
// It is JSON with comments. Its keys are those of the editor's section, nested or with dots, and also "fragments": an
// array of objects with the same keys, each for the files that its "paths" match (glob.h). Later fragments are laid
// over earlier ones, and all of them over the rest of the file.
//
// Errors are findings at their places. While a file is being edited it is often wrong, which must not make the numbers
// jump: a text that is not JSON changes nothing, and a key with a bad value keeps the last good one of the same place.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/settings/settings.h"

#include <string>
#include <string_view>
#include <vector>

namespace lsp::protocol {

/// Whose file it is. A folder's may be a stranger's: it can neither name programs nor say what is trusted.
enum class ConfigOwner { User, Folder };

inline constexpr std::string_view kFolderConfigName = ".mca-lsp.json";

/// In bytes. Longer files are not read.
inline constexpr size_t kLongestConfig = size_t{1} << 20;

struct ConfigFragment {
  std::vector<std::string> paths; ///< globs; empty for the first fragment, which is for every file
  std::vector<SettingValue> values;
  std::vector<const Setting *> bad; ///< settings with a bad value
};

struct ConfigFile {
  std::string folder; ///< absolute, without a slash at its end; empty for the root
  bool readable = true;
  std::vector<ConfigFragment> fragments;
  std::vector<analysis::wire::Finding> findings;
};

/// Reads the text of the file at the absolute `path`.
ConfigFile readConfigFile(std::string_view text, std::string_view path, ConfigOwner owner);

/// A file whose text cannot be read. `why` is the finding's message.
ConfigFile unreadableConfigFile(std::string_view path, std::string why);

/// Restores in `now` the good values of `before` for what is wrong. Fragments correspond by index and must have the
/// same paths.
void keepLastGood(ConfigFile &now, const ConfigFile &before);

/// Lays the values for the file at `path` over the layers below.
void layOver(const ConfigFile &file, std::string_view path, UserSettings &settings);

} // namespace lsp::protocol
