// Percent-encoding and its inverse (RFC 3986, section 2.1). A `%` without two hexadecimal digits stays as it is,
// so that every URI has a path.
#include "lsp/protocol/uri.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>

namespace lsp::protocol {
namespace {

std::string percentDecode(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const char *digits = text.data() + i + 1;
    uint8_t byte = 0;
    if (text[i] == '%' && i + 2 < text.size() && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      result += static_cast<char>(byte);
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

/// RFC 3986, section 3.1.
bool isScheme(std::string_view text) {
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '+' || c == '-' || c == '.'; });
}

std::string lowerCase(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

/// parseUri(), with the path as it is written.
UriParts splitUri(std::string_view uri) {
  UriParts parts;
  const size_t colon = uri.find(':');
  if (colon != std::string_view::npos && isScheme(uri.substr(0, colon))) {
    parts.scheme = lowerCase(uri.substr(0, colon));
    uri.remove_prefix(colon + 1);
  }
  uri = uri.substr(0, uri.find_first_of("?#"));
  if (uri.starts_with("//")) {
    const size_t end = std::min(uri.find('/', 2), uri.size());
    parts.host = uri.substr(2, end - 2);
    uri.remove_prefix(end);
  }
  parts.path = uri;
  return parts;
}

} // namespace

UriParts parseUri(std::string_view uri) {
  UriParts parts = splitUri(uri);
  parts.path = percentDecode(parts.path);
  return parts;
}

std::string localPath(std::string_view uri) {
  const UriParts written = splitUri(uri);
  const std::string path = percentDecode(written.path);
  const bool isHere = written.scheme == "file" && (written.host.empty() || lowerCase(written.host) == "localhost");
  const bool isFileName = path.starts_with('/') && path.find('\0') == std::string::npos &&
                          std::ranges::count(path, '/') == std::ranges::count(written.path, '/');
  return isHere && isFileName ? std::filesystem::path(path).lexically_normal().string() : "";
}

std::string documentPath(std::string_view uri) {
  if (std::string path = localPath(uri); !path.empty())
    return path;
  const std::string path = parseUri(uri).path;
  const std::string name = path.substr(path.rfind('/') + 1);
  return name.empty() ? "document" : name;
}

std::string queryOf(std::string_view uri) {
  uri = uri.substr(0, uri.find('#'));
  const size_t mark = uri.find('?');
  return mark == std::string_view::npos ? std::string() : percentDecode(uri.substr(mark + 1));
}

std::string percentEncode(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string result;
  for (unsigned char c : text) {
    if (std::isalnum(c) || std::string_view("-._~/").find(static_cast<char>(c)) != std::string_view::npos) {
      result += static_cast<char>(c);
    } else {
      result += '%';
      result += kHex[c >> 4];
      result += kHex[c & 15];
    }
  }
  return result;
}

std::string fileUri(std::string_view path) {
  return "file://" + percentEncode(path);
}

} // namespace lsp::protocol
