#include "analysis/job/calibration_advice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/TargetParser/Triple.h"

namespace analysis {
namespace {

/// CPUs with a model of their own whose predictions for blocks of real programs are off by more than 20 % in the mean
/// (docs/truth.md).
constexpr llvm::StringLiteral kLargeErrors[] = {"znver3", "emeraldrapids"};

} // namespace

bool isCalibrationAdvised(const wire::TargetSummary &target, const mca::CpuIdentity &machine, bool hasCalibration) {
  // Only x86-64 CPUs can be calibrated; of others the vendor is not known.
  if (hasCalibration || machine.vendor.empty() || target.cpu != machine.llvmName ||
      llvm::Triple(target.triple).getArch() != llvm::Triple::x86_64)
    return false;
  return target.model == wire::CpuModel::Borrowed ||
         (target.model == wire::CpuModel::Own && llvm::is_contained(kLargeErrors, target.cpu));
}

bool isCalibrationAdvised(const wire::TargetSummary &target) {
  static const mca::CpuIdentity machine = mca::thisCpu();
  static const bool isShipped = mca::findShipped(machine) != nullptr;
  // The user's own may come at any time.
  return isCalibrationAdvised(target, machine, isShipped || llvm::sys::fs::exists(mca::userCalibrationPath(machine)));
}

} // namespace analysis
