#include "lsp/features/virtual_uri.h"

#include "lsp/protocol/json_rpc.h"
#include "lsp/protocol/uri.h"

namespace lsp::features {

using analysis::wire::DocumentKind;
using protocol::Json;

bool isVirtual(std::string_view uri) {
  return protocol::parseUri(uri).scheme == "mca";
}

std::string toString(const VirtualUri &uri) {
  const std::string path = protocol::parseUri(uri.document).path;
  const bool report = uri.kind == DocumentKind::Report;
  const std::string name = path.substr(path.rfind('/') + 1) + (report ? ".txt" : ".s");
  const Json query{{"document", uri.document}, {"line", uri.line}};
  return (report ? "mca:/report/" : "mca:/assembly/") + protocol::percentEncode(name) + "?" +
         protocol::percentEncode(query.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::optional<VirtualUri> parseVirtualUri(std::string_view uri) {
  const std::string path = protocol::parseUri(uri).path;
  const bool report = path.starts_with("/report/");
  if (!isVirtual(uri) || (!report && !path.starts_with("/assembly/")))
    return std::nullopt;
  const Json query = Json::parse(protocol::queryOf(uri), nullptr, /*allow_exceptions=*/false);
  if (!query.is_object() || !query.contains("document") || !query["document"].is_string() || !query.contains("line") ||
      !query["line"].is_number_unsigned() || query["line"].get<uint64_t>() > UINT32_MAX)
    return std::nullopt;
  return VirtualUri{report ? DocumentKind::Report : DocumentKind::Assembly, query["document"].get<std::string>(),
                    query["line"].get<uint32_t>()};
}

} // namespace lsp::features
