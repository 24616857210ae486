// The files of a compile_commands.json. What their commands mean, the worker reads for itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lsp::protocol {

/// The files that `json` names, absolute and without dots in them, in its order, each as often as it stands there. No
/// value when it is no compile database. A relative directory is one of `folder`, where the database lies.
std::optional<std::vector<std::string>> filesOfDatabase(std::string_view json, const std::string &folder);

} // namespace lsp::protocol
