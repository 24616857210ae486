// Initialises LLVM backends on demand, because initialising all of them takes about as long as a small analysis.
#pragma once

#include <string_view>

namespace llvm {
class Triple;
}

namespace mca {

/// Registers the triple's backend (or that of `arch`, if given) with LLVM's TargetRegistry. If neither names a known
/// backend, it registers all of them, so that the registry's own error message is complete. Repeated and concurrent
/// calls are safe.
void initializeBackend(const llvm::Triple &triple, std::string_view arch);

/// Registers every backend, for commands that list the targets.
void initializeAllBackends();

} // namespace mca
