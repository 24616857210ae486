// Which target an assembly text is for, as far as the text itself tells.
//
// Directives and registers of one target are no other's, and some CPUs are: a text that nobody named a target for is
// read by them instead of as the host's. A wrong guess makes errors of all lines, so that signs of several targets, or
// of the standard one, count as none.
#pragma once

#include "llvm/TargetParser/Triple.h"

#include <string>
#include <string_view>

namespace analysis {

struct TargetSigns {
  std::string triple; ///< empty if nothing tells of another target than the standard one
  std::string reason; ///< "only it has the directive `.syntax unified`"; empty without a triple
  std::string cpu;    ///< of a directive such as `.cpu cortex-m4`; empty if there is none
};

/// Reads the signs in a text. `standard`: the target without them. `cpu`: the CPU that somebody named, which is a sign
/// if the standard target has none of that name; empty if nobody did. `text`: empty for C and C++.
TargetSigns readTargetSigns(std::string_view text, const std::string &cpu, const llvm::Triple &standard);

/// CPUs for a triple for which none is named, and whose "generic" has no scheduling model: the first is a good default.
/// Separated by commas; empty if there are none.
std::string_view usualCpus(const llvm::Triple &triple);

} // namespace analysis
