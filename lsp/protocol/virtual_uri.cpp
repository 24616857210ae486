// Writing and reading the names of virtual documents (virtual_uri.h).
#include "lsp/protocol/virtual_uri.h"

#include "lsp/protocol/json_rpc.h"
#include "lsp/protocol/uri.h"

#include <algorithm>

namespace lsp::protocol {
namespace {

using analysis::wire::DocumentKind;

/// How the path of a kind begins, and the suffix after the buffer's name, by which an editor may choose the
/// language.
struct Spelling {
  DocumentKind kind;
  std::string_view folder, suffix;
};

constexpr Spelling kSpellings[] = {{DocumentKind::Report, "/report/", ".txt"},
                                   {DocumentKind::Assembly, "/assembly/", ".s"},
                                   {DocumentKind::Timeline, "/timeline/", ""},
                                   {DocumentKind::Advice, "/advice/", ".txt"}};

} // namespace

bool isVirtual(std::string_view uri) {
  return parseUri(uri).scheme == "mca";
}

std::string toString(const VirtualUri &uri) {
  const std::string path = parseUri(uri.document).path;
  const Spelling &spelling = *std::ranges::find(kSpellings, uri.kind, &Spelling::kind);
  const std::string name = path.substr(path.rfind('/') + 1) + std::string(spelling.suffix);
  const Json query{{"document", uri.document}, {"line", uri.line}};
  return "mca:" + std::string(spelling.folder) + percentEncode(name) + "?" +
         percentEncode(query.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::optional<VirtualUri> parseVirtualUri(std::string_view uri) {
  const std::string path = parseUri(uri).path;
  const auto *spelling =
      std::ranges::find_if(kSpellings, [&](const Spelling &one) { return path.starts_with(one.folder); });
  if (!isVirtual(uri) || spelling == std::end(kSpellings))
    return std::nullopt;
  const Json query = Json::parse(queryOf(uri), nullptr, /*allow_exceptions=*/false);
  if (!query.is_object() || !query.contains("document") || !query["document"].is_string() || !query.contains("line") ||
      !query["line"].is_number_unsigned() || query["line"].get<uint64_t>() > UINT32_MAX)
    return std::nullopt;
  return VirtualUri{spelling->kind, query["document"].get<std::string>(), query["line"].get<uint32_t>()};
}

} // namespace lsp::protocol
