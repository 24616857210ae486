// LLVM's machine-code description of one triple, CPU and feature set.
//
// Creating one takes a few milliseconds (register and instruction tables, the subtarget), so callers keep it. Only the
// backend of the triple is initialised. Several threads may read its tables. The instruments, the register aliases and
// the objects created from it (printers, builders, custom behaviour) belong to one thread at a time.
//
// LLVM ends the process for some combinations of triple, CPU and features (report_fatal_error). This cannot be caught
// here: a caller that must survive uses a separate process.
#pragma once

#include "mca-core/target/model_origin.h"
#include "mca-core/target/result.h"

#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrAnalysis.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MCA/CustomBehaviour.h"
#include "llvm/TargetParser/Triple.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Target;
}

namespace mca {

/// What identifies a Target. Empty strings default to the host's triple, the CPU "native" and no extra features. With
/// `literal`, an empty CPU means no CPU at all.
struct TargetSelection {
  std::string triple;
  std::string arch; ///< overrides the triple's architecture, as llvm-mca's -march does
  std::string cpu;
  std::string features; ///< "+avx2,-fma"
  /// Use triple and CPU exactly as written, as llvm-mca does, instead of completing them.
  bool literal = false;
  bool operator==(const TargetSelection &) const = default;
};

/// LLVM's objects for one selection. Only disableInstruments() changes it after creation.
class Target {
public:
  /// Fails if no backend knows the triple or the architecture. An unknown CPU is no failure: see cpuIsKnown().
  static Result<std::unique_ptr<Target>> create(const TargetSelection &selection,
                                                const llvm::MCTargetOptions &mcOptions = {});
  /// Looks up the backend alone, with the error that create() would return for an unknown one.
  static Result<const llvm::Target *> findBackend(const TargetSelection &selection);
  ~Target();

  const llvm::Triple &triple() const { return triple_; }
  /// The CPU's name; "native" is replaced by the host CPU.
  const std::string &cpu() const { return cpu_; }
  const std::string &features() const { return features_; }
  /// The selected features that LLVM does not know for this target and ignores.
  const std::vector<std::string> &unknownFeatures() const { return unknownFeatures_; }
  /// False if LLVM does not know the CPU and uses its generic one instead.
  bool cpuIsKnown() const { return cpuIsKnown_; }
  /// False if LLVM has no per-instruction scheduling data for the CPU, so that nothing can be simulated.
  bool hasSchedulingModel() const { return subtarget_->getSchedModel().hasInstrSchedModel(); }
  /// LLVM's definition: the model has more than one entry for micro-ops that wait (MicroOpBufferSize).
  bool isOutOfOrder() const { return subtarget_->getSchedModel().isOutOfOrder(); }
  const ModelOrigin &modelOrigin() const { return modelOrigin_; }

  const llvm::Target &backend() const { return backend_; }
  const llvm::MCTargetOptions &mcOptions() const { return mcOptions_; }
  const llvm::MCSubtargetInfo &subtarget() const { return *subtarget_; }
  const llvm::MCRegisterInfo &registers() const { return *registers_; }
  const llvm::MCAsmInfo &asmInfo() const { return *asmInfo_; }
  const llvm::MCInstrInfo &instructions() const { return *instructions_; }
  /// Null for the few backends without one.
  const llvm::MCInstrAnalysis *analysis() const { return analysis_.get(); }
  /// Not const, because LLVM creates instruments through a non-const method, although it changes nothing.
  llvm::mca::InstrumentManager &instruments() const { return *instruments_; }
  /// Replaces the target's instruments by LLVM's default ones, so that instrument comments have no effect.
  void disableInstruments();

  /// Creates a printer for the assembly syntax `variant` (0: the target's default), or returns null if the target has
  /// no such variant.
  std::unique_ptr<llvm::MCInstPrinter> createPrinter(unsigned variant) const;

private:
  Target(const llvm::Target &backend, llvm::Triple triple, const llvm::MCTargetOptions &mcOptions);

  const llvm::Target &backend_;
  llvm::Triple triple_;
  std::string cpu_;
  std::string features_;
  std::vector<std::string> unknownFeatures_;
  bool cpuIsKnown_ = true;
  ModelOrigin modelOrigin_;
  llvm::MCTargetOptions mcOptions_;
  std::unique_ptr<llvm::MCRegisterInfo> registers_;
  std::unique_ptr<llvm::MCAsmInfo> asmInfo_;
  std::unique_ptr<llvm::MCInstrInfo> instructions_;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget_;
  std::unique_ptr<llvm::MCInstrAnalysis> analysis_;
  std::unique_ptr<llvm::mca::InstrumentManager> instruments_;
};

/// The host's triple and CPU, as LLVM names them.
std::string hostTriple();
std::string hostCpu();

} // namespace mca
