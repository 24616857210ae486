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

} // namespace

mca::Result<std::string> writeTrace(const BranchRecorder &recorder, const TraceHeader &header,
                                    const mca::Program &program, const mca::ProgramBranches &branches,
                                    const mca::SizeOf &sizeOf) {
  const std::vector<std::string> labels = labelNotations(program, branches);
  const auto functionOf = [&](uint32_t instruction) {
    return branches.functions()[branches.functionOf(instruction)].name;
  };
  std::string text = headerOf(header, recorder.isTruncated());
  bool isEmpty = true;
  for (const RecordedTrace *trace : recorder.traces()) {
    text += "trace " + quotedName(branches.functions()[trace->function].name) + ": ";
    trace->tokens->print([&](uint32_t token) -> const std::string & { return recorder.nameOf(token); }, text);
    text += '\n';
    isEmpty = false;
  }
  for (const RecordedEdge &edge : recorder.edges()) {
    const std::string place = placeNotation(edge.branch, branches, labels, sizeOf);
    if (place.empty() || functionOf(edge.branch).empty())
      continue;
    text += "edge " + quotedName(functionOf(edge.branch)) + " " + place + " -> " + recorder.nameOf(edge.token) + " " +
            std::to_string(std::min(edge.count, kMaxCount));
    if (edge.measured > 0)
      text += " m " + std::to_string(std::min({edge.mispredictions, edge.count, kMaxCount}));
    text += '\n';
    isEmpty = false;
  }
  for (const RecordedBlock &block : recorder.blocks()) {
    const std::string place = placeNotation(block.instruction, branches, labels, sizeOf);
    if (place.empty() || functionOf(block.instruction).empty())
      continue;
    text += "block " + quotedName(functionOf(block.instruction)) + " " + place + " " +
            std::to_string(std::min(block.count, kMaxCount)) + "\n";
    isEmpty = false;
  }
  if (isEmpty)
    return mca::Failure{"nothing of these functions was executed in the recording"};
  if (std::string error = errorOf(text, branches, sizeOf); !error.empty())
    return mca::Failure{std::move(error)};
  return text;
}

} // namespace analysis
