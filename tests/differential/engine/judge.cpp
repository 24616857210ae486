#include "tests/differential/engine/judge.h"

#include "tests/differential/engine/instruction_maker.h"
#include "tests/differential/reference/bottleneck_observer.h"
#include "tests/differential/reference/difference.h"
#include "tests/differential/reference/simulation.h"

#include "llvm/MCA/Instruction.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace differential {
namespace {

using mca::Result;
using mca::Simulation;
using mca::SimulationOptions;
using mca::reference::DependencyEdge;
using mca::reference::firstDifference;
using mca::reference::LlvmSimulation;

constexpr unsigned kHeapsToTry = 24;

/// Holes of many sizes in the heap, and many that an instruction of LLVM's fits into, given back in no order: what is
/// allocated next lies in another order.
class HeapNoise {
public:
  explicit HeapNoise(uint64_t seed) {
    Random random(seed);
    for (unsigned i = 0; i < 600; ++i)
      blocks_.push_back(std::make_unique<char[]>(16 + random.below(random.oneIn(2) ? 300 : 3000)));
    for (auto &block : blocks_)
      if (random.oneIn(2))
        block.reset();
    // Every second one stays, so that no two holes become one.
    std::vector<std::unique_ptr<char[]>> holes;
    for (unsigned i = 0; i < 300; ++i) {
      holes.push_back(std::make_unique<char[]>(sizeof(llvm::mca::Instruction)));
      blocks_.push_back(std::make_unique<char[]>(sizeof(llvm::mca::Instruction)));
    }
    while (!holes.empty()) {
      std::swap(holes[random.below(static_cast<uint32_t>(holes.size()))], holes.back());
      holes.pop_back();
    }
  }

private:
  std::vector<std::unique_ptr<char[]>> blocks_;
};

Result<Simulation> withoutSequence(Result<Simulation> result) {
  if (result && result->report.bottlenecks)
    result->report.bottlenecks->criticalSequence.clear();
  return result;
}

std::vector<DependencyEdge> dependenciesOf(const LlvmSimulation &lowered, uint32_t iterations) {
  mca::Report report;
  std::vector<DependencyEdge> dependencies;
  lowered.run(report, iterations, &dependencies);
  return dependencies;
}

/// Whether LLVM differs from itself when the heap is another one: if not in the sequence, then in what it is chosen
/// from.
bool llvmVaries(const LlvmSimulation &lowered, uint32_t iterations) {
  const std::vector<DependencyEdge> usual = dependenciesOf(lowered, iterations);
  for (unsigned i = 0; i < kHeapsToTry; ++i) {
    const HeapNoise noise(i);
    if (dependenciesOf(lowered, iterations) != usual)
      return true;
  }
  return false;
}

Result<Simulation> simulate(mca::Simulator &simulator, const ParsedBody &body, SimulationOptions options,
                            bool steadyState, Stage &stage) {
  stage = steadyState ? Stage::SteadyState : Stage::EveryIteration;
  options.steadyState = steadyState;
  return simulator.simulate(*body.program, body.region, options);
}

/// The iterations of a body as a trace, in segments of many lengths.
class RepeatedBody final : public mca::InstructionStream {
public:
  RepeatedBody(size_t instructions, uint64_t iterations) : left_(instructions * iterations) {
    for (uint32_t i = 0; i < instructions + kLongest; ++i)
      positions_.push_back(i % static_cast<uint32_t>(instructions));
    count_ = instructions;
  }
  Segment next() override {
    length_ = length_ * 3 % kLongest; // a prime: all lengths but 0
    const size_t taken = std::min<uint64_t>(length_, left_);
    const std::span<const uint32_t> segment(positions_.data() + at_, taken);
    left_ -= taken;
    at_ = (at_ + taken) % count_;
    return {.instructions = segment};
  }

private:
  static constexpr size_t kLongest = 97;
  uint64_t left_;
  size_t at_ = 0, length_ = 1, count_ = 0;
  std::vector<uint32_t> positions_;
};

/// The iterations of a body as a trace with many mispredictions. Segments are mostly short, so that the same ones come
/// again.
class MispredictedBody final : public mca::InstructionStream {
public:
  MispredictedBody(size_t instructions, uint64_t iterations)
      : count_(static_cast<uint32_t>(instructions)), left_(instructions * iterations) {}
  Segment next() override {
    segment_.clear();
    random_ = random_ * 6364136223846793005u + 1442695040888963407u; // Knuth's MMIX
    const uint64_t length = 1 + (random_ >> 33) % ((random_ >> 60) ? 6 : 120);
    for (; left_ && segment_.size() < length; --left_) {
      segment_.push_back(at_);
      at_ = at_ + 1 == count_ ? 0 : at_ + 1;
    }
    return {.instructions = segment_, .endsMispredicted = !segment_.empty() && (random_ >> 57) % 8 != 0};
  }

private:
  uint32_t count_, at_ = 0;
  uint64_t left_, random_ = 1;
  std::vector<uint32_t> segment_;
};

/// Known segments must not change anything.
std::string differenceOfKnownSegments(mca::Simulator &simulator, mca::PreparedRegion &prepared) {
  constexpr uint32_t kRedirectCycles = 9;
  std::vector<mca::TraceRun> runs;
  for (const bool steadyState : {false, true}) {
    prepared.options.steadyState = steadyState;
    MispredictedBody stream(prepared.body.instructions.size(), prepared.options.iterations);
    Result<mca::TraceRun> run = simulator.run(prepared, stream, kRedirectCycles);
    if (!run)
      return runs.empty() ? "" : "it fails with known segments";
    runs.push_back(std::move(*run));
  }
  return runs[0] == runs[1] ? "" : "known segments change the run";
}

/// In order, llvm-mca's micro-ops leave out instructions that it never retires.
std::string differenceAlongTrace(mca::Simulator &simulator, bool inOrder, const ParsedBody &body,
                                 const SimulationOptions &options, Result<Simulation> &expected) {
  if (options.instructionTables)
    return {};
  mca::PreparedRegion prepared;
  if (simulator.prepare(*body.program, body.region, options, prepared))
    return expected ? "it cannot be prepared" : "";
  RepeatedBody stream(prepared.body.instructions.size(), options.iterations);
  Result<mca::TraceRun> run = simulator.run(prepared, stream, /*redirectCycles=*/0);
  if (options.microOpQueueSize || prepared.hazards)
    return run ? "it should be refused" : "";
  if (!run || !expected)
    return bool(run) == bool(expected) ? "" : "one of them fails";
  const mca::Summary &summary = expected->report.summary;
  const auto compare = [](const char *what, uint64_t is, uint64_t should) {
    return is == should ? "" : std::string(what) + " " + std::to_string(is) + ", not " + std::to_string(should) + " ";
  };
  return compare("instructions", run->instructions, summary.instructions) +
         compare("cycles", run->cycles, summary.cycles) +
         (inOrder ? "" : compare("micro-ops", run->microOps, summary.microOps)) +
         differenceOfKnownSegments(simulator, prepared);
}

Verdict different(const char *who, const std::string &difference) {
  return {Verdict::Kind::Different, std::string(who) + ": " + difference};
}

} // namespace

Verdict judgeCase(mca::Simulator &simulator, const mca::Target &target, const ParsedBody &body,
                  const SimulationOptions &options, Stage &stage) {
  stage = Stage::Reference;
  const auto reference = mca::reference::simulateWithLlvm(target, *body.program, body.region, options);
  auto every = simulate(simulator, body, options, false, stage);
  const auto steady = simulate(simulator, body, options, true, stage);
  stage = Stage::Trace;
  if (const std::string difference = differenceAlongTrace(simulator, !target.isOutOfOrder(), body, options, every);
      !difference.empty())
    return different("along a trace, against without", difference);
  stage = Stage::Comparing;
  if (const std::string difference = firstDifference(steady, every); !difference.empty())
    return different("with steady state, against without", difference);
  const std::string difference = firstDifference(every, reference);
  if (difference.empty())
    return {};
  const std::string beyond = firstDifference(withoutSequence(every), withoutSequence(reference));
  if (!beyond.empty())
    return different("against LLVM", beyond);
  const auto lowered = LlvmSimulation::lower(target, *body.program, body.region, options);
  if (lowered && llvmVaries(*lowered, options.iterations))
    return {.kind = Verdict::Kind::Tie};
  return different("against LLVM", difference);
}

Verdict judgeSteadyState(mca::Simulator &simulator, const ParsedBody &body, const SimulationOptions &options,
                         Stage &stage) {
  const auto every = simulate(simulator, body, options, false, stage);
  const auto steady = simulate(simulator, body, options, true, stage);
  stage = Stage::Comparing;
  const std::string difference = firstDifference(steady, every);
  return difference.empty() ? Verdict{} : different("with steady state, against without", difference);
}

} // namespace differential
