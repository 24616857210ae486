// A sample is one line. Fields that perf was asked for, such as the process and the instruction pointer, stand before
// its branches, of which the newest comes first:
//
//     16984 401142 0x401140/0x401120/P/-/-/11/COND/- 0x40113b/0x40113d/PN/-/-/2/COND/-
//
// The parts are those of the kernel's perf-script documentation: from, to, event (M: mispredicted, P: predicted, N: not
// taken, -: unknown), transaction, abort, cycles, and in newer versions type and speculation.
//
// The instruction pointer is not used: depending on the event it is older or newer than the newest branch.
#include "analysis/import/perf_reader.h"

#include "analysis/import/perf_text.h"

#include "llvm/ADT/STLExtras.h"

#include <vector>

namespace analysis {
namespace {

using llvm::StringRef;

/// Branches of a sample: hardware has at most 64.
constexpr size_t kMaxEntries = 1024;
constexpr StringRef kExample = "a branch such as `0x401140/0x401120/P/-/-/1`";

class PerfReader final : public PerfTextReader {
public:
  std::optional<ImportError> finish(BranchSink &) override {
    if (!hasBranches_)
      return errorInFile("no branches: was `perf record` run with -b, and `perf script` with -F ip,brstack?");
    return {};
  }

private:
  struct Entry {
    uint64_t from;
    uint64_t to;
    Predicted predicted;
    bool isTaken;
    bool isGap;
  };

  std::optional<ImportError> readSample(StringRef line, BranchSink &sink) override;
  std::optional<ImportError> readEntry(StringRef text);

  std::vector<Entry> entries_; ///< of the sample, in the order of the text
  bool hasBranches_ = false;
};

bool isEntry(StringRef word) {
  return word.starts_with("0x") && word.contains('/');
}

std::optional<ImportError> PerfReader::readSample(StringRef line, BranchSink &sink) {
  StringRef rest = line;
  StringRef word = takeWord(rest), lastField;
  for (; !word.empty() && !isEntry(word); word = takeWord(rest))
    lastField = word;
  // A sample without branches ends with its instruction pointer, or with an earlier field.
  if (word.empty() && !parseHex(lastField) && !lastField.ends_with(":"))
    return unexpected(lastField, kExample);
  entries_.clear();
  for (; !word.empty(); word = takeWord(rest)) {
    if (entries_.size() == kMaxEntries)
      return errorAt(word, "too many branches in a sample");
    if (auto error = readEntry(word))
      return error;
  }
  if (entries_.empty())
    return {};
  hasBranches_ = true;
  sink.gap();
  for (const Entry &entry : llvm::reverse(entries_))
    if (entry.isGap)
      sink.gap();
    else if (entry.isTaken)
      sink.taken(entry.from, entry.to, entry.predicted);
    else
      sink.notTaken(entry.from, entry.predicted);
  return {};
}

std::optional<ImportError> PerfReader::readEntry(StringRef text) {
  const auto [from, afterFrom] = text.split('/');
  const auto [to, afterTo] = afterFrom.split('/');
  const auto [event, flags] = afterTo.split('/');
  const auto fromNumber = parseHex(from), toNumber = parseHex(to);
  if (!fromNumber || !toNumber || event.empty() || event.find_first_not_of("MPN-") != StringRef::npos)
    return unexpected(text, kExample);
  // On a path that was predicted wrongly: the program never executed it.
  if (flags.ends_with("/SPEC_WRONG_PATH"))
    return {};
  const StringRef abort = flags.split('/').second.split('/').first;
  entries_.push_back({.from = *fromNumber,
                      .to = *toNumber,
                      .predicted = event.contains('M')   ? Predicted::Wrong
                                   : event.contains('P') ? Predicted::Right
                                                         : Predicted::Unknown,
                      .isTaken = !event.contains('N'),
                      .isGap = !isUserAddress(*fromNumber) || !isUserAddress(*toNumber) || abort == "A"});
  return {};
}

} // namespace

std::unique_ptr<RecordingReader> createPerfReader() {
  return std::make_unique<PerfReader>();
}

} // namespace analysis
