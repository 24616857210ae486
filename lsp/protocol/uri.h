// URIs of documents and the paths that they name (RFC 3986, and RFC 8089 for `file`).
//
// A host is ignored: the files are those that this process can open.
#pragma once

#include <string>
#include <string_view>

namespace lsp::protocol {

/// The parts of a URI that name a file.
struct UriParts {
  std::string scheme; ///< lower case; empty if there is none
  std::string path;   ///< percent-decoded; begins with a slash for a file
};

/// Without the query and the fragment. A text that is no URI is a path.
UriParts parseUri(std::string_view uri);

/// The query of a URI, percent-decoded; empty if there is none.
std::string queryOf(std::string_view uri);

/// Everything but `/` and the unreserved characters (letters, digits, `-._~`) becomes %XX.
std::string percentEncode(std::string_view text);

/// The file URI of an absolute path.
std::string fileUri(std::string_view path);

} // namespace lsp::protocol
