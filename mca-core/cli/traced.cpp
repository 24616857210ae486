// Reads the trace, checks it against the program, and reports each of its statements.
#include "mca-core/cli/traced.h"

#include "mca-core/views/text_trace.h"

#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"

namespace mca {
namespace {

bool fail(const llvm::Twine &message) {
  llvm::WithColor::error() << message << '\n';
  return false;
}

bool fail(const Options &options, const TraceError &error) {
  if (error.position.line == 0)
    return fail(error.message);
  return fail(llvm::Twine(options.trace) + ":" + llvm::Twine(error.position.line) + ":" +
              llvm::Twine(error.position.column) + ": " + error.message);
}

class TracedReporter {
public:
  TracedReporter(const Target &target, const Program &program, const Options &options, const TraceText &text)
      : target_(target), program_(program), options_(options), text_(text), branches_(target, program),
        targets_(branches_, text, sizes(target, program)) {}

  bool report(const TraceStatement &trace, llvm::raw_ostream &out) {
    TraceSettings settings = options_.traceSettings;
    if (settings.predictor == PredictorKind::Measured)
      return fail("the file has no measured mispredictions");
    bool isStopped = false;
    const auto onSkipped = [&](uint32_t instruction, const std::string &message) {
      isStopped = !options_.skipUnscheduled;
      warnOfSkipped(instruction, message);
      return options_.skipUnscheduled;
    };
    Simulator simulator(target_);
    const auto made =
        simulateTrace(simulator, target_, program_, targets_, trace, options_.simulation, settings, onSkipped);
    if (isStopped)
      return false;
    if (const auto *error = std::get_if<TraceError>(&made))
      return fail(options_, *error);
    printTrace(out, std::get<TraceReport>(made), branches_);
    return true;
  }

private:
};

} // namespace
