#include "mca-core/measure/same/same_results.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cstring>

namespace mca::measure {
namespace {

using Kind = CodeRefusal::Kind;
using Clock = std::chrono::steady_clock;

/// 16 MiB and 24 MiB in total. Large arrays hold matrices of 200 rows.
constexpr SharedCells kSmallCells{.bytes = 32 << 10, .count = 511}, kLargeCells{.bytes = 512 << 10, .count = 47};
/// Of the processor's time, for a call. A large integer may be a count.
constexpr auto kCallLimit = std::chrono::milliseconds(250), kAnyIntegerLimit = std::chrono::milliseconds(20);
constexpr auto kMostTime = std::chrono::seconds(10); ///< with cells of one size, until no more inputs are run
constexpr uint32_t kCounts = InputCase::kMaxCount + 1;
constexpr uint32_t kCountStep = 77;   ///< has no divisor in common with kCounts, so that the counts are mixed
constexpr uint32_t kAnyIntegers = 32; ///< inputs of this kind
/// Loops with so many iterations run their vector bodies.
constexpr int64_t kLargeCount = 100;
constexpr size_t kHopeless = 50; ///< the first inputs, if all of them fault
constexpr uint32_t kLeastLarge = 5, kLeastRuns = 20;

/// What a call left.
struct Outcome {
  CallReturn returned;
  std::vector<uint8_t> cells;
};
using Ending = std::variant<Outcome, CodeRefusal>;

/// A difference in one input.
struct Found {
  bool isOnlyNaN = false;
  std::string what;
};

/// The first difference that is not only NaN; otherwise the first one.
class Finder {
public:
  void add(bool isOnlyNaN, std::string what) {
    if (!found_ || (found_->isOnlyNaN && !isOnlyNaN))
      found_ = {isOnlyNaN, std::move(what)};
  }
  bool isDone() const { return found_ && !found_->isOnlyNaN; }
  std::optional<Found> take() { return std::move(found_); }

  /// Compares elements. `nameOf` makes the place's name of an element's offset.
  template <typename NameOf>
  void compare(Element element, std::span<const uint8_t> one, std::span<const uint8_t> other, NameOf nameOf) {
    if (std::memcmp(one.data(), other.data(), one.size()) == 0)
      return;
    const unsigned bytes = bytesOf(element);
    for (size_t at = 0; at + bytes <= one.size() && !isDone(); at += bytes) {
      const uint8_t *const left = one.data() + at, *const right = other.data() + at;
      if (std::memcmp(left, right, bytes) != 0)
        add(isNaN(element, left) && isNaN(element, right),
            nameOf(at) + ": " + describeElement(element, left) + " and " + describeElement(element, right));
    }
  }

private:
  std::optional<Found> found_;
};

/// In an order in which the first ones say most: not all are run if they take long.
std::vector<InputCase> makePlan(const InputGenerator &generator, uint64_t seed) {
  std::vector<InputCase> plan;
  const auto add = [&](InputCase::Kind kind, uint32_t count) {
    plan.push_back({(seed << 20) + plan.size(), count, kind});
  };
  const auto addCounts = [&](InputCase::Kind kind) {
    for (uint32_t i = 0; i < kCounts; ++i)
      add(kind, i * kCountStep % kCounts);
  };
  addCounts(InputCase::Kind::Separate);
  if (generator.canOverlap())
    addCounts(InputCase::Kind::Overlapping);
  for (uint32_t i = 0; generator.hasIntegers() && i < kAnyIntegers; ++i)
    add(InputCase::Kind::AnyInteger, InputCase::kMaxCount);
  addCounts(InputCase::Kind::Separate);
  return plan;
}

/// Why there is no answer if a call ends so. No value: it is a fault that comes from the arguments.
std::optional<std::string> whyRefused(const LinkedText &text, const CodeRefusal &refusal) {
  if (const std::string *external = refusal.address ? text.externalAt(*refusal.address) : nullptr)
    return refusal.kind == Kind::Jump ? "it calls " + *external : "it uses " + *external + ", which it does not define";
  const auto isTrap = [&] { // ud2, which compilers write where the program must not get
    const uint32_t at = refusal.offset.value_or(~0u);
    return text.code.size() >= 2 && at <= text.code.size() - 2 && text.code[at] == 0x0f && text.code[at + 1] == 0x0b;
  };
  switch (refusal.kind) {
  case Kind::Access:
  case Kind::Protection:
  case Kind::Arithmetic:
  case Kind::Jump:
    return std::nullopt;
  case Kind::Illegal:
    return isTrap() ? std::nullopt : std::optional(refusal.reason);
  case Kind::Trap:
  case Kind::SystemCall:
  case Kind::TimeLimit:
  case Kind::Changed:
  case Kind::Disturbing:
  case Kind::Unsuitable:
    break;
  }
  return refusal.reason;
}

/// A reason about the second version.
std::string aboutOther(llvm::StringRef reason) {
  return (reason.consume_front("it ") ? "the other version " : "the other version: ") + reason.str();
}

/// Runs both versions with cells of one size.
class Comparison {
public:
  Comparison(CallRunner &runner, const LinkedText &one, const LinkedText &other, const Signature &signature,
             const SameOptions &options)
      : runner_(runner), one_(one), other_(other), signature_(signature),
        generator_(signature, one, !one.data.empty() || !other.data.empty(), options.anyOverlap),
        plan_(makePlan(generator_, options.seed)) {}

  /// Returns why there is no answer.
  std::optional<std::string> run() {
    const size_t perBatch = runner_.cellCount() / std::max<size_t>(generator_.cellsPerCall(), 1);
    const auto end = Clock::now() + kMostTime;
    for (uint32_t first = 0; first < plan_.size() && !isDecided() && Clock::now() < end;) {
      if (first >= kCounts && !isEnough())
        break;
      uint32_t next = first + 1;
      while (next < plan_.size() && next - first < perBatch && plan_[next].kind == plan_[first].kind)
        ++next;
      if (auto reason = runBatch(first, next))
        return reason;
      first = next;
    }
    return std::nullopt;
  }

  const SameReport &report() const { return report_; }
  /// Whether enough inputs were compared; otherwise most of them faulted.
  bool isEnough() const {
    return isDecided() || (report_.runs >= kLeastRuns && (!generator_.hasIntegers() || largeRuns_ >= kLeastLarge));
  }
  /// Whether none of the inputs with overlapping arrays was run, although there are some: they take too long.
  bool lacksOverlapping() const { return generator_.canOverlap() && !hasRunOverlapping_ && !isDecided(); }
  /// Of the first input that was discarded.
  const std::string &discardReason() const { return discardReason_; }

private:
  struct Prepared {
    uint32_t number = 0; ///< in the plan
    size_t firstCell = 0;
    RandomInput input;
  };

  bool isDecided() const { return report_.separate && !report_.separate->isOnlyNaN; }

  std::optional<std::string> runBatch(uint32_t begin, uint32_t end) {
    const size_t perCall = generator_.cellsPerCall();
    hasRunOverlapping_ |= plan_[begin].kind == InputCase::Kind::Overlapping;
    std::vector<Prepared> inputs;
    for (uint32_t number = begin; number < end; ++number)
      inputs.push_back(prepare(number, (number - begin) * perCall));
    const std::vector<uint8_t> before = copyCells(0, inputs.size() * perCall);

    std::vector<Prepared> accepted;
    std::vector<Outcome> outcomes;
    for (auto &&[input, ending] : llvm::zip(inputs, runAll(one_, inputs, before))) {
      if (Outcome *outcome = std::get_if<Outcome>(&ending)) {
        accepted.push_back(std::move(input));
        outcomes.push_back(std::move(*outcome));
      } else if (auto reason = discard(input, std::get<CodeRefusal>(ending))) {
        return reason;
      }
    }
    const std::vector<Ending> others = runAll(other_, accepted, before);
    for (size_t i = 0; i < others.size() && !isDecided(); ++i)
      if (auto reason = judge(accepted[i], outcomes[i], others[i]))
        return reason;
    return std::nullopt;
  }

  Prepared prepare(uint32_t number, size_t firstCell) {
    return {number, firstCell, generator_.write(plan_[number], runner_, firstCell)};
  }

  std::vector<uint8_t> copyCells(size_t first, size_t count) {
    std::vector<uint8_t> copy;
    copy.reserve(count * runner_.cell(0).size());
    for (size_t cell = first; cell < first + count; ++cell)
      llvm::append_range(copy, runner_.cell(cell));
    return copy;
  }

  void restore(const Prepared &input, const LinkedText &text, const std::vector<uint8_t> &before) {
    for (size_t cell = input.firstCell; cell < input.firstCell + generator_.cellsPerCall(); ++cell) {
      const std::span<uint8_t> memory = runner_.cell(cell);
      std::memcpy(memory.data(), before.data() + cell * memory.size(), memory.size());
    }
    placeVariables(input, text);
  }

  /// The variables of the input are at the places of the first version. What the linker filled in is each version's.
  void placeVariables(const Prepared &input, const LinkedText &text) {
    if (input.input.arguments.dataCell == CallArguments::kNoCell)
      return;
    const std::span<uint8_t> memory = runner_.cell(input.input.arguments.dataCell);
    const std::vector<uint8_t> ofFirst(memory.begin(), memory.end());
    std::ranges::copy(text.data, memory.begin());
    for (const auto &[first, own] : llvm::zip_equal(one_.variables, text.variables))
      if (!own.hasAddresses)
        std::memcpy(&memory[own.address - kDataAddress], &ofFirst[first.address - kDataAddress], own.size);
  }

  /// Stops at a refusal that is no fault of the arguments, and if nothing but faults comes.
  std::vector<Ending> runAll(const LinkedText &text, const std::vector<Prepared> &inputs,
                             const std::vector<uint8_t> &before) {
    std::vector<CallArguments> calls;
    for (const Prepared &input : inputs) {
      restore(input, text, before);
      calls.push_back(input.input.arguments);
    }
    std::vector<Ending> endings;
    size_t refused = 0;
    while (endings.size() < inputs.size()) {
      const auto rest = std::span(calls).subspan(endings.size());
      for (const CallResult &result : runner_.run(text, rest, limitOf(inputs.front())))
        endings.push_back(endingOf(inputs[endings.size()], result));
      const auto *refusal = std::get_if<CodeRefusal>(&endings.back());
      if (refusal && (whyRefused(text, *refusal) || (++refused == kHopeless && endings.size() == kHopeless)))
        break;
    }
    return endings;
  }

  std::chrono::milliseconds limitOf(const Prepared &input) const {
    return plan_[input.number].kind == InputCase::Kind::AnyInteger ? kAnyIntegerLimit : kCallLimit;
  }

  Ending endingOf(const Prepared &input, const CallResult &result) {
    if (const auto *refusal = std::get_if<CodeRefusal>(&result))
      return *refusal;
    return Outcome{std::get<CallReturn>(result), copyCells(input.firstCell, generator_.cellsPerCall())};
  }

  /// Returns why there is no answer.
  std::optional<std::string> discard(const Prepared &input, const CodeRefusal &refusal) {
    const bool isLarge = plan_[input.number].kind == InputCase::Kind::AnyInteger && refusal.kind == Kind::TimeLimit;
    if (auto reason = whyRefused(one_, refusal); reason && !isLarge)
      return reason;
    ++report_.discarded;
    if (discardReason_.empty())
      discardReason_ = refusal.reason;
    return std::nullopt;
  }

  /// Compares what both versions left of an input. Returns why there is no answer.
  std::optional<std::string> judge(const Prepared &input, const Outcome &one, const Ending &other) {
    if (const auto *refusal = std::get_if<CodeRefusal>(&other); refusal && refusal->kind != Kind::TimeLimit)
      if (auto reason = whyRefused(other_, *refusal))
        return aboutOther(*reason);
    auto changed = findChangedAddress(input, one_, one);
    if (const auto *outcome = std::get_if<Outcome>(&other); outcome && !changed)
      changed = findChangedAddress(input, other_, *outcome);
    if (changed)
      return "it changes the variable " + *changed + ", which holds an address";
    const bool isOverlapping = plan_[input.number].kind == InputCase::Kind::Overlapping;
    ++(isOverlapping ? report_.overlapping : report_.runs);
    if (plan_[input.number].kind == InputCase::Kind::Separate)
      largeRuns_ += input.input.count.value_or(0) >= kLargeCount;
    auto &strongest = isOverlapping ? report_.overlapped : report_.separate;
    const auto isStronger = [&](const std::optional<Found> &found) {
      return found && (!strongest || (strongest->isOnlyNaN && !found->isOnlyNaN));
    };
    if (!isStronger(compare(input, one, other_, other)))
      return std::nullopt;
    auto confirmed = confirm(input);
    if (!confirmed)
      return confirmed.message();
    if (isStronger(*confirmed))
      strongest = ResultDifference{.run = input.number,
                                   .count = input.input.count,
                                   .isOverlapping = isOverlapping,
                                   .isOnlyNaN = (*confirmed)->isOnlyNaN,
                                   .what = std::move((*confirmed)->what)};
    return std::nullopt;
  }

  /// Runs an input alone: the first version twice, which has to give the same, and the other one.
  Result<std::optional<Found>> confirm(const Prepared &input) {
    const auto runAlone = [&](const LinkedText &text) {
      const Prepared again = prepare(input.number, input.firstCell);
      placeVariables(again, text);
      return endingOf(again, runner_.run(text, {&again.input.arguments, 1}, limitOf(again)).front());
    };
    const Ending one = runAlone(one_), same = runAlone(one_);
    const auto *outcome = std::get_if<Outcome>(&one);
    if (!outcome)
      return std::optional<Found>();
    if (const auto found = compare(input, *outcome, one_, same))
      return Failure{"it has other results when it runs again with the same arguments: " + found->what};
    return compare(input, *outcome, other_, runAlone(other_));
  }

  /// Both versions' addresses differ, so what holds some cannot be compared. The variable's name.
  std::optional<std::string> findChangedAddress(const Prepared &input, const LinkedText &text,
                                                const Outcome &outcome) const {
    if (input.input.arguments.dataCell == CallArguments::kNoCell)
      return std::nullopt;
    const auto content = cellOf(input, outcome, input.input.arguments.dataCell);
    for (const LinkedVariable &variable : text.variables) {
      const size_t at = variable.address - kDataAddress;
      if (variable.hasAddresses && std::memcmp(&content[at], &text.data[at], variable.size) != 0)
        return variable.name;
    }
    return std::nullopt;
  }

  std::span<const uint8_t> cellOf(const Prepared &input, const Outcome &outcome, size_t cell) const {
    const size_t bytes = runner_.cell(cell).size();
    return std::span(outcome.cells).subspan((cell - input.firstCell) * bytes, bytes);
  }

  /// Compares what the first version left with what a run of `text` left.
  std::optional<Found> compare(const Prepared &input, const Outcome &one, const LinkedText &text,
                               const Ending &ending) const {
    Finder finder;
    if (const auto *refusal = std::get_if<CodeRefusal>(&ending)) {
      finder.add(false, "the other version fails: " + refusal->reason);
      return finder.take();
    }
    const Outcome &other = std::get<Outcome>(ending);
    if (signature_.returns)
      compareReturned(finder, one.returned, other.returned);
    for (const RandomInput::Array &array : input.input.arrays) {
      const Element element = signature_.arguments[array.argument].element;
      // The elements of the array begin before the pointer, and their number is relative to it.
      const auto before = static_cast<int64_t>(array.ownPointer - addressOf(array.cell));
      finder.compare(element, cellOf(input, one, array.cell), cellOf(input, other, array.cell), [&](size_t at) {
        return "argument " + std::to_string(array.argument + 1) + ", element " +
               std::to_string((static_cast<int64_t>(at) - before) / bytesOf(element));
      });
    }
    if (const size_t cell = input.input.arguments.dataCell; cell != CallArguments::kNoCell)
      compareVariables(finder, cellOf(input, one, cell), text, cellOf(input, other, cell));
    return finder.take();
  }

  void compareReturned(Finder &finder, const CallReturn &one, const CallReturn &other) const {
    const Element element = signature_.returns->isPointer ? Element::UInt64 : signature_.returns->element;
    const auto bytesOfResult = [&](const CallReturn &returned) {
      const uint64_t &word = isFloatingPoint(element) ? returned.vector : returned.integer;
      return std::span(reinterpret_cast<const uint8_t *>(&word), bytesOf(element)); // x86 is little-endian, as we are
    };
    finder.compare(element, bytesOfResult(one), bytesOfResult(other),
                   [](size_t) { return std::string("the returned value"); });
  }

  /// The versions may have them at different places.
  void compareVariables(Finder &finder, std::span<const uint8_t> one, const LinkedText &text,
                        std::span<const uint8_t> other) const {
    for (const auto &[left, right] : llvm::zip_equal(one_.variables, text.variables))
      if (!left.hasAddresses)
        finder.compare(Element::UInt8, one.subspan(left.address - kDataAddress, left.size),
                       other.subspan(right.address - kDataAddress, right.size),
                       [&](size_t at) { return "variable " + left.name + ", byte " + std::to_string(at); });
  }

  uint64_t addressOf(size_t cell) const { return reinterpret_cast<uint64_t>(runner_.cell(cell).data()); }

  CallRunner &runner_;
  const LinkedText &one_, &other_;
  const Signature &signature_;
  const InputGenerator generator_;
  const std::vector<InputCase> plan_;
  SameReport report_;
  bool hasRunOverlapping_ = false;
  uint32_t largeRuns_ = 0; ///< compared ones with a large count
  std::string discardReason_;
};

/// The variables have to be the same, since each version gets the same content.
std::optional<std::string> whyNotComparable(const LinkedText &one, const LinkedText &other) {
  const auto isSame = [](const LinkedVariable &left, const LinkedVariable &right) {
    return left.name == right.name && left.size == right.size && left.hasAddresses == right.hasAddresses;
  };
  if (llvm::equal(one.variables, other.variables, isSame))
    return std::nullopt;
  return "the two versions have different variables";
}

} // namespace

Result<SameReport> compareResults(const Result<LinkedText> &one, const Result<LinkedText> &other,
                                  const Signature &signature, const SameOptions &options) {
  if (!one)
    return Failure{one.message()};
  if (!other)
    return Failure{aboutOther(other.message())};
  if (auto reason = whyNotComparable(*one, *other))
    return Failure{std::move(*reason)};
  if (std::string reason = InputGenerator(signature, *one, false, options.anyOverlap).refusal(); !reason.empty())
    return Failure{std::move(reason)};
  std::string discardReason;
  for (const SharedCells &cells : {kSmallCells, kLargeCells}) {
    if ((*one).data.size() > cells.bytes || (*other).data.size() > cells.bytes)
      continue;
    auto runner = CallRunner::create(cells);
    if (!runner)
      return Failure{runner.message()};
    Comparison comparison(*runner, *one, *other, signature, options);
    if (auto reason = comparison.run())
      return Failure{std::move(*reason)};
    if (comparison.isEnough())
      return comparison.lacksOverlapping() ? Result<SameReport>(Failure{"it takes too long"}) : comparison.report();
    discardReason = comparison.discardReason();
  }
  return Failure{"it fails with most random arguments: " + discardReason};
}

} // namespace mca::measure
