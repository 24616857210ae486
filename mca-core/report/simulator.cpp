// Chooses the machine and the recorder for a region, runs them and fills the report.
#include "mca-core/report/simulator.h"

#include "mca-core/engine/dependencies.h"
#include "mca-core/engine/in_order.h"
#include "mca-core/engine/out_of_order.h"
#include "mca-core/model/model_limits.h"
#include "mca-core/report/instruction_info.h"
#include "mca-core/report/instruction_tables.h"
#include "mca-core/report/recorders.h"
#include "mca-core/report/trace_recorder.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <optional>

namespace mca {
namespace {

Failure noModel(const Target &target) {
  return {"unable to find instruction-level scheduling information for target triple '" + target.triple().str() +
          "' and cpu '" + target.cpu() + "'"};
}

bool needsDetails(const SimulationOptions &options) {
  return options.bottlenecks || options.dispatchStatistics || options.schedulerStatistics || options.retireStatistics ||
         options.registerFileStatistics || options.waitReasons;
}

/// The number of instances after which a loop that has not repeated is measured instead, which takes a few
/// milliseconds. A whole number of iterations, and enough to exclude the run-up.
uint64_t rateSearchLimit(size_t instructions) {
  constexpr uint64_t kInstances = 1 << 18, kLeastIterations = 64;
  return instructions * std::max(kInstances / instructions, kLeastIterations);
}

Rate inLowestTerms(uint64_t cycles, uint64_t iterations) {
  const uint64_t divisor = std::max<uint64_t>(std::gcd(cycles, iterations), 1);
  return {cycles / divisor, iterations / divisor};
}

/// The scheduling model's machine, with the overrides from the options.
MachineOptions machineOptions(const Target &target, const SimulationOptions &options) {
  const llvm::MCSchedModel &model = target.subtarget().getSchedModel();
  MachineOptions machine{.dispatchWidth = model.IssueWidth,
                         .reorderBuffer = static_cast<uint32_t>(model.MicroOpBufferSize),
                         .assumeNoAlias = options.noAlias,
                         .steadyState = options.steadyState,
                         .analysesInOrder = options.inOrderBottlenecks};
  if (!target.isOutOfOrder())
    return machine;
  if (options.dispatchWidth)
    machine.dispatchWidth = options.dispatchWidth;
  machine.microOpQueue = options.microOpQueueSize;
  machine.decoders = options.decoderThroughput;
  if (model.hasExtraProcessorInfo()) {
    const llvm::MCExtraProcessorInfo &extra = model.getExtraProcessorInfo();
    const auto bufferOf = [&](unsigned id) {
      return id ? static_cast<uint32_t>(std::max(0, model.getProcResource(id)->BufferSize)) : 0;
    };
    if (extra.ReorderBufferSize)
      machine.reorderBuffer = extra.ReorderBufferSize;
    machine.maxRetired = extra.MaxRetirePerCycle;
    machine.loadQueue = bufferOf(extra.LoadQueueID);
    machine.storeQueue = bufferOf(extra.StoreQueueID);
  }
  if (options.loadQueueSize)
    machine.loadQueue = options.loadQueueSize;
  if (options.storeQueueSize)
    machine.storeQueue = options.storeQueueSize;
  return machine;
}

constexpr const char *kStuck =
    "the simulated processor is stuck: an instruction waits for something that never happens";

/// For the dataflow limit: no limit of eliminated moves per cycle.
void addDependenciesForDataflow(Body &body) {
  if (body.renamed.empty())
    addDependencies(body, /*dispatchWidth=*/1);
}

/// A recorder and its machines, created on first use.
template <typename Recorder>
struct Machines {
  Recorder recorder;
  std::optional<OutOfOrderMachine<Recorder>> outOfOrder;
  std::optional<InOrderMachine<Recorder>> inOrder;
};

} // namespace

struct Simulator::Parts {
  explicit Parts(const Target &simulated)
      : target(simulated), resources(simulated.subtarget().getSchedModel()), describer(simulated),
        builder(simulated, resources), beyondLimits(mca::beyondLimits(resources.model())) {}

  Lowering &loweringFor(const SimulationOptions &options);
  llvm::MCInstPrinter *printerFor(unsigned variant, bool hexImmediates);
  bool run(PreparedRegion &prepared);
  bool run(PreparedRegion &prepared, InstructionStream &stream, uint32_t redirectCycles);
  template <typename Recorder>
  bool run(Machines<Recorder> &machines, PreparedRegion &prepared);
  void startPlain(PlainRecorder &recorder, const PreparedRegion &prepared);
  void start(PlainRecorder &recorder, const std::vector<ResourceState::Slot> &, const PreparedRegion &prepared) {
    startPlain(recorder, prepared);
  }
  void start(FullRecorder &recorder, const std::vector<ResourceState::Slot> &slots, const PreparedRegion &prepared);
  void fill(PlainRecorder &recorder, PreparedRegion &prepared) const;
  void fill(FullRecorder &recorder, PreparedRegion &prepared);
  Rate rateOf(PreparedRegion &prepared);
  InstanceRate findSteadyRate(PreparedRegion &prepared);
  std::string nameOf(uint16_t reg, unsigned syntaxVariant);

  const Target &target;
  ResourceTable resources;
  InstructionDescriber describer;
  BodyBuilder builder;
  const std::optional<std::string> beyondLimits;
  std::optional<Lowering> lowering;
  unsigned callLatency = 0;
  bool customBehaviour = true;
  std::unique_ptr<llvm::MCInstPrinter> printer;
  unsigned printerVariant = 0;
  bool printerHex = false;
  PreparedRegion prepared;        ///< used by simulate()
  ResourceState *units = nullptr; ///< of the last machine that ran
  Machines<PlainRecorder> plain;
  Machines<FullRecorder> full;
  Machines<TraceRecorder> traced;
};

Lowering &Simulator::Parts::loweringFor(const SimulationOptions &options) {
  if (lowering && callLatency == options.callLatency && customBehaviour == options.customBehaviour)
    return *lowering;
  lowering.emplace(target, options.callLatency, options.customBehaviour);
  describer.reset();
  callLatency = options.callLatency;
  customBehaviour = options.customBehaviour;
  return *lowering;
}

llvm::MCInstPrinter *Simulator::Parts::printerFor(unsigned variant, bool hexImmediates) {
  if (!printer || printerVariant != variant)
    printer = target.createPrinter(variant);
  else if (printerHex == hexImmediates)
    return printer.get();
  describer.reset();
  printerVariant = variant;
  printerHex = hexImmediates;
  if (printer)
    printer->setPrintImmHex(hexImmediates);
  return printer.get();
}

void Simulator::Parts::startPlain(PlainRecorder &recorder, const PreparedRegion &prepared) {
  const SimulationOptions &options = prepared.options;
  recorder.summary.reset(prepared.body);
  // In order, a long dispatch is reported only once.
  const uint32_t width = machineOptions(target, options).dispatchWidth;
  const bool oneCycle = !target.isOutOfOrder() ||
                        std::ranges::all_of(prepared.body.instructions,
                                            [=](const BodyInstruction &code) { return code.microOps <= width; });
  recorder.timeline.reset(static_cast<uint32_t>(prepared.body.instructions.size()),
                          options.timeline ? std::min(options.iterations, options.timelineMaxIterations) : 0,
                          options.timelineMaxCycles, oneCycle);
  recorder.reset();
}

void Simulator::Parts::start(FullRecorder &recorder, const std::vector<ResourceState::Slot> &slots,
                             const PreparedRegion &prepared) {
  const SimulationOptions &options = prepared.options;
  const Body &body = prepared.body;
  recorder.reset(body);
  startPlain(recorder.plain, prepared);
  if (options.bottlenecks)
    recorder.bottlenecks.emplace(body, resources, slots, options.iterations);
  if (options.dispatchStatistics)
    recorder.dispatch.emplace();
  if (options.schedulerStatistics)
    recorder.schedulers.emplace(resources);
  if (options.retireStatistics)
    recorder.retirement.emplace(resources.model());
  if (options.registerFileStatistics)
    recorder.registerFiles.emplace(resources.model());
  if (options.waitReasons)
    recorder.waits.emplace(body, resources, slots, target.isOutOfOrder(), recorder.plain.watched());
  recorder.start();
}

template <typename Recorder>
bool Simulator::Parts::run(Machines<Recorder> &machines, PreparedRegion &prepared) {
  const SimulationOptions &options = prepared.options;
  Body &body = prepared.body;
  MachineOptions machine = machineOptions(target, options);
  machine.rateSearchLimit = options.rate ? rateSearchLimit(body.instructions.size()) : 0;
  if (target.isOutOfOrder()) {
    addDependencies(body, machine.dispatchWidth);
    if (!machines.outOfOrder)
      machines.outOfOrder.emplace(resources);
    units = &machines.outOfOrder->resources();
    const auto runOnce = [&] {
      start(machines.recorder, units->slots(), prepared);
      return machines.outOfOrder->run(body, machine, machines.recorder, options.iterations);
    };
    const bool finished = runOnce();
    machine.keepsOrder = machines.outOfOrder->orderMatters();
    return machine.keepsOrder ? runOnce() : finished;
  }
  if (!machines.inOrder)
    machines.inOrder.emplace(resources);
  units = &machines.inOrder->resources();
  start(machines.recorder, units->slots(), prepared);
  return machines.inOrder->run(body, machine, machines.recorder, options.iterations, prepared.hazards.get());
}

bool Simulator::Parts::run(PreparedRegion &prepared) {
  return needsDetails(prepared.options) ? run(full, prepared) : run(plain, prepared);
}

void Simulator::Parts::fill(PlainRecorder &recorder, PreparedRegion &prepared) const {
  const SimulationOptions &options = prepared.options;
  Report &report = prepared.simulation.report;
  report.summary =
      recorder.summary.finish(prepared.body, resources, options.iterations,
                              options.dispatchWidth ? options.dispatchWidth : resources.model().IssueWidth);
  if (options.pressure)
    report.pressure = measurePressure(prepared.body, resources, *units, options.iterations);
  if (options.timeline)
    report.timeline = recorder.timeline.finish();
}

void Simulator::Parts::fill(FullRecorder &recorder, PreparedRegion &prepared) {
  Report &report = prepared.simulation.report;
  fill(recorder.plain, prepared);
  llvm::MCInstPrinter &instPrinter = *printerFor(prepared.syntaxVariant, prepared.options.hexImmediates);
  if (recorder.bottlenecks)
    report.bottlenecks = recorder.bottlenecks->finish(instPrinter);
  if (recorder.dispatch)
    report.dispatch = recorder.dispatch->finish();
  if (recorder.schedulers)
    report.schedulers = recorder.schedulers->finish();
  if (recorder.retirement)
    report.retirement = recorder.retirement->finish();
  if (recorder.registerFiles)
    report.registerFiles = recorder.registerFiles->finish();
  if (recorder.waits)
    report.waits = recorder.waits->finish(instPrinter);
}

/// Returns the steady rate. Call it after the report has been filled, because it may need another run. That run always
/// uses the plain machine, so that the rate does not depend on the other requests.
Rate Simulator::Parts::rateOf(PreparedRegion &prepared) {
  const Summary &summary = prepared.simulation.report.summary;
  InstanceRate rate;
  if (!needsDetails(prepared.options))
    rate = target.isOutOfOrder() ? plain.outOfOrder->rate() : plain.inOrder->rate();
  if (!rate.instances)
    rate = findSteadyRate(prepared);
  if (!rate.instances) // it got stuck, or everything happens in one cycle
    return inLowestTerms(summary.cycles, summary.iterations);
  return inLowestTerms(rate.cycles * prepared.body.instructions.size(), rate.instances);
}

InstanceRate Simulator::Parts::findSteadyRate(PreparedRegion &prepared) {
  const Body &body = prepared.body;
  const auto instructions = static_cast<uint32_t>(body.instructions.size());
  MachineOptions machine = machineOptions(target, prepared.options);
  machine.rateSearchLimit = rateSearchLimit(instructions);
  PlainRecorder recorder;
  recorder.summary.reset(body);
  recorder.timeline.reset(instructions, /*iterations=*/0, /*maxCycles=*/0, /*oneCycle=*/true);
  recorder.reset();
  if (target.isOutOfOrder()) {
    if (!plain.outOfOrder)
      plain.outOfOrder.emplace(resources);
    return plain.outOfOrder->findSteadyRate(body, machine, recorder);
  }
  if (!plain.inOrder)
    plain.inOrder.emplace(resources);
  return plain.inOrder->findSteadyRate(body, machine, recorder, prepared.hazards.get());
}

std::string Simulator::Parts::nameOf(uint16_t reg, unsigned syntaxVariant) {
  std::string name;
  llvm::raw_string_ostream out(name);
  if (reg)
    printerFor(syntaxVariant, printerHex)->printRegName(out, reg);
  return name;
}

Simulator::Simulator(const Target &target) : parts_(std::make_unique<Parts>(target)) {}
Simulator::~Simulator() = default;

Result<Simulation> Simulator::simulate(const Program &program, std::span<const uint32_t> region,
                                       const SimulationOptions &options, OnSkipped onSkipped) {
  if (std::optional<Failure> failure = prepare(program, region, options, parts_->prepared, onSkipped))
    return std::move(*failure);
  return run(parts_->prepared);
}

std::optional<Failure> Simulator::prepare(const Program &program, std::span<const uint32_t> region,
                                          const SimulationOptions &options, PreparedRegion &prepared,
                                          OnSkipped onSkipped) {
  Parts &parts = *parts_;
  const Target &target = parts.target;
  if (!target.hasSchedulingModel())
    return noModel(target);
  if (parts.beyondLimits)
    return Failure{*parts.beyondLimits};
  bool stopped = false;
  LoweredRegion lowered = parts.loweringFor(options).lower(program, region, [&](const SkippedInstruction &skipped) {
    stopped = onSkipped && !onSkipped(skipped);
    return !stopped;
  });
  if (stopped || lowered.instructions.empty())
    return Failure{lowered.skipped.empty() ? "the region has no instructions" : lowered.skipped.front().message};

  prepared.options = options;
  prepared.syntaxVariant =
      options.syntaxVariant < 0 ? program.syntaxVariant() : static_cast<unsigned>(options.syntaxVariant);
  llvm::MCInstPrinter *printer = parts.printerFor(prepared.syntaxVariant, options.hexImmediates);
  if (!printer)
    return Failure{"the target has no assembly syntax variant " + std::to_string(prepared.syntaxVariant)};
  prepared.simulation = {};
  Report &report = prepared.simulation.report;
  report.instructions = parts.describer.describe(program, lowered, *printer,
                                                 {.encodings = options.encodings,
                                                  .schedulingDetails = options.schedulingDetails,
                                                  .misplacedInstruments = options.misplacedInstruments});
  if (options.schedulingDetails)
    report.resources = describeResources(parts.resources.model());
  parts.builder.build(lowered, options.registerFileSize, prepared.body);
  prepared.hazards.reset();
  if (options.customBehaviour && !target.isOutOfOrder() && hasCustomBehaviour(target))
    prepared.hazards = std::make_unique<CustomHazards>(target, lowered);
  prepared.simulation.instructions = std::move(lowered.origins);
  prepared.simulation.skipped = std::move(lowered.skipped);
  return std::nullopt;
}

Result<Simulation> Simulator::run(PreparedRegion &prepared) {
  Parts &parts = *parts_;
  const SimulationOptions &options = prepared.options;
  if (options.instructionTables) {
    if (options.pressure)
      prepared.simulation.report.pressure = makeInstructionTables(prepared.body, parts.resources);
  } else if (!parts.run(prepared)) {
    return Failure{kStuck};
  } else if (needsDetails(options)) {
    parts.fill(parts.full.recorder, prepared);
  } else {
    parts.fill(parts.plain.recorder, prepared);
  }
  if (options.rate && !options.instructionTables)
    prepared.simulation.report.summary.rate = parts.rateOf(prepared);
  return std::move(prepared.simulation);
}

/// The order of the instructions is not known beforehand, so the machine renames while it runs.
bool Simulator::Parts::run(PreparedRegion &prepared, InstructionStream &stream, uint32_t redirectCycles) {
  Body &body = prepared.body;
  body.renamed.clear();
  body.dependencies.clear();
  body.dependents.clear();
  const MachineOptions machine = machineOptions(target, prepared.options);
  traced.recorder.reset(body);
  if (target.isOutOfOrder()) {
    if (!traced.outOfOrder)
      traced.outOfOrder.emplace(resources);
    return traced.outOfOrder->run(body, machine, traced.recorder, stream, redirectCycles);
  }
  if (!traced.inOrder)
    traced.inOrder.emplace(resources);
  return traced.inOrder->run(body, machine, traced.recorder, stream, redirectCycles, prepared.hazards.get());
}

Result<TraceRun> Simulator::run(PreparedRegion &prepared, InstructionStream &stream, uint32_t redirectCycles) {
  if (prepared.options.microOpQueueSize)
    return Failure{"a micro-op queue cannot be simulated along a trace"};
  if (!parts_->run(prepared, stream, redirectCycles))
    return Failure{kStuck};
  return parts_->traced.recorder.finish();
}

DataflowLimit Simulator::findDataflowLimit(PreparedRegion &prepared) {
  addDependenciesForDataflow(prepared.body);
  return mca::findDataflowLimit(prepared.body);
}

Rate Simulator::findRateWithoutLateCopies(PreparedRegion &prepared) {
  assert(parts_->target.isOutOfOrder());
  keepLateCopies(prepared.body);
  addDependencies(prepared.body, machineOptions(parts_->target, prepared.options).dispatchWidth);
  const InstanceRate rate = parts_->findSteadyRate(prepared);
  return inLowestTerms(rate.cycles * prepared.body.instructions.size(), rate.instances);
}

std::vector<DataLink> Simulator::findDataLinks(PreparedRegion &prepared) {
  addDependenciesForDataflow(prepared.body);
  return mca::findDataLinks(prepared.body);
}

void Simulator::nameRegisters(std::vector<DataLink> &links, unsigned syntaxVariant) {
  for (DataLink &link : links)
    link.name = parts_->nameOf(link.reg, syntaxVariant);
}

void Simulator::nameRegisters(DataflowLimit &limit, unsigned syntaxVariant) {
  nameRegisters(limit.chain, syntaxVariant);
  for (LateCopy &copy : limit.lateCopies) {
    copy.name = parts_->nameOf(copy.reg, syntaxVariant);
    copy.source = parts_->nameOf(copy.sourceReg, syntaxVariant);
  }
}

} // namespace mca
