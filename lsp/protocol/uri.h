// URIs of documents, and the paths behind them (RFC 3986 and RFC 8089).
#pragma once

#include <string>
#include <string_view>

namespace lsp::protocol {

/// What a URI says about the file behind it.
struct UriParts {
  std::string scheme; ///< lower case; empty when there is none
  std::string path;   ///< percent-decoded; begins with a slash for a file
};

UriParts parseUri(std::string_view uri);

/// What stands behind the question mark of a URI, percent-decoded.
std::string queryOf(std::string_view uri);

/// Everything but letters, digits, `-._~/` as %XX.
std::string percentEncode(std::string_view text);

/// The file URI of an absolute path.
std::string fileUri(std::string_view path);

} // namespace lsp::protocol
