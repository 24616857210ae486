// Reports which CPU a scheduling model was really written for.
//
// LLVM gives many CPU names the model of another CPU: every apple-* name shares Cyclone's, znver5 uses Zen 4's. Numbers
// from a borrowed model are estimates, and users must know that. LLVM has no query for it, but two names with the same
// model point to one table in memory, and the names of the model's resources reveal the CPU that it was written for.
#pragma once

#include "llvm/TargetParser/Triple.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class MCSubtargetInfo;
}

namespace mca {

struct ModelOrigin {
  enum class Kind {
    None,     ///< the CPU has no per-instruction model
    Own,      ///< written for this CPU (other names may borrow it)
    Borrowed, ///< written for another CPU: `owner`
    Shared,   ///< used by several CPUs, and its resource names do not reveal its owner
  };
  Kind kind = Kind::None;
  std::string owner;                ///< the CPU that the model was written for; empty for None and Shared
  std::vector<std::string> sharers; ///< every other CPU name with the same model, sorted

  /// "znver4's own model", "apple-m4: modelled as cyclone".
  std::string describe(std::string_view cpu) const;
};

/// A CPU that LLVM wrote a model for.
struct ModelOwner {
  llvm::Triple::ArchType arch;    ///< any of the backend's architectures: x86_64 stands for i386 as well
  llvm::StringRef resourcePrefix; ///< of the first resource that the model declares
  /// The names of the core, or of the series that the model was written for, separated by spaces. Each of them owns the
  /// model; messages contain the first.
  llvm::StringRef cpus;
};

/// All that are known, by architecture. `tests/mca-core/model_owners_test.cpp` compares them with the LLVM that is
/// linked.
std::span<const ModelOwner> modelOwners();

/// The first name of the owner of the subtarget's model, such as "haswell" for core-avx2; empty if the table has none.
llvm::StringRef modelNameOf(const llvm::MCSubtargetInfo &subtarget);

/// `cpu` must be the name that the subtarget was created for.
ModelOrigin findModelOrigin(const llvm::MCSubtargetInfo &subtarget, std::string_view cpu);

} // namespace mca
