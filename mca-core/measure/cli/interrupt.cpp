#include "mca-core/measure/cli/interrupt.h"

#include "llvm/Support/Signals.h"

#include <csignal>

namespace mca::measure {
namespace {

volatile std::sig_atomic_t interrupted = 0;

} // namespace

void catchInterrupt() {
  llvm::sys::SetInterruptFunction([] { interrupted = 1; });
}

bool isInterrupted() {
  return interrupted;
}

} // namespace mca::measure
