// A region runs first without the gate: it may need memory at addresses that only running shows, and other contents of
// memory. Then the gate times it.
#include "mca-core/measure/measure_region.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace mca::measure {
namespace {

using Kind = CodeRefusal::Kind;

/// As a double 1, as two floats 1 and 1.9: no denormal number, which would be slow.
constexpr uint64_t kNumberFill = 0x3ff0'0000'3f80'0000;
constexpr int kMaxTries = 80; ///< each maps a page
constexpr uint64_t kMostIterations = 1000;
/// Of Unrolled without a counter: what the caches of decoded instructions hold.
constexpr uint64_t kMostInstructions = 1200;
/// Of Unrolled with a counter: instructions of the shorter of its two bodies, how much longer the other one is, and the
/// turns of both.
constexpr uint64_t kShortBody = 80, kLonger = 3, kMostTurns = 40, kLeastTurns = 2;
constexpr uint32_t kTrialRepetitions = 2, kTimedRepetitions = 32;
/// What is longer than that cannot be timed, and all trials of a form.
constexpr auto kTrialLimit = CodeToRun::kTimeLimit * kTrialRepetitions / kTimedRepetitions;
constexpr auto kAllTrials = std::chrono::milliseconds(1000);
/// The two fastest of at least and at most so many rounds have to agree. Loops of about a cycle have several speeds.
constexpr size_t kLeastRounds = 5, kLeastLoopRounds = 10, kMostRounds = 20;
constexpr double kAgreement = .01;
constexpr double kResolution = .02; ///< cycles per iteration that do not count as a difference

/// One way to repeat a region, and its two lengths.
struct Plan {
  Repeating repeating = Repeating::Unrolled;
  CodeToRun codes[2];
  uint32_t copies[2] = {1, 1}; ///< of the region in the code
  uint64_t turns[2] = {};      ///< of a loop around them
  uint64_t lengths[2] = {};    ///< in iterations of the region
};

class Measurement {
public:
  Measurement(CodeRunner &runner, Gate &gate, const MeasureOptions &options, const RegionToMeasure &region,
              RegionCode code)
      : runner_(runner), gate_(gate), options_(options), code_(std::move(code)),
        setup_(*region.target, *region.program, region.instructions, region.settings, runner.memory()) {}

  Result<RegionResult> run(RegionForm form) {
    form_ = form;
    std::optional<RegionRefusal> refusal;
    if (form == RegionForm::Unrolled) {
      planUnrolled();
      refusal = prepare();
    } else {
      // A loop whose own branch ends it at once is closed by a counter instead.
      planLoop(Repeating::Own);
      if (!code_.hasOwnClosing() || prepare()) {
        planLoop(Repeating::Counted);
        refusal = prepare();
      }
    }
    if (refusal)
      return RegionResult(std::move(*refusal));
    return time();
  }

private:
  std::optional<RegionRefusal> prepare() {
    for (int i = 0; i < 2; ++i)
      if (auto refusal = makeCode(i))
        return refusal;
    if (auto refusal = tryOut())
      return refusal;
    if (plan_.repeating == Repeating::Own)
      return count();
    return std::nullopt;
  }

  void planLoop(Repeating repeating) {
    plan_ = {.repeating = repeating};
    plan_.lengths[1] = plan_.turns[1] = setup_.iterations(kMostIterations);
    plan_.lengths[0] = plan_.turns[0] = plan_.lengths[1] / 2;
  }

  /// Two bodies of several copies, in loops of as many turns, so that what closes them costs both the same. Without a
  /// register for a counter, or where pointers soon leave their memory, copies without a loop.
  void planUnrolled() {
    const uint64_t fewer = llvm::divideCeil(kShortBody, code_.size()), more = kLonger * fewer;
    const uint64_t turns = setup_.iterations(more * kMostTurns) / more;
    plan_ = {.repeating = Repeating::Counted};
    for (const auto &[i, copies] : llvm::enumerate(std::array{fewer, more})) {
      plan_.copies[i] = static_cast<uint32_t>(copies);
      plan_.turns[i] = turns;
      plan_.lengths[i] = copies * turns;
    }
    if (code_.counter() != kNone && turns >= kLeastTurns)
      return;
    plan_ = {.repeating = Repeating::Unrolled};
    plan_.lengths[1] = setup_.iterations(std::max<uint64_t>(kMostInstructions / code_.size(), 4));
    plan_.lengths[0] = plan_.lengths[1] / 2;
    for (int i = 0; i < 2; ++i)
      plan_.copies[i] = static_cast<uint32_t>(plan_.lengths[i]);
  }

  std::optional<RegionRefusal> makeCode(int i) {
    CodeToRun &code = plan_.codes[i];
    code = {.vectorBits = code_.vectorBits(),
            .repetitions = kTrialRepetitions,
            .memoryFill = code.memoryFill ? code.memoryFill : kNumberFill};
    std::ranges::fill(code.vectors, kNumberFill);
    setup_.apply(code);
    if (plan_.repeating == Repeating::Own && !setup_.applyFor(code, plan_.turns[i]))
      return RegionRefusal{"how its own branch ends it is not known"};
    if (plan_.repeating == Repeating::Counted && code_.counter() == kNone)
      return RegionRefusal{"it uses all registers: none is left to count its iterations"};
    if (!code_.emit(code, plan_.repeating, plan_.copies[i]))
      return RegionRefusal{"one of its branches has only a short form, which does not reach its target"};
    if (plan_.repeating == Repeating::Counted)
      code.registers[code_.counter()] = plan_.turns[i];
    if (code.code.size() > CodeToRun::kMaxBytes)
      return RegionRefusal{"it is too long"};
    return std::nullopt;
  }

  /// Runs both lengths until they end, with the memory that they turn out to need. The longer one waits for the shorter
  /// one, which says as much about code that does not end.
  std::optional<RegionRefusal> tryOut() {
    const auto end = std::chrono::steady_clock::now() + kAllTrials;
    for (int tries = 0; tries < kMaxTries; ++tries) {
      bool ends = true;
      for (uint32_t i = 0; i < 2 && ends; ++i) {
        const std::vector<CodeResult> results = runner_.run({&plan_.codes[i], 1}, kTrialLimit);
        const auto *refusal = std::get_if<CodeRefusal>(&results.front());
        if (refusal && !adapt(*refusal))
          return explain(*refusal, i);
        ends = !refusal;
      }
      if (ends)
        return std::nullopt;
      if (std::chrono::steady_clock::now() >= end)
        return RegionRefusal{"it does not end within the time limit", kNone, /*holdsForBothForms=*/true};
    }
    return RegionRefusal{"it touches too many pages of memory"};
  }

  /// Whether another try may succeed.
  bool adapt(const CodeRefusal &refusal) {
    const uint64_t pointer = runner_.memory().begin + runner_.memory().size / 2;
    if (refusal.kind == Kind::Protection && setup_.alignNumbers())
      return !makeCode(0) && !makeCode(1);
    // A loaded number that serves as an address.
    if (refusal.kind == Kind::Protection && plan_.codes[0].memoryFill != pointer && refusal.offset) {
      for (CodeToRun &code : plan_.codes)
        code.memoryFill = pointer;
      return true;
    }
    if (refusal.kind != Kind::Access || !refusal.address)
      return false;
    const uint64_t page = *refusal.address & ~uint64_t{0xfff};
    for (CodeToRun &code : plan_.codes) {
      if (llvm::is_contained(code.extraPages, page) || code.extraPages.size() == CodeToRun::kMaxExtraPages)
        return false;
      code.extraPages.push_back(page);
      // Known now not to be possible; the first reason is the better one.
      if (!CodeRunner::mayMap(page))
        return false;
    }
    return true;
  }

  RegionRefusal explain(const CodeRefusal &refusal, uint32_t number) const {
    RegionRefusal made{refusal.reason, kNone, refusal.kind == Kind::TimeLimit || refusal.kind == Kind::Disturbing};
    bool isExit = false;
    if (refusal.offset)
      made.instruction = code_.instructionAt(*refusal.offset, plan_.repeating, plan_.copies[number], false, isExit);
    if (isExit)
      made.reason = "a branch leaves it";
    return made;
  }

  /// Counts the iterations of a loop that its own branch ends.
  std::optional<RegionRefusal> count() {
    std::vector<CodeToRun> counted(std::begin(plan_.codes), std::end(plan_.codes));
    for (CodeToRun &code : counted)
      if (!code_.emit(code, Repeating::Own, 1, true))
        return RegionRefusal{"one of its branches has only a short form, which does not reach its target"};
    const std::vector<CodeResult> results = runner_.run(counted);
    for (int i = 0; i < 2; ++i) {
      const auto *times = std::get_if<CodeTimes>(&results[i]);
      if (!times)
        return RegionRefusal{"its iterations cannot be counted"};
      plan_.lengths[i] = times->note;
    }
    if (plan_.lengths[0] < 4 || plan_.lengths[1] < plan_.lengths[0] * 3 / 2)
      return RegionRefusal{"its own branch ends it too early"};
    return std::nullopt;
  }

  /// Of each length the fastest round counts, if another one agrees. Rounds differ where loads fall into one bank of
  /// the cache, which depends on the ways that their lines got, and in loops of about a cycle.
  Result<RegionResult> time() {
    for (CodeToRun &code : plan_.codes)
      code.repetitions = kTimedRepetitions;
    const auto steps = static_cast<double>(plan_.lengths[1] - plan_.lengths[0]);
    const size_t leastRounds = form_ == RegionForm::Loop ? kLeastLoopRounds : kLeastRounds;
    std::vector<double> rounds[2]; // cycles, sorted
    const auto agrees = [&](const std::vector<double> &cycles) {
      return cycles.size() >= leastRounds &&
             cycles[1] - cycles[0] <= std::max(kResolution * steps, cycles[0] * kAgreement);
    };
    uint32_t revision = gate_.revision();
    while (rounds[0].size() < kMostRounds && !(agrees(rounds[0]) && agrees(rounds[1]))) {
      const auto times = gate_.run(plan_.codes, options_.timeout);
      if (!times)
        return Failure{times.message()};
      const bool isNewGate = std::exchange(revision, gate_.revision()) != gate_.revision();
      for (uint32_t i = 0; i < 2; ++i) {
        if (const auto *refusal = std::get_if<CodeRefusal>(&(*times)[i]))
          return RegionResult(explain(*refusal, i));
        if (isNewGate)
          rounds[i].clear();
        rounds[i].push_back(std::get<QuietTime>((*times)[i]).cycles);
        std::ranges::sort(rounds[i]);
      }
    }
    const double cycles = (rounds[1].front() - rounds[0].front()) / steps;
    if (cycles <= 0)
      return RegionResult(RegionRefusal{"it takes less time than the clock can show"});
    const double spread = (rounds[1].back() - rounds[1].front()) / rounds[1].front();
    if (!agrees(rounds[0]) || !agrees(rounds[1]))
      return RegionResult(
          RegionRefusal{"it is unstable: its rounds differ by " + std::to_string(std::lround(spread * 100)) + " %"});
    return RegionResult(RegionCycles{.cycles = cycles,
                                     .spread = spread,
                                     .rounds = static_cast<uint32_t>(rounds[1].size()),
                                     .iterations = plan_.lengths[1],
                                     .hasOwnBranch = plan_.repeating == Repeating::Own,
                                     .extraPages = plan_.codes[0].extraPages.size(),
                                     .symbols = code_.symbolCount()});
  }

  CodeRunner &runner_;
  Gate &gate_;
  const MeasureOptions &options_;
  RegionCode code_;
  RegionSetup setup_;
  RegionForm form_ = RegionForm::Loop;
  Plan plan_;
};

} // namespace

Result<RegionResult> RegionMeasurer::measure(const RegionToMeasure &region, RegionForm form) {
  if (!region.target->triple().isX86_64())
    return RegionResult(RegionRefusal{"code of " + region.target->triple().getArchName().str() +
                                      " cannot be measured here: this is an x86-64 CPU"});
  const MeasureMemory memory = runner_.memory();
  auto code = RegionCode::assemble(*region.target, *region.program, *region.branches, region.instructions,
                                   {memory.begin + memory.size - RegionSetup::kSymbolBytes, RegionSetup::kSymbolBytes});
  if (auto *refusal = std::get_if<RegionRefusal>(&code))
    return RegionResult(std::move(*refusal));
  return Measurement(runner_, gate_, options_, region, std::move(std::get<RegionCode>(code))).run(form);
}

} // namespace mca::measure
