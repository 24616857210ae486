#include "tests/differential/engine/judge.h"

#include "tests/differential/engine/instruction_maker.h"
#include "tests/differential/reference/difference.h"
#include "tests/differential/reference/simulation.h"

#include <memory>

namespace differential {
namespace {

using mca::Result;
using mca::Simulation;
using mca::SimulationOptions;
using mca::reference::firstDifference;

constexpr unsigned kHeapsToTry = 24;

/// Blocks of many sizes, some of them given back, so that what is allocated next lies in another order.
class HeapNoise {
public:
  explicit HeapNoise(uint64_t seed) {
    Random random(seed);
    for (unsigned i = 0; i < 600; ++i)
      blocks_.push_back(std::make_unique<char[]>(16 + random.below(random.oneIn(2) ? 300 : 3000)));
    for (auto &block : blocks_)
      if (random.oneIn(2))
        block.reset();
  }

private:
  std::vector<std::unique_ptr<char[]>> blocks_;
};

Result<Simulation> withoutSequence(Result<Simulation> result) {
  if (result && result->report.bottlenecks)
    result->report.bottlenecks->criticalSequence.clear();
  return result;
}

/// Whether LLVM differs from itself when the heap is another one.
bool llvmVaries(const mca::Target &target, const ParsedBody &body, const SimulationOptions &options,
                const Result<Simulation> &reference) {
  for (unsigned i = 0; i < kHeapsToTry; ++i) {
    const HeapNoise noise(i);
    const auto again = mca::reference::simulateWithLlvm(target, *body.program, body.region, options);
    if (!firstDifference(again, reference).empty())
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

Verdict different(const char *who, const std::string &difference) {
  return {Verdict::Kind::Different, std::string(who) + ": " + difference};
}

} // namespace

Verdict judgeCase(mca::Simulator &simulator, const mca::Target &target, const ParsedBody &body,
                  const SimulationOptions &options, Stage &stage) {
  stage = Stage::Reference;
  const auto reference = mca::reference::simulateWithLlvm(target, *body.program, body.region, options);
  const auto every = simulate(simulator, body, options, false, stage);
  const auto steady = simulate(simulator, body, options, true, stage);
  stage = Stage::Comparing;
  if (const std::string difference = firstDifference(steady, every); !difference.empty())
    return different("with steady state, against without", difference);
  const std::string difference = firstDifference(every, reference);
  if (difference.empty())
    return {};
  const std::string beyond = firstDifference(withoutSequence(every), withoutSequence(reference));
  if (!beyond.empty())
    return different("against LLVM", beyond);
  if (llvmVaries(target, body, options, reference))
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
