// Instructions that measured code may not have, although a process may execute them.
//
// The child of child.h can do nothing but compute, as far as the system decides. Some instructions do not ask the
// system: they call a hypervisor, wait for an event, or move execution to where no instruction was checked.
#pragma once

#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"

namespace mca::measure {

/// Why an instruction is not run, as a clause ("it calls the hypervisor"); no value if it may be. `opcode`: its name in
/// LLVM's table of x86 instructions.
std::optional<std::string> whyForbidden(llvm::StringRef opcode);

} // namespace mca::measure
