// A branch is one line, with its flags before the addresses (names: sample_flags[] of the kernel's
// tools/perf/util/trace-event-scripting.c). Other fields, such as the process and the time, may stand in front:
//
//     100/101  branches:u:   tr strt              0 =>  401000
//     100/101  branches:u:   jcc             401010 =>  401020
//     100/101  branches:u:   tr end  syscall 401024 =>       0
//     100/101  branches:u:   tr strt              0 =>  401026
//
// Where the trace ends because of the kernel, and starts when the program goes on, nothing is lost.
#include "analysis/import/perf_trace_reader.h"

#include "analysis/import/perf_text.h"

#include "llvm/ADT/STLExtras.h"

namespace analysis {
namespace {

using llvm::StringRef;

/// What stands before the addresses of a line.
struct Fields {
  std::optional<uint64_t> thread;
  bool isBranch = true;   ///< otherwise an interrupt or a system call
  bool isAborted = false; ///< a transaction: what it executed was undone
  bool isTaken = true;
  bool isMissed = false;
};

/// The thread of `100/101`, a process and a thread; nothing for other words.
std::optional<uint64_t> threadOf(StringRef word) {
  uint64_t process = 0, thread = 0;
  if (word.consumeInteger(10, process) || !word.consume_front("/") || word.getAsInteger(10, thread))
    return {};
  return thread;
}

/// Newer versions of perf add events to the kind of a branch: `jcc/miss,not_taken/`.
Fields readFields(StringRef before) {
  Fields fields;
  bool isFlag = true; // the flags are the last words
  for (StringRef word = takeLastWord(before); !word.empty(); word = takeLastWord(before)) {
    const auto [kind, events] = word.split('/');
    isFlag &=
        llvm::is_contained<StringRef>({"call", "return", "jcc", "jmp", "br", "miss", "tr", "strt", "end", "hw", "int",
                                       "iret", "syscall", "sysret", "async", "tx", "abrt", "vmentry", "vmexit"},
                                      kind) ||
        kind.starts_with("("); // states of the CPU: `(x)` is in a transaction
    if (!isFlag) {
      fields.thread = threadOf(word);
      if (fields.thread)
        break;
      continue;
    }
    fields.isMissed |= events.contains("miss") || kind == "miss";
    fields.isTaken &= !events.contains("not_taken");
    fields.isAborted |= kind == "abrt";
    fields.isBranch &= !llvm::is_contained<StringRef>(
        {"int", "iret", "syscall", "sysret", "async", "abrt", "vmentry", "vmexit"}, kind);
  }
  return fields;
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
    StringRef thread = line.split(" tid ").second;
    if (uint64_t number = 0; !thread.consumeInteger(10, number))
      sink.thread(number);
    sink.gap();
    return {};
  }
  auto [before, target] = line.split("=>");
  const StringRef source = takeLastWord(before);
  const auto from = parseHex(source), to = parseHex(target.trim(kBlanks));
  if (!from || !to)
    return unexpected(from ? target.trim(kBlanks) : source,
                      "`ADDRESS => ADDRESS`, as `perf script --itrace=b -F ip,addr,flags` prints it");
  const Fields fields = readFields(before);
  if (fields.thread)
    sink.thread(*fields.thread);
  if (fields.isAborted)
    sink.gap();
  if (isUserAddress(*from) && isUserAddress(*to) && fields.isBranch) {
    hasBranches_ = true;
    const Predicted predicted = fields.isMissed ? Predicted::Wrong : Predicted::Unknown;
    if (fields.isTaken)
      sink.taken(*from, *to, predicted);
    else
      sink.notTaken(*from, predicted);
  } else if (isUserAddress(*to)) {
    sink.visit(*to);
  }
  return {};
}

} // namespace

std::unique_ptr<RecordingReader> createPerfTraceReader() {
  return std::make_unique<PerfTraceReader>();
}

} // namespace analysis
