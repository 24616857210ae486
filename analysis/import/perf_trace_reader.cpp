// A branch is one line, with its flags before the addresses (names: sample_flags[] of the kernel's
// tools/perf/util/trace-event-scripting.c). Other fields, such as the process and the time, may stand in front:
//
//     1  branches:u:   tr strt              0 =>  401000
//     1  branches:u:   jcc             401010 =>  401020
//     1  branches:u:   tr end  syscall 401024 =>       0
#include "analysis/import/perf_trace_reader.h"

#include "analysis/import/perf_text.h"

#include "llvm/ADT/STLExtras.h"

namespace analysis {
namespace {

using llvm::StringRef;

/// What the flags of a line say.
struct Flags {
  bool starts = false;  ///< the trace starts at the target
  bool ends = false;    ///< the trace ends after the branch
  bool isBranch = true; ///< otherwise an interrupt, a system call or an aborted transaction
  bool isTaken = true;
  bool isMissed = false;
};

/// Flags are the words before the first address. Newer versions of perf add events to the kind of the branch:
/// `jcc/miss,not_taken/`.
Flags readFlags(StringRef before) {
  Flags flags;
  for (StringRef word = takeLastWord(before); !word.empty(); word = takeLastWord(before)) {
    if (word.starts_with("(")) // states of the CPU: `(x)` is in a transaction
      continue;
    const auto [kind, events] = word.split('/');
    flags.isMissed |= events.contains("miss") || kind == "miss";
    flags.isTaken &= !events.contains("not_taken");
    if (kind == "strt" || kind == "end") {
      (kind == "strt" ? flags.starts : flags.ends) = true;
      break;
    }
    if (llvm::is_contained<StringRef>({"int", "iret", "syscall", "sysret", "async", "abrt", "vmentry", "vmexit"}, kind))
      flags.isBranch = false;
    else if (!llvm::is_contained<StringRef>({"call", "return", "jcc", "jmp", "br", "miss"}, kind))
      break;
  }
  return flags;
}

class PerfTraceReader final : public PerfTextReader {
public:
  std::optional<ImportError> finish(BranchSink &) override {
    if (!hasBranches_)
      return errorInFile("no branches: was the trace recorded with `perf record -e intel_pt//u`?");
    return {};
  }

private:
  std::optional<ImportError> readSample(StringRef line, BranchSink &sink) override;

  bool hasBranches_ = false;
};

std::optional<ImportError> PerfTraceReader::readSample(StringRef line, BranchSink &sink) {
  if (line.contains("instruction trace error")) {
    sink.gap();
    return {};
  }
  auto [before, target] = line.split("=>");
  const StringRef source = takeLastWord(before);
  const auto from = parseHex(source), to = parseHex(target.trim(kBlanks));
  if (!from || !to)
    return unexpected(from ? target.trim(kBlanks) : source,
                      "`ADDRESS => ADDRESS`, as `perf script --itrace=b -F ip,addr,flags` prints it");
  const Flags flags = readFlags(before);
  if (flags.starts)
    sink.gap();
  if (!isUserAddress(*from) || !isUserAddress(*to) || !flags.isBranch) {
    sink.gap();
    if (isUserAddress(*to))
      sink.visit(*to);
  } else {
    hasBranches_ = true;
    const Predicted predicted = flags.isMissed ? Predicted::Wrong : Predicted::Unknown;
    if (flags.isTaken)
      sink.taken(*from, *to, predicted);
    else
      sink.notTaken(*from, predicted);
  }
  if (flags.ends)
    sink.gap();
  return {};
}

} // namespace

std::unique_ptr<RecordingReader> createPerfTraceReader() {
  return std::make_unique<PerfTraceReader>();
}

} // namespace analysis
