// What the table of settings says to people and to editors: docs/settings.md and docs/mca-lsp.schema.json.
#pragma once

#include <string>

namespace lsp::protocol {

/// The JSON schema (draft 7) of a configuration file.
std::string settingsSchema();

/// The page about all settings, in Markdown.
std::string settingsPage();

} // namespace lsp::protocol
