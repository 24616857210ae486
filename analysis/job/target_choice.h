// Which triple, CPU and features an analysis uses, and who chose them.
//
// The most specific source wins: the buffer's own `mca:` comment, the user's settings, the compile command, and only
// then the host. The reader is always told which.
#pragma once

#include "analysis/compile/compile.h"
#include "analysis/job/buffer_settings.h"
#include "analysis/wire/messages.h"
#include "mca-core/target/target.h"

#include <optional>
#include <string>

namespace analysis {

struct TargetChoice {
  mca::TargetSelection selection;
  std::string cpuOrigin;
  bool cpuAssumed = false; ///< nothing named a CPU
};

/// `compiled` is what the compile command says; none for an assembly buffer.
TargetChoice chooseTarget(const BufferSettings &buffer, const wire::Settings &settings,
                          const std::optional<CompiledTarget> &compiled);

/// Which of the features that the target was chosen with change what its CPU has, for the reader: "+avx512f,-fma", at
/// most a few of them and how many more. A driver that resolves -march=native writes down all that the CPU has.
std::string changedFeatures(const mca::Target &target);

} // namespace analysis
