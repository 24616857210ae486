// Which triple, CPU and features an analysis uses, and which source they come from.
//
// The most specific source wins: the buffer's own `mca:` comment, the user's settings, the compile command, and only
// then the host. Hints and hovers name the source, because a number for the wrong CPU is a wrong number.
#pragma once

#include "analysis/compile/compile.h"
#include "analysis/dialect/target_signs.h"
#include "analysis/job/buffer_settings.h"
#include "analysis/wire/messages.h"
#include "mca-core/target/target.h"

#include <optional>
#include <string>

namespace analysis {

struct TargetChoice {
  mca::TargetSelection selection;
  std::string cpuOrigin;
  bool cpuAssumed = false;            ///< nothing named a CPU
  std::vector<std::string> otherCpus; ///< for an assumed CPU: others to name
};

/// What a target is chosen from.
struct TargetSources {
  const BufferSettings &buffer;
  const wire::Settings &settings;
  const std::optional<CompiledTarget> &compiled; ///< the target of the compile command, if there is one
  const TargetSigns &signs;                      ///< what the text tells; counts least
  bool isAssembly = false;
};

TargetChoice chooseTarget(const TargetSources &sources);

/// The triple that the user or the buffer names, else this machine's.
std::string standardTriple(const BufferSettings &buffer, const wire::Settings &settings);

/// The features that differ from the CPU's own, for display: "+avx512f,-fma", at most a few and the count of the rest.
/// The target's whole list would be no help: a driver that resolves -march=native writes down every feature of the CPU.
std::string changedFeatures(const mca::Target &target);

} // namespace analysis
