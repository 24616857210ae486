#include "mca-core/measure/clock.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <thread>
#include <utility>

namespace mca::measure {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint32_t kChainRepetitions = 16;
constexpr uint32_t kChainLength = 1000, kChainRounds = 10;
constexpr int kCyclesOfMultiplication = 3;
constexpr double kChainTolerance = .02;
constexpr double kClockTolerance = .01;  ///< between the clock's readings before and after a chunk
constexpr double kCanaryTolerance = .03; ///< of a canary, relative to the best seen
constexpr size_t kLeastQuiet = 3;        ///< repetitions
constexpr size_t kFastestKept = 16;      ///< attempts
/// Attempts in which only the code was not quiet. Neighbours come and go, so that they are seldom there for the code
/// alone.
constexpr uint32_t kMostDisturbed = 6;
constexpr const char *kDisturbs =
    "it disturbs the clock that it is timed by: it empties caches, or slows the core down";
/// Between attempts. A neighbour's pauses last milliseconds, and who waits for longer misses most of them.
constexpr auto kShortestPause = std::chrono::milliseconds(1), kLongestPause = std::chrono::milliseconds(16);

/// mov $kChainRounds, %edx; the instructions; dec %edx; jnz back.
CodeToRun chain(std::initializer_list<uint8_t> instruction) {
  CodeToRun code{.repetitions = kChainRepetitions};
  code.code = {0xba, kChainRounds, 0, 0, 0};
  for (uint32_t i = 0; i < kChainLength; ++i)
    code.code.insert(code.code.end(), instruction);
  const auto back = -static_cast<int32_t>(kChainLength * instruction.size() + 8);
  code.code.insert(code.code.end(), {0xff, 0xca, 0x0f, 0x85});
  for (int byte = 0; byte < 4; ++byte)
    code.code.push_back(static_cast<uint8_t>(static_cast<uint32_t>(back) >> (8 * byte)));
  return code;
}

// imul $0x5bd1e995, %eax, %eax. A constant of few bits could become lea.
CodeToRun multiplications() {
  CodeToRun code = chain({0x69, 0xc0, 0x95, 0xe9, 0xd1, 0x5b});
  code.registers[0] = 12345;
  return code;
}

// xor %ecx, %eax
CodeToRun exclusiveOrs() {
  CodeToRun code = chain({0x31, 0xc8});
  code.registers[1] = 54321;
  return code;
}

using Times = std::vector<std::variant<QuietTime, CodeRefusal>>;

/// Puts what is known of the codes into `results`, by their indices. Returns the indices of the others.
std::vector<size_t> takeKnown(const std::vector<size_t> &codes, const std::vector<GatedResult> &attempted,
                              Times &results) {
  std::vector<size_t> others;
  for (const auto &[code, judged] : llvm::zip_equal(codes, attempted))
    if (const auto *time = std::get_if<QuietTime>(&judged))
      results[code] = *time;
    else if (const auto *refusal = std::get_if<CodeRefusal>(&judged))
      results[code] = *refusal;
    else
      others.push_back(code);
  return others;
}

} // namespace

/// Ticks per cycle.
std::optional<double> Gate::readClock(const CodeResult &clock) const {
  const auto *times = std::get_if<CodeTimes>(&clock);
  if (!times || !times->least())
    return std::nullopt;
  return times->center() / (double{kChainLength} * kChainRounds * kCyclesOfMultiplication);
}

/// The best canary is the fastest one that another attempt confirms: a faster one alone is an error of the clock, and
/// nothing would be quiet beside it.
void Gate::learn(std::span<const CodeResult> results, double ticksPerCycle) {
  std::vector<uint64_t> canaries;
  for (const CodeResult &result : results)
    if (const auto *times = std::get_if<CodeTimes>(&result))
      llvm::append_range(canaries, times->canaries);
  if (canaries.size() < kLeastQuiet)
    return;
  std::ranges::nth_element(canaries, canaries.begin() + kLeastQuiet - 1);
  const double cycles = static_cast<double>(canaries[kLeastQuiet - 1]) / ticksPerCycle;
  fastest_.insert(std::ranges::upper_bound(fastest_, cycles), cycles);
  fastest_.resize(std::min(fastest_.size(), kFastestKept));
  const auto confirmed = std::ranges::adjacent_find(
      fastest_, [](double one, double next) { return next <= one * (1 + kCanaryTolerance / 2); });
  if (confirmed == fastest_.end())
    return;
  revision_ += leastCanary_ == 0 || std::abs(*confirmed / leastCanary_ - 1) > kCanaryTolerance / 2;
  leastCanary_ = *confirmed;
}

Result<Gate> Gate::create(CodeRunner &runner, std::chrono::milliseconds learning, std::chrono::milliseconds timeout) {
  Gate gate(runner);
  const CodeToRun codes[] = {multiplications(), exclusiveOrs()};
  const auto begin = Clock::now();
  bool isClockKnown = false;
  while (Clock::now() < begin + (isClockKnown && gate.isKnown() ? learning : std::max(learning, timeout))) {
    const std::vector<CodeResult> results = runner.run(codes);
    const auto ticksPerCycle = gate.readClock(results[0]);
    const auto *others = std::get_if<CodeTimes>(&results[1]);
    if (!ticksPerCycle || !others)
      return Failure{"the clock cannot be read"};
    const double cycles = others->center() / *ticksPerCycle;
    if (std::abs(cycles / (double{kChainLength} * kChainRounds) - 1) > kChainTolerance)
      continue;
    isClockKnown = true;
    gate.learn(results, *ticksPerCycle);
  }
  if (!isClockKnown || !gate.isKnown())
    return Failure{"the clock disagrees with itself: either the machine is too busy, or this CPU's multiplication does "
                   "not take 3 cycles"};
  return gate;
}

GatedResult Gate::judge(const CodeResult &result, double ticksPerCycle) {
  if (const auto *refusal = std::get_if<CodeRefusal>(&result))
    return *refusal;
  const auto &times = std::get<CodeTimes>(result);
  const double most = leastCanary_ * ticksPerCycle * (1 + kCanaryTolerance) + static_cast<double>(times.granularity);
  CodeTimes quiet{.ticks = {}, .canaries = {}, .granularity = times.granularity};
  for (const auto [ticks, canary] : llvm::zip_equal(times.ticks, times.canaries))
    if (static_cast<double>(canary) <= most)
      quiet.ticks.push_back(ticks);
  accepted_ += quiet.ticks.size();
  rejected_ += times.ticks.size() - quiet.ticks.size();
  if (quiet.ticks.size() < std::min(kLeastQuiet, times.ticks.size()))
    return NotQuiet();
  return QuietTime{.cycles = quiet.center() / ticksPerCycle, .repetitions = static_cast<uint32_t>(quiet.ticks.size())};
}

std::vector<GatedResult> Gate::attempt(std::span<const CodeToRun> codes) {
  std::vector<CodeToRun> all{multiplications()};
  llvm::append_range(all, codes);
  all.push_back(all.front());
  const std::vector<CodeResult> results = runner_->run(all);
  std::vector<GatedResult> judged(codes.size(), NotQuiet());
  const auto before = readClock(results.front()), after = readClock(results.back());
  if (!before || !after || std::abs(*after / *before - 1) > kClockTolerance)
    return judged;
  const double ticksPerCycle = (*before + *after) / 2;
  learn(results, ticksPerCycle);
  for (size_t i = 0; i < codes.size(); ++i)
    judged[i] = judge(results[i + 1], ticksPerCycle);
  return judged;
}

/// Whether the machine is quiet for the clock's own codes.
bool Gate::isQuietAlone() {
  const CodeToRun clock = multiplications();
  const std::vector<GatedResult> judged = attempt({&clock, 1});
  return std::holds_alternative<QuietTime>(judged.front());
}

Result<std::vector<std::variant<QuietTime, CodeRefusal>>> Gate::run(std::span<const CodeToRun> codes,
                                                                    std::chrono::milliseconds timeout) {
  Times results(codes.size());
  std::vector<size_t> open(codes.size());
  std::iota(open.begin(), open.end(), size_t{0});
  const auto end = Clock::now() + timeout;
  uint32_t revision = revision_, disturbed = 0;
  for (std::chrono::milliseconds pause = kShortestPause;; pause = std::min(pause * 2, {kLongestPause})) {
    std::vector<CodeToRun> missing;
    for (const size_t code : open)
      missing.push_back(codes[code]);
    const std::vector<GatedResult> attempted = attempt(missing);
    if (std::exchange(revision, revision_) != revision_) {
      open.resize(codes.size());
      std::iota(open.begin(), open.end(), size_t{0});
      disturbed = 0;
      continue;
    }
    std::vector<size_t> still = takeKnown(open, attempted, results);
    const bool isProgress = still.size() < open.size();
    open = std::move(still);
    if (!isProgress && isQuietAlone() && ++disturbed >= kMostDisturbed) {
      for (const size_t code : open)
        results[code] = CodeRefusal{CodeRefusal::Kind::Disturbing, kDisturbs};
      open.clear();
    }
    if (open.empty())
      return results;
    if (Clock::now() + pause > end)
      return Failure{kBusyAdvice};
    std::this_thread::sleep_for(pause);
  }
}

} // namespace mca::measure
