// Every setting that there is, in one table: reading, the JSON schema and docs/settings.md are made from it.
//
// A value is checked where it is read (`Setting::check`), so that what a layer holds can be laid over another without
// any more errors.
#pragma once

#include "lsp/protocol/json_rpc.h"
#include "lsp/protocol/settings.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lsp::protocol {

/// What is wrong with a value.
struct SettingProblem {
  std::vector<std::string> where; ///< keys and indices inside the value; empty for the whole
  std::string what;               ///< follows the setting's name: "must be a string"
};

struct Setting {
  enum class Kind { Text, Folder, Texts, Flag, Natural, Choice, Severities };

  std::string name; ///< in the section, with dots: "inlayHints.enabled"
  Kind kind = Kind::Text;
  std::string description;          ///< of one sentence, in Markdown
  std::vector<std::string> choices; ///< of a Choice
  bool usersOnly = false;           ///< names a program or says what is trusted: not for a folder to set
  /// Takes over a value that check() has found good. Severities are added to those that are there.
  std::function<void(const Json &value, UserSettings &settings)> set;
  std::function<Json(const UserSettings &settings)> get;

  /// What is wrong with the value, or nothing.
  std::optional<SettingProblem> check(const Json &value) const;
};

/// In the order of the documentation.
const std::vector<Setting> &settingTable();

/// The setting of that name, or null.
const Setting *findSetting(std::string_view name);

/// "error" … "hint", "off".
const std::vector<std::string> &severityNames();

} // namespace lsp::protocol
