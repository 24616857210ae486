#include "analysis/job/calibration_advice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/TargetParser/Triple.h"

namespace analysis {
namespace {

/// CPUs with a model of their own whose predictions for blocks of real programs are off by more than 20 % in the mean
/// (docs/truth.md).
constexpr llvm::StringLiteral kLargeErrors[] = {"znver3", "emeraldrapids"};

} // namespace

bool isCalibrationAdvised(const wire::TargetSummary &target, const mca::CpuIdentity &machine) {
  // Only x86-64 CPUs can be calibrated; of others the vendor is not known.
  if (machine.vendor.empty() || target.cpu != machine.llvmName ||
      llvm::Triple(target.triple).getArch() != llvm::Triple::x86_64)
    return false;
  return target.model == wire::CpuModel::Borrowed ||
         (target.model == wire::CpuModel::Own && llvm::is_contained(kLargeErrors, target.cpu));
}

} // namespace analysis
