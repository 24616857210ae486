// The names of virtual documents:
//
//   mca:/report/sum.cpp.txt?{"document":"file:///src/sum.cpp","line":11}
//   mca:/assembly/sum.cpp.s?{"document":"file:///src/sum.cpp","line":11}
//   mca:/timeline/sum.cpp?{"document":"file:///src/sum.cpp","line":11}
//
// The query is percent-encoded JSON: editors decode and encode a query once as a whole, and the document's own URI
// comes through that as it was. `line` is zero-based. The name in the path is for the reader, who sees it on a tab.
#pragma once

#include "analysis/wire/messages.h"

#include <optional>
#include <string>
#include <string_view>

namespace lsp::protocol {

struct VirtualUri {
  analysis::wire::DocumentKind kind = analysis::wire::DocumentKind::Report;
  std::string document; ///< the URI of the buffer
  uint32_t line = 0;    ///< 0-based, of the buffer when the document was asked for
  bool operator==(const VirtualUri &) const = default;
};

bool isVirtual(std::string_view uri);
std::string toString(const VirtualUri &uri);
/// No value for what toString() never makes.
std::optional<VirtualUri> parseVirtualUri(std::string_view uri);

} // namespace lsp::protocol
