// Every setting, in one table from which reading, the JSON schema and docs/settings.md are made.
//
// A value is checked when it is read (`Setting::check`), so that laying one layer over another cannot fail.
#pragma once

#include "lsp/protocol/json_rpc.h"
#include "lsp/settings/settings.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lsp::protocol {

/// Why a value is refused.
struct SettingProblem {
  std::vector<std::string> where; ///< keys and indices inside the value; empty for the whole
  std::string what;               ///< continues a sentence after the setting's name: "must be a string"
};

struct Setting {
  enum class Kind { Text, Folder, File, Texts, Flag, Natural, Choice, Severities };

  std::string name; ///< in the section, with dots: "inlayHints.enabled"
  Kind kind = Kind::Text;
  std::string description;          ///< of one sentence, in Markdown
  std::vector<std::string> choices; ///< of a Choice; of a File: words that name none
  bool usersOnly = false;           ///< names a program or says what is trusted, so a folder must not set it
  /// Requires that check() accepts the value. Severities are added to those of the layers below.
  std::function<void(const Json &value, UserSettings &settings)> set;
  std::function<Json(const UserSettings &settings)> get;

  /// Why the value is refused; no value if it is good.
  std::optional<SettingProblem> check(const Json &value) const;
};

/// In the order of the documentation.
const std::vector<Setting> &settingTable();

/// The setting of that name, or null.
const Setting *findSetting(std::string_view name);

/// "off", "error" … "hint", in the order of ReportAs.
const std::vector<std::string> &severityNames();

} // namespace lsp::protocol
