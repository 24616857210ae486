#include "lsp/protocol/virtual_uri.h"

#include "lsp/protocol/json_rpc.h"
#include "lsp/protocol/uri.h"

#include <algorithm>
#include <array>

namespace lsp::protocol {

using analysis::wire::DocumentKind;

namespace {

/// How the name of a kind begins, and what it adds to that of the buffer.
struct Spelling {
  DocumentKind kind;
  std::string_view folder, suffix;
};

constexpr std::array<Spelling, 3> kSpellings = {{{DocumentKind::Report, "/report/", ".txt"},
                                                 {DocumentKind::Assembly, "/assembly/", ".s"},
                                                 {DocumentKind::Timeline, "/timeline/", ""}}};

} // namespace

bool isVirtual(std::string_view uri) {
  return parseUri(uri).scheme == "mca";
}

std::string toString(const VirtualUri &uri) {
  const std::string path = parseUri(uri.document).path;
  const Spelling &spelling =
      *std::find_if(kSpellings.begin(), kSpellings.end(), [&](const Spelling &one) { return one.kind == uri.kind; });
  const std::string name = path.substr(path.rfind('/') + 1) + std::string(spelling.suffix);
  const Json query{{"document", uri.document}, {"line", uri.line}};
  return "mca:" + std::string(spelling.folder) + percentEncode(name) + "?" +
         percentEncode(query.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::optional<VirtualUri> parseVirtualUri(std::string_view uri) {
  const std::string path = parseUri(uri).path;
  const auto *spelling = std::find_if(kSpellings.begin(), kSpellings.end(),
                                      [&](const Spelling &one) { return path.starts_with(one.folder); });
  if (!isVirtual(uri) || spelling == kSpellings.end())
    return std::nullopt;
  const Json query = Json::parse(queryOf(uri), nullptr, /*allow_exceptions=*/false);
  if (!query.is_object() || !query.contains("document") || !query["document"].is_string() || !query.contains("line") ||
      !query["line"].is_number_unsigned() || query["line"].get<uint64_t>() > UINT32_MAX)
    return std::nullopt;
  return VirtualUri{spelling->kind, query["document"].get<std::string>(), query["line"].get<uint32_t>()};
}

} // namespace lsp::protocol
