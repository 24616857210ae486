// One record is one line; the grammar is in the comments of BOLT's DataAggregator.h:
//
//     E cycles                        the event of the following records
//     S 41be50 3                      samples without branches: address, count
//     B 4b1942 39b57f0 3 0            a branch: from, to, count, mispredictions
//     F 41be50 41be90 3               a straight line: first and last instruction, count; f and r: entered from outside
//     T 4b196f 4b19e0 4b19ef 2        a branch, the end of the straight line after it, count; R: the branch is a return
//
// Addresses are hexadecimal, and those of other objects have a build ID or an X in front: `X:39b57f0`. Numbers close to
// 2^64 stand for a part of a trace that is not known.
#include "analysis/import/bolt_reader.h"

#include "analysis/import/record_text.h"

#include <algorithm>

namespace analysis {
namespace {

using llvm::StringRef;

class BoltReader final : public TextReader {
public:
  bool hasFileAddresses() const override { return true; }
  std::optional<ImportError> finish(BranchSink &) override {
    if (!hasRecords_)
      return errorInFile("no branches of the program: expected lines such as `B 4b1942 4b1960 3 0`");
    return {};
  }

private:
  std::optional<ImportError> readLine(StringRef line, BranchSink &sink) override;
  std::optional<ImportError> readAddress(StringRef &rest, uint64_t &address) const;
  std::optional<ImportError> readCount(StringRef &rest, uint64_t &count) const;
  void countEdge(BranchSink &sink, uint64_t from, uint64_t to, uint64_t count, std::optional<uint64_t> mispredictions);
  void countRun(BranchSink &sink, uint64_t begin, uint64_t last, uint64_t count);

  bool hasRecords_ = false;
};

/// Whether a line is from BOLT's own format, whose records are `1 main 3fb 1 main 400 0 17`.
bool isFdata(StringRef kind) {
  return kind == "no_lbr" || kind == "boltedcollection" || (kind.size() == 1 && kind[0] >= '0' && kind[0] <= '5');
}

std::optional<ImportError> BoltReader::readLine(StringRef line, BranchSink &sink) {
  StringRef rest = line;
  const StringRef kind = takeWord(rest);
  if (kind.starts_with("#") || kind == "E")
    return {};
  if (isFdata(kind))
    return errorAt(kind, "this is BOLT's fdata format, which has offsets in functions: give the preaggregated profile "
                         "that it was made from, or import the output of `perf script` as `perf`");
  if (kind.size() != 1 || !StringRef("SBFfrTR").contains(kind))
    return unexpected(kind, "a record: S, B, F, f, r, T or R");
  const size_t addresses = kind == "S" ? 1 : kind == "T" || kind == "R" ? 3 : 2;
  uint64_t at[3] = {};
  for (size_t i = 0; i < addresses; ++i)
    if (auto error = readAddress(rest, at[i]))
      return error;
  uint64_t count = 0, mispredictions = 0;
  if (auto error = readCount(rest, count))
    return error;
  if (kind == "B")
    if (auto error = readCount(rest, mispredictions))
      return error;
  if (rest = rest.trim(kBlanks); !rest.empty())
    return unexpected(rest, "the end of the line");
  if (kind == "B")
    countEdge(sink, at[0], at[1], count, std::min(mispredictions, count));
  else if (addresses == 3) {
    countEdge(sink, at[0], at[1], count, {});
    countRun(sink, at[1], at[2], count);
  } else if (addresses == 2)
    countRun(sink, at[0], at[1], count);
  return {};
}

/// Yields 0 for a place in another object.
std::optional<ImportError> BoltReader::readAddress(StringRef &rest, uint64_t &address) const {
  const StringRef word = takeWord(rest);
  const StringRef offset = word.contains(':') ? word.split(':').second : word;
  const auto number = parseHex(offset);
  if (!number)
    return unexpected(word.empty() ? rest : word, "a hexadecimal address");
  address = word.size() == offset.size() ? *number : 0;
  return {};
}

std::optional<ImportError> BoltReader::readCount(StringRef &rest, uint64_t &count) const {
  const StringRef word = takeWord(rest);
  if (word.getAsInteger(10, count))
    return unexpected(word.empty() ? rest : word, "a count");
  return {};
}

void BoltReader::countEdge(BranchSink &sink, uint64_t from, uint64_t to, uint64_t count,
                           std::optional<uint64_t> mispredictions) {
  if (!isUserAddress(from) || !isUserAddress(to))
    return;
  hasRecords_ = true;
  sink.edge(from, to, count, mispredictions);
}

void BoltReader::countRun(BranchSink &sink, uint64_t begin, uint64_t last, uint64_t count) {
  // Recordings contain a few lines that run backwards; BOLT ignores them as well.
  if (!isUserAddress(begin) || !isUserAddress(last) || begin > last)
    return;
  hasRecords_ = true;
  sink.run(begin, last, count);
}

} // namespace

std::unique_ptr<RecordingReader> createBoltReader() {
  return std::make_unique<BoltReader>();
}

} // namespace analysis
