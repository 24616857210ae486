// Initialises only the LLVM backend that is asked for: initialising all of them costs about as much as a small
// analysis.
#pragma once

#include <string_view>

namespace llvm {
class Triple;
}

namespace mca {

/// Registers the backend of the triple (or of `arch`, when given) with LLVM's TargetRegistry. When neither names a
/// backend, all are registered, so that the registry's own error message is complete. Safe to call often and from
/// several threads.
void initializeBackend(const llvm::Triple &triple, std::string_view arch);

/// Registers every backend: for a list of them.
void initializeAllBackends();

} // namespace mca
