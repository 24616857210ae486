// The names of virtual documents:
//
//   mca:/report/sum.cpp.txt?{"document":"file:///src/sum.cpp","line":11}
//   mca:/assembly/sum.cpp.s?{"document":"file:///src/sum.cpp","line":11}
//   mca:/timeline/sum.cpp?{"document":"file:///src/sum.cpp","line":11}
//   mca:/advice/sum.cpp.txt?{"document":"file:///src/sum.cpp","line":11}
//
// The query is percent-encoded JSON: editors decode and encode a query once as a whole, which leaves the document's own
// URI unchanged. `line` is zero-based. The name in the path is for the user, whose editor shows it on a tab.
#pragma once

#include "analysis/wire/messages.h"

#include <optional>
#include <string>
#include <string_view>

namespace lsp::protocol {

struct VirtualUri {
  analysis::wire::DocumentKind kind = analysis::wire::DocumentKind::Report;
  std::string document; ///< the URI of the buffer
  uint32_t line = 0;    ///< 0-based, in the buffer when the document was requested
  bool operator==(const VirtualUri &) const = default;
};

/// True for each URI of the scheme, even one that names no document.
bool isVirtual(std::string_view uri);
std::string toString(const VirtualUri &uri);
/// No value for a URI that toString() does not make: the client may send any.
std::optional<VirtualUri> parseVirtualUri(std::string_view uri);

} // namespace lsp::protocol
