// Which paths the fragments of a configuration file are about.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lsp::protocol {

/// True when the whole path matches. `*` is any text without a slash, `?` one character that is none, `**` any text,
/// and `**/` any number of folders, none included. Case matters. The time is the product of the two lengths at worst.
bool globMatches(std::string_view glob, std::string_view path);

/// A list of globs as a fragment has it: the last one that matches decides, and one with a `!` in front leaves the path
/// out. A list that begins with a `!` starts from every path. A glob that begins with a slash is about `path`, which is
/// absolute, any other about what follows `folder` in it.
bool globsMatch(const std::vector<std::string> &globs, std::string_view folder, std::string_view path);

} // namespace lsp::protocol
