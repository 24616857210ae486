// Creates LLVM's objects for a target, with the defaults that an editor or llvm-mca expects.
//
// The order matters: the assembler's description needs the registers, the instruments need subtarget and instructions.
// Backends return null for what they lack, so each object is checked before the next needs it.
#include "mca-core/target/target.h"

#include "mca-core/target/backends.h"

#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

namespace mca {

std::string hostTriple() {
  return llvm::Triple::normalize(llvm::sys::getDefaultTargetTriple());
}

std::string hostCpu() {
  return llvm::sys::getHostCPUName().str();
}

namespace {

/// LLVM ignores features that it does not know; an editor reports them, because a misspelt one changes nothing.
std::vector<std::string> findUnknownFeatures(const llvm::MCSubtargetInfo &subtarget, const std::string &features) {
  std::vector<std::string> unknown = llvm::SubtargetFeatures(features).getFeatures();
  llvm::erase_if(unknown, [&](const std::string &feature) {
    return llvm::any_of(subtarget.getAllProcessorFeatures(), [&](const llvm::SubtargetFeatureKV &known) {
      return known.Key == llvm::SubtargetFeatures::StripFlag(feature);
    });
  });
  return unknown;
}

/// Completes a short triple such as "x86_64-linux", unless llvm-mca's literal reading is requested.
llvm::Triple tripleOf(const TargetSelection &selection) {
  if (selection.triple.empty())
    return llvm::Triple(hostTriple());
  return llvm::Triple(selection.literal ? selection.triple : llvm::Triple::normalize(selection.triple));
}

/// Looks up the backend. If the selection names an architecture, LLVM changes `triple` to it.
Result<const llvm::Target *> findBackendFor(const TargetSelection &selection, llvm::Triple &triple) {
  initializeBackend(triple, selection.arch);
  std::string error;
  const llvm::Target *backend = llvm::TargetRegistry::lookupTarget(selection.arch, triple, error);
  if (!backend)
    return Failure{error};
  return backend;
}

} // namespace

Target::Target(const llvm::Target &backend, llvm::Triple triple, const llvm::MCTargetOptions &mcOptions)
    : backend_(backend), triple_(std::move(triple)), mcOptions_(mcOptions) {}
Target::~Target() = default;

Result<const llvm::Target *> Target::findBackend(const TargetSelection &selection) {
  llvm::Triple triple = tripleOf(selection);
  return findBackendFor(selection, triple);
}

Result<std::unique_ptr<Target>> Target::create(const TargetSelection &selection,
                                               const llvm::MCTargetOptions &mcOptions) {
  llvm::Triple triple = tripleOf(selection);
  const auto found = findBackendFor(selection, triple);
  if (!found)
    return Failure{found.message()};
  const llvm::Target *backend = *found;

  std::unique_ptr<Target> target(new Target(*backend, triple, mcOptions));
  // "native" is resolved here, because LLVM's subtargets do not know the name.
  const bool wantsHost = selection.cpu == "native" || (selection.cpu.empty() && !selection.literal);
  target->cpu_ = wantsHost ? hostCpu() : selection.cpu;
  target->features_ = selection.features;
  target->registers_.reset(backend->createMCRegInfo(triple));
  if (!target->registers_)
    return Failure{"the target '" + triple.str() + "' has no register description"};
  target->asmInfo_.reset(backend->createMCAsmInfo(*target->registers_, triple, target->mcOptions_));
  target->instructions_.reset(backend->createMCInstrInfo());
  target->subtarget_.reset(backend->createMCSubtargetInfo(triple, target->cpu_, target->features_));
  if (!target->asmInfo_ || !target->instructions_ || !target->subtarget_)
    return Failure{"the target '" + triple.str() + "' has no assembler"};
  target->cpuIsKnown_ = target->subtarget_->isCPUStringValid(selection.literal ? llvm::StringRef(target->cpu_)
                                                                               : target->subtarget_->getCPU());
  target->unknownFeatures_ = findUnknownFeatures(*target->subtarget_, target->features_);
  target->analysis_.reset(backend->createMCInstrAnalysis(target->instructions_.get()));
  target->instruments_.reset(backend->createInstrumentManager(*target->subtarget_, *target->instructions_));
  // Most backends have no instruments of their own; LLVM's default manager knows LATENCY.
  if (!target->instruments_)
    target->instruments_ = std::make_unique<llvm::mca::InstrumentManager>(*target->subtarget_, *target->instructions_);
  target->modelOrigin_ = findModelOrigin(*target->subtarget_, target->cpu_);
  return target;
}

/// The last argument makes LLVM's manager ignore instruments, whatever the target's own one supports.
void Target::disableInstruments() {
  instruments_ = std::make_unique<llvm::mca::InstrumentManager>(*subtarget_, *instructions_, false);
}

std::unique_ptr<llvm::MCInstPrinter> Target::createPrinter(unsigned variant) const {
  return std::unique_ptr<llvm::MCInstPrinter>(
      backend_.createMCInstPrinter(triple_, variant, *asmInfo_, *instructions_, *registers_));
}

} // namespace mca
