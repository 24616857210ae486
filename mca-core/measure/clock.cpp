#include "mca-core/measure/clock.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

namespace mca::measure {
namespace {

constexpr uint32_t kRepetitions = 48;
constexpr int kChainLength = 3000;
constexpr int kCyclesOfMultiplication = 3;
constexpr int kFirstReadings = 20;
constexpr double kChainTolerance = .02;
constexpr double kClockTolerance = .01; ///< between the clock's readings before and after a chunk

CodeToRun repeated(std::initializer_list<uint8_t> instructions, int count) {
  CodeToRun code{.repetitions = kRepetitions};
  for (int i = 0; i < count; ++i)
    code.code.insert(code.code.end(), instructions);
  return code;
}

// imul $0x5bd1e995, %eax, %eax. A constant of few bits could become lea.
CodeToRun multiplications() {
  CodeToRun code = repeated({0x69, 0xc0, 0x95, 0xe9, 0xd1, 0x5b}, kChainLength);
  code.registers[0] = 12345;
  return code;
}

// xor %ecx, %eax
CodeToRun exclusiveOrs() {
  CodeToRun code = repeated({0x31, 0xc8}, kChainLength);
  code.registers[1] = 54321;
  return code;
}

// Of one byte and of four: what is short of slots and what is short of bytes.
CodeToRun nops() {
  return repeated({0x90, 0x90, 0x90, 0x90, 0x0f, 0x1f, 0x40, 0x00}, 2000);
}

// mov (%rsi), %rax … mov 0x180(%rsi), %r8: other lines, other registers.
CodeToRun loads(uint64_t memory) {
  CodeToRun code = repeated({0x48, 0x8b, 0x06, 0x48, 0x8b, 0x4e, 0x40, 0x48, 0x8b, 0x96, 0x88,
                             0x00, 0x00, 0x00, 0x4c, 0x8b, 0x86, 0xd0, 0x00, 0x00, 0x00},
                            1500);
  code.registers[6] = memory;
  return code;
}

} // namespace

Gate::Gate(CodeRunner &runner)
    : runner_(&runner), canaries_{multiplications(), nops(), loads(runner.memory().begin)},
      best_{
          .ticksPerCycle = 0, .nops = std::numeric_limits<double>::max(), .loads = std::numeric_limits<double>::max()} {
}

/// `results`: those of canaries_.
std::optional<Gate::Canaries> Gate::read(std::span<const CodeResult> results) const {
  double ticks[3];
  for (size_t i = 0; i < std::size(ticks); ++i) {
    const auto *times = std::get_if<CodeTimes>(&results[i]);
    if (!times || !times->least())
      return std::nullopt;
    ticks[i] = times->center();
  }
  const double ticksPerCycle = ticks[0] / (kChainLength * kCyclesOfMultiplication);
  return Canaries{ticksPerCycle, ticks[1] / ticksPerCycle, ticks[2] / ticksPerCycle};
}

bool Gate::isQuiet(const Canaries &canaries) const {
  return canaries.nops <= best_.nops * (1 + kTolerance) && canaries.loads <= best_.loads * (1 + kTolerance);
}

Result<Gate> Gate::create(CodeRunner &runner) {
  Gate gate(runner);
  std::vector<CodeToRun> codes = gate.canaries_;
  codes.push_back(exclusiveOrs());
  double ratio = 0; // the one closest to what is expected: noise slows either chain
  for (int i = 0; i < kFirstReadings; ++i) {
    const std::vector<CodeResult> results = runner.run(codes);
    const auto canaries = gate.read(results);
    const auto *others = std::get_if<CodeTimes>(&results.back());
    if (!canaries || !others)
      return Failure{"the clock cannot be read"};
    const double next = kChainLength * canaries->ticksPerCycle / std::max(others->center(), 1.);
    if (std::abs(next - 1) < std::abs(ratio - 1))
      ratio = next;
    if (std::abs(next - 1) > kChainTolerance)
      continue;
    gate.best_.nops = std::min(gate.best_.nops, canaries->nops);
    gate.best_.loads = std::min(gate.best_.loads, canaries->loads);
  }
  if (std::abs(ratio - 1) > kChainTolerance)
    return Failure{"the clock disagrees with itself: either the machine is too busy, or this CPU's multiplication does "
                   "not take 3 cycles"};
  return gate;
}

std::optional<GatedChunk> Gate::attempt(std::span<const CodeToRun> codes) {
  std::vector<CodeToRun> all = canaries_;
  llvm::append_range(all, codes);
  llvm::append_range(all, canaries_);
  std::vector<CodeResult> results = runner_->run(all);
  const size_t count = canaries_.size();
  const auto before = read(std::span(results).first(count)), after = read(std::span(results).last(count));
  ++rejected_;
  if (!before || !after)
    return std::nullopt;
  // A clock that ran differently says nothing about the canaries, either.
  const double drift = after->ticksPerCycle / before->ticksPerCycle - 1;
  if (std::abs(drift) > kClockTolerance)
    return std::nullopt;
  const bool isAccepted = isQuiet(*before) && isQuiet(*after);
  for (const Canaries *one : {&*before, &*after}) {
    best_.nops = std::min(best_.nops, one->nops);
    best_.loads = std::min(best_.loads, one->loads);
  }
  if (!isAccepted)
    return std::nullopt;
  --rejected_;
  ++accepted_;
  results.erase(results.end() - count, results.end());
  results.erase(results.begin(), results.begin() + count);
  return GatedChunk{.results = std::move(results),
                    .ticksPerCycle = (before->ticksPerCycle + after->ticksPerCycle) / 2,
                    .nopCycles = std::max(before->nops, after->nops),
                    .loadCycles = std::max(before->loads, after->loads)};
}

Result<GatedChunk> Gate::run(std::span<const CodeToRun> codes, std::chrono::milliseconds patience,
                             const std::stop_token &stop) {
  const auto end = std::chrono::steady_clock::now() + patience;
  for (auto pause = std::chrono::milliseconds(10);; pause = std::min(pause * 2, std::chrono::milliseconds(500))) {
    if (auto chunk = attempt(codes))
      return std::move(*chunk);
    if (stop.stop_requested())
      return Failure{"stopped"};
    if (std::chrono::steady_clock::now() + pause > end)
      return Failure{
          "the machine is too busy to measure: stop other programs, and run the command on a core of its own "
          "(taskset -c 1)"};
    std::this_thread::sleep_for(pause);
  }
}

} // namespace mca::measure
