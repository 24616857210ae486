// Chooses the triple, the CPU and the features of an analysis, each from its most specific source.
#include "analysis/job/target_choice.h"

#include "analysis/common/counts.h"

#include "llvm/ADT/STLExtras.h"
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

void chooseCpu(TargetChoice &choice, const BufferSettings &buffer, const wire::Settings &settings,
               const std::optional<CompiledTarget> &compiled) {
  if (!buffer.cpu.empty()) {
    choice.selection.cpu = buffer.cpu;
    choice.cpuOrigin = "set in the buffer";
  } else if (!settings.cpu.empty()) {
    choice.selection.cpu = settings.cpu;
    choice.cpuOrigin = settings.cpuSource.empty() ? "set in the configuration" : settings.cpuSource;
  } else if (compiled && compiled->cpuNamed) {
    choice.selection.cpu = compiled->namedBy.starts_with("-mtune=") ? compiled->tuneCpu : compiled->cpu;
    choice.cpuOrigin = "from " + compiled->namedBy + " in the compile command";
  } else if (llvm::Triple(choice.selection.triple).getArch() == llvm::Triple(mca::hostTriple()).getArch()) {
    choice.selection.cpu = mca::hostCpu();
    choice.cpuOrigin = "this machine's; nothing names one";
    choice.cpuAssumed = true;
  } else {
    choice.selection.cpu = "generic";
    choice.cpuOrigin = "assumed; nothing names one";
    choice.cpuAssumed = true;
  }
  if (choice.selection.cpu == "native")
    choice.selection.cpu = mca::hostCpu();
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

TargetChoice chooseTarget(const BufferSettings &buffer, const wire::Settings &settings,
                          const std::optional<CompiledTarget> &compiled) {
  TargetChoice choice;
  if (compiled)
    choice.selection.triple = compiled->triple; // the code is what it is, whatever the settings say
  else if (!buffer.triple.empty())
    choice.selection.triple = buffer.triple;
  else if (!settings.triple.empty())
    choice.selection.triple = settings.triple;
  else
    choice.selection.triple = mca::hostTriple();
  if (compiled)
    choice.selection.features = join(compiled->features);
  append(choice.selection.features, buffer.features.empty() ? settings.features : buffer.features);
  chooseCpu(choice, buffer, settings, compiled);
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
