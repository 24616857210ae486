// Chooses the triple, the CPU and the features of an analysis, each from its most specific source.
#include "analysis/job/target_choice.h"

#include "analysis/text/counts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/TargetParser/Triple.h"

#include <algorithm>
#include <memory>

namespace analysis {
namespace {

std::string join(const std::vector<std::string> &features) {
  std::string text;
  for (const std::string &feature : features)
    text += (text.empty() ? "" : ",") + feature;
  return text;
}

void append(std::string &features, const std::string &more) {
  if (!more.empty())
    features += (features.empty() ? "" : ",") + more;
}

/// Whether LLVM has scheduling data for the target's "generic" CPU.
bool hasGenericModel(const llvm::Triple &triple) {
  const auto backend = mca::Target::findBackend({.triple = triple.str()});
  const std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      backend ? (*backend)->createMCSubtargetInfo(triple, "generic", "") : nullptr);
  return subtarget && subtarget->getSchedModel().hasInstrSchedModel();
}

/// A CPU for which nothing speaks but that there must be one.
void assumeCpu(TargetChoice &choice) {
  const llvm::Triple triple(choice.selection.triple), host(mca::hostTriple());
  choice.cpuAssumed = true;
  if (triple.getArch() == host.getArch() || (triple.isX86() && host.isX86())) {
    choice.selection.cpu = mca::hostCpu();
    choice.cpuOrigin = "this machine's; nothing names one";
    return;
  }
  const llvm::StringRef usual = usualCpus(triple);
  choice.cpuOrigin = "assumed; nothing names one";
  if (usual.empty() || hasGenericModel(triple)) {
    choice.selection.cpu = "generic";
    return;
  }
  llvm::SmallVector<llvm::StringRef, 4> cpus;
  usual.split(cpus, ',');
  choice.selection.cpu = cpus.front().str();
  for (const llvm::StringRef cpu : llvm::drop_begin(cpus))
    choice.otherCpus.push_back(cpu.str());
}

void chooseCpu(TargetChoice &choice, const TargetSources &from) {
  const wire::Settings &settings = from.settings;
  const std::optional<CompiledTarget> &compiled = from.compiled;
  if (!from.buffer.cpu.empty()) {
    choice.selection.cpu = from.buffer.cpu;
    choice.cpuOrigin = "set in the buffer";
  } else if (!settings.cpu.empty()) {
    choice.selection.cpu = settings.cpu;
    choice.cpuOrigin = settings.cpuSource.empty() ? "set in the configuration" : settings.cpuSource;
  } else if (compiled && compiled->cpuNamed) {
    choice.selection.cpu = compiled->namedBy.starts_with("-mtune=") ? compiled->tuneCpu : compiled->cpu;
    choice.cpuOrigin = "from " + compiled->namedBy + " in the compile command";
  } else if (!from.signs.cpu.empty()) {
    choice.selection.cpu = from.signs.cpu;
    choice.cpuOrigin = "from a directive in the text";
  } else {
    assumeCpu(choice);
  }
  if (choice.selection.cpu == "native")
    choice.selection.cpu = mca::hostCpu();
}

/// The features of the compile command. Assembly may use all of its CPU's, as the assembler allows, if it is another
/// one than the command's: only what the command adds counts.
std::string compiledFeatures(const TargetSources &from) {
  std::vector<std::string> features = from.compiled->features;
  const bool isCommandsCpu = from.compiled->cpuNamed && from.buffer.cpu.empty() && from.settings.cpu.empty();
  if (from.isAssembly && !isCommandsCpu)
    llvm::erase_if(features, [](llvm::StringRef feature) { return !llvm::SubtargetFeatures::isEnabled(feature); });
  return join(features);
}

constexpr size_t kShownFeatures = 4;

/// Whether the feature differs from the CPU's own setting. An unknown feature counts as a change.
bool changes(const llvm::MCSubtargetInfo &plain, llvm::StringRef feature) {
  const llvm::StringRef name = llvm::SubtargetFeatures::StripFlag(feature);
  for (const llvm::SubtargetFeatureKV &entry : plain.getAllProcessorFeatures())
    if (name == entry.Key)
      return plain.getFeatureBits()[entry.Value] != llvm::SubtargetFeatures::isEnabled(feature);
  return true;
}

} // namespace

std::string standardTriple(const BufferSettings &buffer, const wire::Settings &settings) {
  if (!buffer.triple.empty())
    return buffer.triple;
  return settings.triple.empty() ? mca::hostTriple() : settings.triple;
}

TargetChoice chooseTarget(const TargetSources &from) {
  TargetChoice choice;
  if (from.compiled)
    choice.selection.triple = from.compiled->triple; // the code is what it is, whatever the settings say
  else
    choice.selection.triple =
        from.signs.triple.empty() ? standardTriple(from.buffer, from.settings) : from.signs.triple;
  if (from.compiled)
    choice.selection.features = compiledFeatures(from);
  append(choice.selection.features, from.buffer.features.empty() ? from.settings.features : from.buffer.features);
  chooseCpu(choice, from);
  return choice;
}

std::string changedFeatures(const mca::Target &target) {
  std::string error;
  const llvm::Target *backend = llvm::TargetRegistry::lookupTarget(target.triple(), error);
  const std::unique_ptr<llvm::MCSubtargetInfo> plain(
      backend ? backend->createMCSubtargetInfo(target.triple(), target.cpu(), "") : nullptr);
  if (!plain)
    return target.features();
  std::vector<std::string> changed;
  llvm::StringSet<> seen;
  const llvm::SubtargetFeatures written(target.features());
  for (const std::string &feature : llvm::reverse(written.getFeatures())) // the last one wins
    if (seen.insert(llvm::SubtargetFeatures::StripFlag(feature)).second && changes(*plain, feature))
      changed.insert(changed.begin(), feature);
  const std::string more = andMore(changed.size(), kShownFeatures);
  changed.resize(std::min(changed.size(), kShownFeatures));
  return join(changed) + more;
}

} // namespace analysis
