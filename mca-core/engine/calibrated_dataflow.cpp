// The dependencies are followed by the pipeline itself, without its limits: each value then says which one it waited
// for, and the chain of the latest value repeats the slowest circle.
#include "mca-core/engine/calibrated_dataflow.h"

#include "mca-core/engine/calibrated_pipeline.h"

#include "llvm/ADT/DenseMap.h"

#include <algorithm>
#include <optional>
#include <span>

namespace mca {
namespace {

using Value = CalibratedPipeline::Value;

CalibratedBody withoutLimits(const CalibratedBody &body) {
  CalibratedBody free = body;
  free.limits = {.slots = kTicksPerUnit};
  for (CalibratedInstruction &code : free.instructions) {
    code.slots = 0;
    code.commitTicks = 0;
    code.loadUses.count = code.uses.count = code.storeUses.count = 0;
    code.loadPorts.count = code.ports.count = 0;
  }
  return free;
}

/// The link from the value that `after` waited for, with the cycles that this one took itself.
DataLink linkTo(const Value &after, std::span<const Value> values, uint64_t instructions) {
  const Value &value = values[after.waitedFor];
  const int64_t begin = value.waitedFor == kNone ? 0 : values[value.waitedFor].cycle;
  return {.from = static_cast<uint32_t>(value.instance % instructions),
          .to = static_cast<uint32_t>(after.instance % instructions),
          .iterations = static_cast<uint32_t>(after.instance / instructions - value.instance / instructions),
          .cycles = static_cast<uint32_t>(std::max<int64_t>(value.cycle - begin, 0)),
          .isMemory = after.reg == 0,
          .reg = after.reg,
          .name = {}};
}

/// Of the circles in the chain that leads to the latest value.
std::vector<DataLink> slowestCircle(std::span<const Value> values, uint64_t instructions) {
  std::vector<DataLink> slowest;
  if (values.empty())
    return slowest;
  std::vector<uint32_t> open; // values of different results, the latest first
  llvm::DenseMap<uint64_t, size_t> openAt;
  const auto resultOf = [&](uint32_t value) {
    return values[value].instance % instructions << 32 | values[value].destination;
  };
  const auto latest = std::ranges::max_element(values, {}, &Value::cycle);
  for (auto at = static_cast<uint32_t>(latest - values.begin()); at != kNone; at = values[at].waitedFor) {
    if (const auto first = openAt.find(resultOf(at)); first != openAt.end()) {
      const size_t begin = first->second;
      std::vector<DataLink> circle;
      for (; open.size() > begin; open.pop_back()) {
        circle.push_back(linkTo(values[open.back()], values, instructions));
        openAt.erase(resultOf(open.back()));
      }
      if (cyclesPerIterationOf(circle) > cyclesPerIterationOf(slowest))
        slowest = std::move(circle);
    }
    openAt[resultOf(at)] = open.size();
    open.push_back(at);
  }
  std::ranges::rotate(slowest, std::ranges::min_element(slowest, {}, &DataLink::from));
  return slowest;
}

/// Renames the body until an iteration begins with as many slots of its cycle taken as an earlier one. Slots are taken
/// as by CalibratedPipeline.
DispatchLimit renameUntilItRepeats(const CalibratedBody &body) {
  struct Begin {
    uint64_t cycle = 0, iteration = 0;
  };
  const uint32_t perCycle = body.limits.slots;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, Begin> begins; // by ticks of taken slots, and instructions taken apart
  uint32_t taken = 0, unlaminated = 0;
  for (Begin now;; ++now.iteration) {
    const auto [begin, isNew] = begins.try_emplace({taken, unlaminated}, now);
    if (!isNew)
      return {.cycles = now.cycle - begin->second.cycle, .iterations = now.iteration - begin->second.iteration};
    for (const CalibratedInstruction &code : body.instructions) {
      if (body.limits.holdsBack(code, taken, unlaminated)) {
        ++now.cycle;
        taken = unlaminated = 0;
      }
      unlaminated += code.isUnlaminated;
      taken += code.slots;
      for (; taken > perCycle; taken -= perCycle, unlaminated = 0)
        ++now.cycle;
    }
  }
}

} // namespace

DataflowLimit findDataflowLimit(const CalibratedBody &body) {
  constexpr uint32_t kIterations = 48; // as without a calibration
  const CalibratedBody free = withoutLimits(body);
  std::vector<Value> values;
  CalibratedPipeline pipeline;
  pipeline.reset(free, /*keepsWaits=*/false, &values);
  for (uint32_t iteration = 0; iteration < kIterations; ++iteration) {
    for (uint32_t position = 0; position < free.instructions.size(); ++position)
      pipeline.step(position, /*isTaken=*/false);
    pipeline.endIteration(/*isTaken=*/false);
  }
  DataflowLimit limit;
  limit.chain = slowestCircle(values, free.instructions.size());
  limit.cyclesPerIteration = cyclesPerIterationOf(limit.chain);
  return limit;
}

std::vector<DataLink> findDataLinks(const CalibratedBody &body) {
  struct Writer {
    uint32_t instruction = kNone, iteration = 0;
    int32_t cycles = 0;
  };
  constexpr uint32_t kIterations = 3; // a value may be forwarded once around the loop
  std::vector<Writer> writers(body.cellCount);
  std::vector<DataLink> links;
  for (uint32_t iteration = 0; iteration < kIterations; ++iteration)
    for (uint32_t i = 0; i < body.instructions.size(); ++i) {
      const CalibratedInstruction &code = body.instructions[i];
      const bool isForwarded =
          code.treatment != RenameTreatment::None && code.treatment != RenameTreatment::BreaksDependency;
      Writer forwarded;
      for (const Range range : {code.addressSources, code.sources})
        for (const CalibratedSource &source : CalibratedBody::slice(body.sources, range)) {
          const Writer &writer = writers[source.cell];
          if (writer.instruction == kNone || code.treatment == RenameTreatment::Zero)
            continue;
          if (isForwarded)
            forwarded = writer;
          else if (iteration + 1 == kIterations)
            links.push_back({.from = writer.instruction,
                             .to = i,
                             .iterations = iteration - writer.iteration,
                             .cycles = static_cast<uint32_t>(std::max(writer.cycles, 0)),
                             .reg = source.reg,
                             .name = {}});
        }
      for (const CalibratedDestination &destination : CalibratedBody::slice(body.destinations, code.destinations))
        for (const Cell cell : CalibratedBody::slice(body.cells, destination.cells))
          writers[cell] = isForwarded ? forwarded : Writer{i, iteration, body.latencies[destination.latencies]};
    }
  return links;
}

DispatchLimit findSlotLimit(const CalibratedBody &body) {
  if (std::ranges::any_of(body.instructions, &CalibratedInstruction::isUnlaminated))
    return renameUntilItRepeats(body);
  uint64_t slots = 0;
  for (const CalibratedInstruction &code : body.instructions)
    slots += code.slots;
  return {.cycles = slots, .iterations = body.limits.slots};
}

} // namespace mca
