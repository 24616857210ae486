// The user's settings: what they are, and the layers that they come in.
//
// From the lowest to the highest, each laid over the one below it:
//   1. the defaults of UserSettings;
//   2. the user's own configuration file (config_file.h);
//   3. the command line, and initializationOptions over it;
//   4. the section "mca" of the editor's configuration;
//   5. the nearest `.mca-lsp.json` above the document.
// The folder's file comes last for two reasons. It is about these files and the editor's section about all of the
// user's, and the closer one wins, as with `.editorconfig`. And some editors send a section with the defaults of all
// keys, which would hide a folder's file in a layer below it.
//
// A folder must neither choose a program to run nor say that it is trusted, so only layers 2 and 3 set `compiler`,
// `trustedFolders`, `readableFolders` and `allowedCompilers`: the editor's section may come from the folder, too. A
// value of the wrong type is reported, and the last good one of its layer stays.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/protocol/json_rpc.h"

#include <map>
#include <string>
#include <vector>

namespace lsp::protocol {

/// How findings of one code are shown.
enum class ReportAs { Off = 0, Error = 1, Warning = 2, Information = 3, Hint = 4 };

struct UserSettings {
  analysis::wire::Settings worker{.calibration = "auto"}; ///< those that go to the worker with each job
  bool inlayHints = true;
  bool instructionHints = false; ///< on the instructions of assembly, too
  bool hintTooltips = true;
  bool codeLens = false; ///< with the numbers only if inlayHints is off
  bool semanticTokens = false;
  bool diagnostics = true;
  std::map<std::string, ReportAs> severities; ///< by code; findings of other codes keep their own
  bool hover = true;
  bool advice = true;             ///< on request; what would make a loop faster
  bool comparisonWithHead = true; ///< compare with the version in git's HEAD
  uint32_t slowerPercent = 5;     ///< a region that got slower by more is a finding
  /// Loops with a smaller share of a profile's time have no hint, and their findings are hints. In thousandths.
  uint32_t minimumPermille = 1;
  bool operator==(const UserSettings &) const = default;
};

struct Setting;

/// A setting with a value of its type.
struct SettingValue {
  const Setting *setting = nullptr;
  Json value;
};

/// Lays a layer over those below it.
void layOver(const std::vector<SettingValue> &layer, UserSettings &settings);

/// The settings in which `changed` differs from the defaults.
std::vector<SettingValue> differences(const UserSettings &changed);

enum class SettingsSource {
  InitializationOptions,
  Configuration ///< workspace/configuration and workspace/didChangeConfiguration
};

struct SettingsSection {
  std::vector<SettingValue> values;
  std::vector<std::string> wrong;   ///< one message for each key with a value of the wrong type
  std::vector<std::string> ignored; ///< keys that this source must not set: "mca.compiler"
};

/// Reads a section, whose keys may be nested or have dots in them. A key with a value of the wrong type gets its value
/// in `lastGood`.
SettingsSection readSection(const Json &section, SettingsSource source, const std::vector<SettingValue> &lastGood);

} // namespace lsp::protocol
