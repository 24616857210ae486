#include "lsp/protocol/json_strings.h"

#include "analysis/text/visible_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace lsp::protocol {
namespace {

/// A character that JSON text holds as it is (RFC 8259, section 7), of ASCII alone.
bool isPlain(char c) {
  return c >= ' ' && c <= '~' && c != '"' && c != '\\';
}

} // namespace

/// The library escapes what is not plain.
void appendString(std::string &out, const std::string &text) {
  using Json = nlohmann::json;
  if (std::ranges::all_of(text, isPlain))
    out.append(1, '"').append(text).append(1, '"');
  else
    out += Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

void appendShown(std::string &out, const std::string &text) {
  appendString(out, analysis::isVisible(text) ? text : analysis::visibleText(text));
}

} // namespace lsp::protocol
