// The format is described in Valgrind's manual ("Callgrind Format Specification"). What counts here:
//
//     positions: instr line           a cost line starts with an address and a line
//     events: Ir Bc Bcm Bi Bim        and goes on with these counts; zeros at its end are left out
//     ob=(5) /tmp/prog                the object of what follows; later only `ob=(5)`
//     0x401126 5 900 900 460          absolute; `+3`, `-3` and `*` are relative to the last cost line
//     jcnd=457/900 +14 +1             this branch jumped 457 of 900 times, to here; the next line has its place
//     * *
//     jump=566 -76 -6                 always
//     cob=(3) /usr/lib/libc.so.6      the object of the next call, if it is another one
//     calls=1 0x98930 3281            its target; the next line has its place and what the callee cost
//     * 7 1723 339
//
// A branch can stand in several basic blocks of callgrind, and has a cost line in each. A block in which it was never
// taken has no `jcnd`. So a branch was executed as often as all of its cost lines say (the event Ir).
#include "analysis/import/callgrind_reader.h"

#include "analysis/import/record_text.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace analysis {
namespace {

using llvm::StringRef;

/// Instructions and jumps that are kept: 64 MB. The largest programs execute about as many different instructions.
constexpr size_t kMaxRecords = 1u << 21;
constexpr size_t kMaxObjects = 1u << 16;
/// The longest instruction (x86), rounded up: the next one that was executed lies at most so far away.
constexpr uint64_t kLongestInstruction = 16;

class CallgrindReader final : public TextReader {
public:
  bool hasFileAddresses() const override { return true; }
  std::optional<ImportError> finish(BranchSink &sink) override;

private:
  /// What a cost line says of an instruction; after merging, what all of them do.
  struct Cost {
    uint64_t address;
    uint64_t executed = 0;
    uint64_t mispredictions = 0;
    bool isConditional = false;
  };
  struct Jump {
    uint64_t from;
    uint64_t to;
    uint64_t count;
  };
  /// The line after a `jump`, `jcnd` or `calls` has the place of the branch.
  enum class Pending : uint8_t { None, Jump, ConditionalJump, Call };

  std::optional<ImportError> readLine(StringRef line, BranchSink &sink) override;
  std::optional<ImportError> readHeader(StringRef key, StringRef value);
  std::optional<ImportError> readObject(StringRef value, bool &isProgram);
  std::optional<ImportError> readJump(StringRef value, Pending kind);
  std::optional<ImportError> readCost(StringRef line);
  std::optional<ImportError> addCost(StringRef counts);
  void countElsewhere(StringRef counts);
  std::optional<ImportError> readAddress(StringRef &rest, uint64_t &address) const;
  bool isFull() const { return costs_.size() + jumps_.size() >= kMaxRecords; }
  void mergeCosts();
  void mergeJumps();
  void countEdges(BranchSink &sink, llvm::ArrayRef<Jump> jumps, const Cost &cost, uint64_t fallThrough) const;

  bool hasAddresses_ = false;
  size_t positions_ = 1; ///< numbers before the counts of a cost line
  std::vector<std::string> events_;
  std::string program_;           ///< the last part of the path in `cmd:`; empty if there is none
  bool isProgram_ = true;         ///< whether what follows is about the program
  bool callsProgram_ = true;      ///< the same of the next call
  llvm::DenseSet<uint64_t> ours_; ///< numbers of the program's object
  uint64_t address_ = 0;          ///< of the last cost line
  Pending pending_ = Pending::None;
  Jump jump_ = {};         ///< the pending one, without its place
  uint64_t elsewhere_ = 0; ///< instructions of other objects
  std::vector<Cost> costs_;
  std::vector<Jump> jumps_;
};

std::optional<ImportError> CallgrindReader::readLine(StringRef line, BranchSink &) {
  const char first = line.front();
  if (first == '#')
    return {};
  if (llvm::isDigit(first) || first == '+' || first == '-' || first == '*')
    return readCost(line);
  if (pending_ != Pending::None)
    return unexpected(line, "the line with the place of the jump");
  const size_t end = line.find_first_of("=:");
  if (end == StringRef::npos)
    return unexpected(line, "a line of callgrind's format");
  const StringRef key = line.take_front(end), value = line.drop_front(end + 1).ltrim(kBlanks);
  if (line[end] == ':')
    return readHeader(key, value);
  if (key == "ob") {
    auto error = readObject(value, isProgram_);
    callsProgram_ = isProgram_;
    return error;
  }
  if (key == "cob")
    return readObject(value, callsProgram_);
  if (key == "jump")
    return readJump(value, Pending::Jump);
  if (key == "jcnd")
    return readJump(value, Pending::ConditionalJump);
  if (key == "calls")
    return readJump(value, Pending::Call);
  // Names of files and functions.
  static constexpr StringRef kNames[] = {"fl", "fi", "fe", "fn", "cfl", "cfi", "cfe", "cfn", "jfi", "jfn"};
  if (!llvm::is_contained(kNames, key))
    return unexpected(line, "a line of callgrind's format");
  return {};
}

std::optional<ImportError> CallgrindReader::readHeader(StringRef key, StringRef value) {
  if (key == "cmd") {
    const StringRef path = takeWord(value);
    program_ = path.drop_front(path.rfind('/') + 1).str();
  } else if (key == "positions") {
    positions_ = 0;
    for (StringRef rest = value; !takeWord(rest).empty();)
      ++positions_;
    hasAddresses_ = takeWord(value) == "instr";
  } else if (key == "events") {
    events_.clear();
    for (StringRef word = takeWord(value); !word.empty(); word = takeWord(value)) {
      if (events_.size() == 64)
        return errorAt(word, "too many events");
      events_.push_back(word.str());
    }
  }
  return {};
}

/// Reads `(5) /tmp/prog`, `(5)` or `/tmp/prog`.
std::optional<ImportError> CallgrindReader::readObject(StringRef value, bool &isProgram) {
  StringRef path = value;
  std::optional<uint64_t> number;
  if (path.consume_front("(")) {
    const auto [digits, rest] = path.split(')');
    number = parseNumber(digits);
    if (!number || *number > UINT32_MAX)
      return unexpected(value, "the number of an object, such as `(5)`");
    path = rest.trim(kBlanks);
    if (path.empty()) {
      isProgram = program_.empty() || ours_.contains(*number);
      return {};
    }
  }
  isProgram = program_.empty() || path.drop_front(path.rfind('/') + 1) == program_;
  if (number && isProgram)
    if (ours_.insert(*number); ours_.size() > kMaxObjects)
      return errorAt(value, "too many objects");
  return {};
}

std::optional<ImportError> CallgrindReader::readJump(StringRef value, Pending kind) {
  StringRef rest = value;
  const StringRef counts = takeWord(rest);
  const auto [first, second] = counts.split('/');
  const auto count = parseNumber(first);
  const auto executed = kind == Pending::ConditionalJump ? parseNumber(second) : count;
  if (!count || !executed || (kind != Pending::ConditionalJump && counts.contains('/')) || *count > *executed)
    return unexpected(counts.empty() ? value : counts, "how often it was taken");
  jump_.count = *count;
  pending_ = kind;
  return readAddress(rest, jump_.to);
}

std::optional<ImportError> CallgrindReader::readAddress(StringRef &rest, uint64_t &address) const {
  if (!hasAddresses_)
    return errorInFile("the file has no addresses: run valgrind with --dump-instr=yes --collect-jumps=yes");
  const StringRef word = takeWord(rest);
  address = address_;
  if (word == "*")
    return {};
  StringRef digits = word;
  const bool isForward = digits.consume_front("+"), isBackward = !isForward && digits.consume_front("-");
  const auto number = parseNumber(digits);
  const uint64_t limit = isForward ? UINT64_MAX - address_ : isBackward ? address_ : UINT64_MAX;
  if (!number || *number > limit)
    return unexpected(word.empty() ? rest : word, "an address");
  address = isForward ? address_ + *number : isBackward ? address_ - *number : *number;
  return {};
}

std::optional<ImportError> CallgrindReader::readCost(StringRef line) {
  StringRef rest = line;
  uint64_t address = 0;
  if (auto error = readAddress(rest, address))
    return error;
  address_ = address;
  for (size_t i = 1; i < positions_; ++i)
    if (takeWord(rest).empty())
      return unexpected(rest, "a position");
  const Pending pending = std::exchange(pending_, Pending::None);
  const bool calledProgram = std::exchange(callsProgram_, isProgram_);
  if (!isProgram_) {
    if (pending == Pending::None)
      countElsewhere(rest);
    return {};
  }
  if (isFull())
    return errorAt(line, "the program executed too many different instructions: use --toggle-collect=FUNCTION");
  if (pending == Pending::None)
    return addCost(rest);
  // Callgrind skips PLTs, and counts the dynamic linker's work at the first call as a call from the same place.
  if (pending == Pending::Call && !calledProgram)
    return {};
  jump_.from = address;
  jumps_.push_back(jump_);
  costs_.push_back({.address = address, .isConditional = pending == Pending::ConditionalJump});
  return {};
}

/// Adds what another object executed.
void CallgrindReader::countElsewhere(StringRef counts) {
  for (const std::string &event : events_) {
    const auto number = parseNumber(takeWord(counts));
    if (event == "Ir" && number)
      elsewhere_ = llvm::SaturatingAdd(elsewhere_, *number);
  }
}

/// Takes the counts of an instruction.
std::optional<ImportError> CallgrindReader::addCost(StringRef counts) {
  Cost cost = {.address = address_};
  size_t event = 0;
  for (StringRef word = takeWord(counts); !word.empty(); word = takeWord(counts), ++event) {
    const auto number = parseNumber(word);
    if (!number || event >= events_.size())
      return unexpected(word, event < events_.size() ? "a count" : "the end of the line");
    const StringRef name = events_[event];
    if (name == "Ir")
      cost.executed = *number;
    else if (name == "Bc")
      cost.isConditional = *number != 0;
    else if (name == "Bcm" || name == "Bim")
      cost.mispredictions = llvm::SaturatingAdd(cost.mispredictions, *number);
  }
  costs_.push_back(cost);
  return {};
}

/// Leaves one of each address, ascending.
void CallgrindReader::mergeCosts() {
  llvm::sort(costs_, [](const Cost &a, const Cost &b) { return a.address < b.address; });
  size_t last = 0;
  for (size_t i = 1; i < costs_.size(); ++i)
    if (Cost &into = costs_[last]; into.address != costs_[i].address)
      costs_[++last] = costs_[i];
    else {
      into.executed = llvm::SaturatingAdd(into.executed, costs_[i].executed);
      into.mispredictions = llvm::SaturatingAdd(into.mispredictions, costs_[i].mispredictions);
      into.isConditional |= costs_[i].isConditional;
    }
  costs_.resize(std::min(costs_.size(), last + 1));
}

/// Leaves one of each pair of addresses, ascending.
void CallgrindReader::mergeJumps() {
  llvm::sort(jumps_, [](const Jump &a, const Jump &b) { return std::tie(a.from, a.to) < std::tie(b.from, b.to); });
  size_t last = 0;
  for (size_t i = 1; i < jumps_.size(); ++i)
    if (Jump &into = jumps_[last]; into.from != jumps_[i].from || into.to != jumps_[i].to)
      jumps_[++last] = jumps_[i];
    else
      into.count = llvm::SaturatingAdd(into.count, jumps_[i].count);
  jumps_.resize(std::min(jumps_.size(), last + 1));
}

std::optional<ImportError> CallgrindReader::finish(BranchSink &sink) {
  mergeCosts();
  mergeJumps();
  if (jumps_.empty())
    return errorInFile("no jumps" + (program_.empty() ? "" : " of " + mca::quoted(program_)) +
                       ": was valgrind run with --tool=callgrind --dump-instr=yes --collect-jumps=yes?");
  llvm::ArrayRef<Jump> jumps = jumps_;
  for (size_t i = 0; i < costs_.size(); ++i) {
    const Cost &cost = costs_[i];
    if (cost.executed)
      sink.executed(cost.address, cost.executed);
    const auto ofBranch = jumps.take_while([&](const Jump &jump) { return jump.from == cost.address; });
    jumps = jumps.drop_front(ofBranch.size());
    const bool hasNext = i + 1 < costs_.size() && costs_[i + 1].address - cost.address < kLongestInstruction;
    countEdges(sink, ofBranch, cost, hasNext && cost.isConditional ? costs_[i + 1].address : 0);
  }
  sink.executedElsewhere(elsewhere_);
  return {};
}

void CallgrindReader::countEdges(BranchSink &sink, llvm::ArrayRef<Jump> jumps, const Cost &cost,
                                 uint64_t fallThrough) const {
  uint64_t notTaken = cost.executed, mispredictions = cost.mispredictions;
  const auto count = [&](uint64_t to, uint64_t times) {
    const uint64_t wrong = std::min(mispredictions, times);
    mispredictions -= wrong;
    notTaken -= std::min(notTaken, times);
    sink.edge(cost.address, to, times, llvm::is_contained(events_, "Bcm") ? std::optional(wrong) : std::nullopt);
  };
  for (const Jump &jump : jumps)
    count(jump.to, jump.count);
  if (fallThrough != 0 && notTaken != 0)
    count(fallThrough, notTaken);
}

} // namespace

std::unique_ptr<RecordingReader> createCallgrindReader() {
  return std::make_unique<CallgrindReader>();
}

} // namespace analysis
