#include "tests/differential/engine/generator.h"

#include <algorithm>

namespace differential {
namespace {

/// Keeps LLVM's pipeline below some hundredths of a second a body.
constexpr uint32_t kMaxDynamicInstructions = 8000;

uint32_t randomLength(Random &random) {
  static constexpr uint32_t kLimits[] = {6, 6, 6, 6, 20, 20, 20, 40, 40, 80};
  return 1 + random.below(random.pick(kLimits));
}

uint32_t randomIterations(Random &random, size_t length) {
  static constexpr uint32_t kLimits[] = {3, 12, 12, 30, 30, 100, 400};
  const uint32_t most = std::max<uint32_t>(2, kMaxDynamicInstructions / static_cast<uint32_t>(length));
  return std::min(1 + random.below(random.pick(kLimits)), most);
}

/// What the report shall hold.
void chooseParts(Random &random, mca::SimulationOptions &options) {
  options.timeline = random.oneIn(2);
  if (options.timeline && random.oneIn(2)) {
    options.timelineMaxIterations = 1 + random.below(40);
    options.timelineMaxCycles = random.below(3) * random.below(200);
  }
  options.bottlenecks = random.oneIn(2);
  options.pressure = !random.oneIn(8);
  options.dispatchStatistics = random.oneIn(3);
  options.schedulerStatistics = random.oneIn(3);
  options.retireStatistics = random.oneIn(3);
  options.registerFileStatistics = random.oneIn(3);
  options.encodings = random.oneIn(12);
  options.schedulingDetails = random.oneIn(12);
  options.hexImmediates = random.oneIn(20);
  options.instructionTables = random.oneIn(40);
}

/// The machine. Sizes are small ones, at which limits show.
void chooseMachine(Random &random, mca::SimulationOptions &options) {
  const auto sometimes = [&](uint32_t &option, uint32_t times, uint32_t below) {
    if (random.oneIn(times))
      option = 1 + random.below(below);
  };
  sometimes(options.dispatchWidth, 5, 12);
  sometimes(options.registerFileSize, 6, 90);
  sometimes(options.loadQueueSize, 6, 20);
  sometimes(options.storeQueueSize, 6, 20);
  sometimes(options.microOpQueueSize, 8, 30);
  sometimes(options.decoderThroughput, options.microOpQueueSize ? 2 : 30, 8);
  sometimes(options.callLatency, 10, 150);
  options.noAlias = !random.oneIn(4);
  options.customBehaviour = !random.oneIn(10);
}

} // namespace

const std::string &CaseGenerator::anyLine(Random &random, uint32_t oddOfTen) const {
  const bool odd = pool_.lines.empty() || (!pool_.odd.empty() && random.below(10) < oddOfTen);
  return random.pick(odd ? pool_.odd : pool_.lines);
}

std::vector<std::string> CaseGenerator::makeLines(Random &random) const {
  static constexpr uint32_t kOddOfTen[] = {0, 1, 5, 9, 10};
  const uint32_t oddOfTen = random.pick(kOddOfTen);
  std::vector<std::string> lines(randomLength(random));
  if (random.oneIn(3)) { // few different instructions, many times
    std::vector<std::string> few(1 + random.below(4));
    for (std::string &line : few)
      line = anyLine(random, oddOfTen);
    for (std::string &line : lines)
      line = random.pick(few);
  } else {
    for (std::string &line : lines)
      line = anyLine(random, oddOfTen);
  }
  if (!pool_.unmodelled.empty() && random.oneIn(40))
    lines[random.below(static_cast<uint32_t>(lines.size()))] = random.pick(pool_.unmodelled);
  return lines;
}

EngineCase CaseGenerator::make(uint64_t seed) const {
  Random random(seed);
  EngineCase engineCase{.triple = cpu_.triple, .cpu = cpu_.name};
  engineCase.lines = makeLines(random);
  engineCase.options.iterations = randomIterations(random, engineCase.lines.size());
  if (!random.oneIn(5))
    chooseParts(random, engineCase.options);
  if (random.oneIn(2))
    chooseMachine(random, engineCase.options);
  return engineCase;
}

} // namespace differential
