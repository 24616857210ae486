// The documentation of the table of settings: docs/settings.md for people, docs/mca-lsp.schema.json for editors.
#pragma once

#include <string>

namespace lsp::protocol {

/// The JSON schema (draft 7) of a configuration file.
std::string settingsSchema();

/// The page about all settings, in Markdown.
std::string settingsPage();

} // namespace lsp::protocol
