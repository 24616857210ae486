// The user's settings, the section "mca" of the editor's configuration.
//
// They come in layers: the command line and initializationOptions, which the user or the user's editor wrote, and over
// them the configuration, which may come from the folder that was opened. A folder must not choose a program to run nor
// say that it is trusted, so `compiler`, `trustedFolders` and `allowedCompilers` are taken from the first two only. A
// value of the wrong type is reported, and the last good one stays.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/protocol/json_rpc.h"

#include <string>
#include <vector>

namespace lsp::protocol {

struct UserSettings {
  analysis::wire::Settings worker; ///< what the worker is told
  bool inlayHints = true;
  bool diagnostics = true;
  bool hover = true;
  bool operator==(const UserSettings &) const = default;
};

enum class SettingsSource {
  InitializationOptions,
  Configuration ///< workspace/configuration and workspace/didChangeConfiguration
};

struct SettingsUpdate {
  UserSettings settings;
  std::vector<std::string> wrong;   ///< one message for each key of the wrong type
  std::vector<std::string> ignored; ///< keys that the configuration has and must not set, "mca.compiler"
};

/// The settings that `section` makes of `base`, the layer below it; a key that it lacks is the base's. `current` holds
/// the last good value of each key.
SettingsUpdate readSettings(const Json &section, SettingsSource source, const UserSettings &base,
                            const UserSettings &current);

} // namespace lsp::protocol
