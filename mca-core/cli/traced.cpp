// Reads the traces, checks them against the program, and reports each of them. Errors name the place in the file.
#include "mca-core/cli/traced.h"

#include "mca-core/program/encoded_sizes.h"
#include "mca-core/report/count_simulation.h"
#include "mca-core/target/input_file.h"
#include "mca-core/trace/profile_counts.h"
#include "mca-core/views/trace.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

namespace mca {
namespace {

bool fail(const llvm::Twine &message) {
  llvm::WithColor::error() << message << '\n';
  return false;
}

/// The traces of one file.
class TraceReporter {
public:
  TraceReporter(const Target &target, const Program &program, const Options &options, const TraceText &text)
      : target_(target), program_(program), options_(options), text_(text), branches_(target, program),
        targets_(branches_, text, encodedSizes(target, program)), simulator_(target), simulation_(options.simulation),
        settings_(options.traceSettings) {
    // llvm-mca knows no traces, so what it reports for in-order CPUs does not matter here.
    simulation_.inOrderBottlenecks = simulation_.bottlenecks;
  }

  bool run(llvm::raw_ostream &out) {
    if (text_.traces.empty() && text_.edges.empty() && text_.blocks.empty() && text_.paths.empty())
      return fail(llvm::Twine(options_.trace) + ": the file has no trace");
    if (settings_.predictor == PredictorKind::Measured && !readMeasurements())
      return false;
    if (text_.traces.empty() && !reportCounts(out))
      return false;
    for (const TraceStatement &trace : text_.traces)
      if (!reportTrace(trace, out))
        return false;
    if (options_.json)
      out << llvm::formatv("{0:2}", llvm::json::Value(llvm::json::Object{{"Traces", std::move(json_)}})) << '\n';
    return true;
  }

private:
  bool failAt(const TraceError &error) const {
    if (error.position.line == 0)
      return fail(error.message);
    return fail(llvm::Twine(options_.trace) + ":" + llvm::Twine(error.position.line) + ":" +
                llvm::Twine(error.position.column) + ": " + error.message);
  }

  bool readMeasurements() {
    const auto counts = findCounts(targets_);
    if (const auto *error = std::get_if<TraceError>(&counts))
      return failAt(*error);
    settings_.measured = measuredBranches(std::get<ProfileCounts>(counts).edges);
    return !settings_.measured.empty() ||
           fail(llvm::Twine(options_.trace) + ": -predictor=measured needs edges with mispredictions (`m 660`)");
  }

  /// What to do about an instruction without scheduling data. Sets `isStopped` if nothing is to be simulated.
  OnSkippedInTrace onSkipped(bool &isStopped) const {
    return [this, &isStopped](uint32_t instruction, const std::string &message) {
      isStopped = !options_.skipUnscheduled;
      (isStopped ? llvm::WithColor::error() : llvm::WithColor::warning())
          << "line " << branches_.lineOf(instruction) << ": " << message
          << (isStopped ? ", use -skip-unsupported-instructions=lack-sched to ignore these on the input.\n"
                        : ", skipping with -skip-unsupported-instructions, note accuracy will be impacted\n");
      return !isStopped;
    };
  }

  bool reportTrace(const TraceStatement &trace, llvm::raw_ostream &out) {
    bool isStopped = false;
    auto prepared =
        prepareTrace(simulator_, target_, program_, targets_, trace, simulation_, settings_, onSkipped(isStopped));
    if (isStopped)
      return false;
    if (const auto *error = std::get_if<TraceError>(&prepared))
      return failAt(*error);
    const uint32_t entry = TraceWalk(targets_, trace).entry();
    return report(std::get<PreparedTrace>(prepared), branches_.functionOf(entry), out);
  }

  bool reportCounts(llvm::raw_ostream &out) {
    bool isStopped = false;
    auto prepared =
        prepareCounts(simulator_, target_, program_, targets_, simulation_, settings_, onSkipped(isStopped));
    if (isStopped)
      return false;
    if (const auto *error = std::get_if<TraceError>(&prepared))
      return failAt(*error);
    for (CountedFunction &counted : std::get<std::vector<CountedFunction>>(prepared))
      if (!report(counted.run, counted.function, out))
        return false;
    return true;
  }

  /// `number`: index in ProgramBranches::functions().
  bool report(PreparedTrace &prepared, uint32_t number, llvm::raw_ostream &out) {
    const llvm::StringRef function = branches_.functions()[number].name;
    const Result<TraceReport> made = runTrace(prepared, simulator_);
    if (!made)
      return fail(made.message());
    std::optional<Result<TraceWindow>> window;
    if (simulation_.timeline || simulation_.bottlenecks || simulation_.waitReasons)
      window = recordWindow(prepared, simulator_, options_.traceWindow);
    if (window && !*window)
      return fail(window->message());
    if (options_.json) {
      llvm::json::Object one = toJson(*made, branches_);
      one["Function"] = function.str();
      if (window)
        one["Window"] = toJson(**window, branches_);
      json_.push_back(std::move(one));
      return true;
    }
    out << (number_ ? "\n\n" : "") << "[" << number_ << "] Trace" << (function.empty() ? "" : " - ") << function
        << "\n\n";
    ++number_;
    printTrace(out, *made, branches_);
    if (window)
      printWindow(out, **window,
                  {.timeline = simulation_.timeline, .timelineMaxCycles = simulation_.timelineMaxCycles});
    return true;
  }

  const Target &target_;
  const Program &program_;
  const Options &options_;
  const TraceText &text_;
  const ProgramBranches branches_;
  const TokenTargets targets_;
  Simulator simulator_;
  SimulationOptions simulation_;
  TraceSettings settings_;
  unsigned number_ = 0;
  llvm::json::Array json_;
};

} // namespace

bool reportTraces(const Target &target, const Program &program, const Options &options, llvm::raw_ostream &out) {
  constexpr uint64_t kMaxBytes = uint64_t{4} << 30; // the editor reads less (kMaxTraceBytes)
  const auto buffer = readInputFile(options.trace, kMaxBytes);
  if (!buffer)
    return fail(buffer.message());
  const llvm::StringRef bytes = (*buffer)->getBuffer();
  const auto text = readTrace(std::string_view(bytes.data(), bytes.size()));
  if (const auto *error = std::get_if<TraceError>(&text))
    return fail(llvm::Twine(options.trace) + ":" + llvm::Twine(error->position.line) + ":" +
                llvm::Twine(error->position.column) + ": " + error->message);
  return TraceReporter(target, program, options, std::get<TraceText>(text)).run(out);
}

} // namespace mca
