// URIs of documents and the paths that they name (RFC 3986, and RFC 8089 for `file`).
//
// What the user trusts is a folder of this machine, so only `file:` without a host names something in it. The same path
// in another scheme (`vscode-vfs:`, `git:`, `untitled:`) or on another host is another document, whose text the client
// chose.
#pragma once

#include <string>
#include <string_view>

namespace lsp::protocol {

/// The parts of a URI that name a file.
struct UriParts {
  std::string scheme; ///< lower case; empty if there is none
  std::string host;   ///< as written; empty if there is none
  std::string path;   ///< percent-decoded; begins with a slash for a file
};

/// Without the query and the fragment. A text that is no URI is a path.
UriParts parseUri(std::string_view uri);

/// The absolute, normalized path of the file of this machine that a URI names; empty if it names none: another scheme
/// than `file`, a host other than `localhost`, no absolute path, or one with an encoded slash or NUL, which no file
/// has.
std::string localPath(std::string_view uri);

/// localPath(); the last part of the path for what is no file of this machine. That is relative, and never empty.
std::string documentPath(std::string_view uri);

/// The query of a URI, percent-decoded; empty if there is none.
std::string queryOf(std::string_view uri);

/// Everything but `/` and the unreserved characters (letters, digits, `-._~`) becomes %XX.
std::string percentEncode(std::string_view text);

/// The file URI of an absolute path.
std::string fileUri(std::string_view path);

} // namespace lsp::protocol
