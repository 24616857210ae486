#include "analysis/import/trace_writer.h"

#include "analysis/import/trace_notation.h"
#include "mca-core/trace/profile_counts.h"
#include "mca-core/trace/trace_text.h"
#include "mca-core/trace/trace_walk.h"

namespace analysis {
namespace {

constexpr uint64_t kMaxCount = uint64_t{1} << 40; // the format's

std::string headerOf(const TraceHeader &header, bool isTruncated) {
  std::string text = "mcatrace 1\n# Imported from a recording of " + header.kind + ".\n";
  if (isTruncated)
    text += "# The recording is longer: the traces end where they reached their limit. The edges count all of it.\n";
  text += "source " + quotedName(header.assembly) + "\nbinary " + quotedName(header.program);
  if (!header.buildId.empty())
    text += " buildid " + header.buildId;
  return text + "\n";
}

/// Reads the text again and walks all of it. Returns the first error.
std::string errorOf(const std::string &text, const mca::ProgramBranches &branches, const mca::SizeOf &sizeOf) {
  const auto describe = [](const mca::TraceError &error) {
    return "the trace cannot be written: its line " + std::to_string(error.position.line) + ": " + error.message;
  };
  const auto read = mca::readTrace(text);
  if (const auto *error = std::get_if<mca::TraceError>(&read))
    return describe(*error);
  const auto &trace = std::get<mca::TraceText>(read);
  const mca::TokenTargets targets(branches, trace, sizeOf);
  for (const mca::TraceStatement &statement : trace.traces) {
    mca::TraceWalk walk(targets, statement);
    mca::TraceStep step;
    while (walk.next(step)) {
    }
    if (walk.error())
      return describe(*walk.error());
  }
  const auto counts = mca::findCounts(targets);
  const auto *error = std::get_if<mca::TraceError>(&counts);
  return error ? describe(*error) : std::string();
}

/// Appends the traces up to the limits. Returns whether those were all.
bool printTraces(const BranchRecorder &recorder, const mca::ProgramBranches &branches, TextLimits limits,
                 std::string &text) {
  const std::function nameOf = [&](uint32_t token) -> const std::string & { return recorder.nameOf(token); };
  for (const RecordedTrace *trace : recorder.traces()) {
    const size_t before = text.size();
    const std::string statement = "trace " + quotedName(branches.functions()[trace->function].name) + ": ";
    text += statement;
    const bool isWhole = trace->tokens->print(nameOf, limits, text);
    if (text.size() == before + statement.size())
      text.resize(before);
    else
      text += '\n';
    if (!isWhole)
      return false;
  }
  return true;
}

/// The `edge` and `block` statements; cut off where they exceed the limit of a text.
std::string countsOf(const BranchRecorder &recorder, const mca::Program &program, const mca::ProgramBranches &branches,
                     const mca::SizeOf &sizeOf) {
  const std::vector<std::string> labels = labelNotations(program, branches);
  std::string text;
  const auto add = [&](const char *statement, uint32_t instruction, const std::string &rest) {
    const std::string place = placeNotation(instruction, branches, labels, sizeOf);
    const std::string_view function = branches.functions()[branches.functionOf(instruction)].name;
    if (!place.empty() && !function.empty())
      text += statement + quotedName(function) + " " + place + rest + "\n";
    return text.size() <= mca::kMaxTraceBytes;
  };
  for (const RecordedEdge &edge : recorder.edges()) {
    std::string rest = " -> " + recorder.nameOf(edge.token) + " " + std::to_string(std::min(edge.count, kMaxCount));
    if (edge.measured > 0)
      rest += " m " + std::to_string(std::min({edge.mispredictions, edge.count, kMaxCount}));
    if (!add("edge ", edge.branch, rest))
      return text;
  }
  for (const RecordedBlock &block : recorder.blocks())
    if (!add("block ", block.instruction, " " + std::to_string(std::min(block.count, kMaxCount))))
      return text;
  return text;
}

} // namespace

mca::Result<WrittenTrace> writeTrace(const BranchRecorder &recorder, const TraceHeader &header,
                                     const mca::Program &program, const mca::ProgramBranches &branches,
                                     const mca::SizeOf &sizeOf) {
  const std::string counts = countsOf(recorder, program, branches, sizeOf);
  const size_t fixed = headerOf(header, /*isTruncated=*/true).size() + counts.size();
  if (fixed > mca::kMaxTraceBytes)
    return mca::Failure{"the counts of these functions exceed the " + std::to_string(mca::kMaxTraceBytes >> 20) +
                        " MiB that a trace may have; name fewer with --function"};
  WrittenTrace written;
  std::string traces;
  written.isTruncated = !printTraces(recorder, branches, {mca::kMaxTraceBytes - fixed, mca::kMaxTraceNodes}, traces) ||
                        recorder.isTruncated();
  if (traces.empty() && counts.empty())
    return mca::Failure{"nothing of these functions was executed in the recording"};
  written.text = headerOf(header, written.isTruncated) + traces + counts;
  if (std::string error = errorOf(written.text, branches, sizeOf); !error.empty())
    return mca::Failure{std::move(error)};
  return written;
}

} // namespace analysis
