// Chooses the machine and the recorder for a region, runs them and fills the report.
//
// There are six combinations for a loop: a machine in order, out of order or of a CPU as it was measured, with
// PlainRecorder or FullRecorder. Each is a template instance of its own, so that a plain run contains no code for what
// was not requested. Along a trace, the recorders are TraceRecorder, and WindowRecorder for the details of a part.
// docs/engine.md explains the runs.
#include "mca-core/report/simulator.h"

#include "mca-core/engine/calibrated_dataflow.h"
#include "mca-core/engine/calibrated_machine.h"
#include "mca-core/engine/dependencies.h"
#include "mca-core/engine/in_order.h"
#include "mca-core/engine/out_of_order.h"
#include "mca-core/model/memory_classes.h"
#include "mca-core/model/model_limits.h"
#include "mca-core/report/calibrated_report.h"
#include "mca-core/report/instruction_info.h"
#include "mca-core/report/recorders.h"
#include "mca-core/report/resource_pressure.h"
#include "mca-core/report/trace_recorder.h"
#include "mca-core/report/window_recorder.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <optional>

namespace mca {
namespace {

/// Whether a request needs FullRecorder. A timeline alone does not.
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

/// The same for the calibrated machine, whose steps take longer.
uint64_t calibratedSearchLimit(size_t instructions) {
  constexpr uint64_t kInstances = 1 << 16, kLeastIterations = 64;
  return instructions * std::max(kInstances / instructions, kLeastIterations);
}

/// A rate of 0 cycles in 0 iterations stays one.
Rate inLowestTerms(uint64_t cycles, uint64_t iterations) {
  const uint64_t divisor = std::max<uint64_t>(std::gcd(cycles, iterations), 1);
  return {cycles / divisor, iterations / divisor};
}

/// Per iteration of so many instructions.
Rate rateOf(const InstanceRate &rate, size_t instructions) {
  Rate found = inLowestTerms(rate.cycles * instructions, rate.instances);
  found.isMeasured = rate.isMeasured;
  return found;
}

/// The scheduling model's machine, with the overrides from the options, which llvm-mca ignores in order. The reorder
/// buffer has MicroOpBufferSize entries unless the model has extra information (RetireControlUnit in LLVM).
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
  machine.bufferScale = options.bufferScale;
  for (uint32_t *entries : {&machine.reorderBuffer, &machine.loadQueue, &machine.storeQueue})
    *entries *= options.bufferScale;
  return machine;
}

constexpr const char *kStuck =
    "the simulated processor is stuck: an instruction waits for something that never happens";

/// For the dataflow limit: no limit of eliminated moves per cycle.
void addDependenciesForDataflow(Body &body) {
  if (body.renamed.empty())
    addDependencies(body, /*dispatchWidth=*/1);
}

/// A recorder and its machines. These are created on first use, and keep their tables between regions.
template <typename Recorder>
struct Machines {
  Recorder recorder;
  std::optional<OutOfOrderMachine<Recorder>> outOfOrder;
  std::optional<InOrderMachine<Recorder>> inOrder;
  CalibratedMachine<Recorder> calibrated;
};

/// Returns the machine, which is made for the resources of one model.
template <typename Machine>
Machine &createOnce(std::optional<Machine> &machine, const ResourceTable &resources) {
  return machine ? *machine : machine.emplace(resources);
}

} // namespace

struct Simulator::Parts {
  explicit Parts(const Target &simulated)
      : target(simulated), resources(simulated.subtarget().getSchedModel()), describer(simulated),
        builder(simulated, resources), classifier(simulated), beyondLimits(mca::beyondLimits(resources.model())) {}

  /// Returns the Lowering for these options. A new one has other numbers for its instructions
  /// (LoweredInstruction::kind), so the descriptions that are cached by them are void.
  Lowering &loweringFor(const SimulationOptions &options) {
    if (lowering && callLatency == options.callLatency && customBehaviour == options.customBehaviour)
      return *lowering;
    describer.reset();
    callLatency = options.callLatency;
    customBehaviour = options.customBehaviour;
    return lowering.emplace(target, callLatency, customBehaviour);
  }

  /// The cache of the builder's tables holds the calibration, so that another one cannot take its place in memory.
  CalibratedBodyBuilder &builderFor(const std::shared_ptr<const Calibration> &wanted) {
    if (calibratedBuilder && calibration == wanted)
      return *calibratedBuilder;
    calibratedBuilder.reset();
    calibration = wanted;
    return calibratedBuilder.emplace(target, resources, *calibration);
  }

  /// Returns the printer, or null if the target has no such syntax. The cached descriptions contain printed text.
  llvm::MCInstPrinter *printerFor(unsigned variant, bool hexImmediates) {
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

  /// Prepares a recorder for a run on the units of `state`.
  void start(PlainRecorder &recorder, const ResourceState &, const PreparedRegion &prepared) const {
    const SimulationOptions &options = prepared.options;
    const uint32_t timelineIterations =
        options.timeline ? std::min(options.iterations, options.timelineMaxIterations) : 0;
    // In order, a long dispatch is reported only once.
    const uint32_t width = machineOptions(target, options).dispatchWidth;
    const bool oneCycle = !target.isOutOfOrder() ||
                          std::ranges::all_of(prepared.body.instructions,
                                              [=](const BodyInstruction &code) { return code.microOps <= width; });
    recorder.reset(static_cast<uint32_t>(prepared.body.instructions.size()), timelineIterations,
                   options.timelineMaxCycles, oneCycle && !prepared.calibrated);
  }

  void start(FullRecorder &recorder, const ResourceState &state, const PreparedRegion &prepared) const {
    const SimulationOptions &options = prepared.options;
    recorder.reset(prepared.body);
    start(static_cast<PlainRecorder &>(recorder), state, prepared);
    const auto create = [](bool wanted, auto &collector, const auto &...arguments) {
      if (wanted)
        collector.emplace(arguments...);
    };
    if (prepared.calibrated) {
      create(options.waitReasons, recorder.waits, prepared.body, resources, state.slots(), /*outOfOrder=*/true,
             recorder.watched());
      if (recorder.waits)
        recorder.waits->nameResources(*prepared.calibrated);
      return recorder.start();
    }
    create(options.bottlenecks, recorder.bottlenecks, prepared.body, resources, state.slots(), options.iterations);
    create(options.dispatchStatistics, recorder.dispatch);
    create(options.schedulerStatistics, recorder.schedulers, resources);
    create(options.retireStatistics, recorder.retirement, resources.model());
    create(options.registerFileStatistics, recorder.registerFiles, resources.model());
    create(options.waitReasons, recorder.waits, prepared.body, resources, state.slots(), target.isOutOfOrder(),
           recorder.watched());
    recorder.start();
  }

  /// Lays the calibration over a region that was lowered to `prepared`. Of what is known about memory, the text's
  /// statements count; addresses are followed anew, with their distances.
  void calibrate(const Program &program, std::span<const uint32_t> region, const LoweredRegion &lowered,
                 PreparedRegion &prepared) {
    const SimulationOptions &options = prepared.options;
    prepared.calibrated.reset();
    if (!options.calibration)
      return;
    Report &report = prepared.simulation.report;
    CalibratedRegion how{.isTrace = options.inAnyOrder,
                         .storesBefore = {},
                         .entryOffsets = options.entryOffsets,
                         .unaligned = options.unaligned};
    if (!program.statementsFor(region).empty()) {
      Body stated = prepared.body;
      stated.memoryClasses.clear();
      stated.memoryPlaces = 0;
      const auto textOf = [&](size_t i) { return llvm::StringRef(report.instructions[i].text); };
      classifier.classify(program, region, lowered, {true, /*sameOperands=*/false, options.inAnyOrder, textOf}, stated);
      how.storesBefore = findStoresBefore(stated);
    }
    prepared.calibrated = builderFor(options.calibration).build(program, lowered, how);
    CalibratedLimits &limits = prepared.calibrated->limits;
    for (uint32_t *entries :
         {&limits.reorderBuffer, &limits.scheduler, &limits.vectorScheduler, &limits.loadQueue, &limits.storeQueue})
      *entries *= options.bufferScale;
    describeCalibrated(*prepared.calibrated, report);
    for (size_t i = 0; i < prepared.body.instructions.size(); ++i)
      prepared.body.instructions[i].microOps = report.instructions[i].microOps;
  }

  /// Runs the machine and fills the report. Returns false if the machine gets stuck.
  template <typename Recorder>
  bool run(Machines<Recorder> &machines, PreparedRegion &prepared) {
    const SimulationOptions &options = prepared.options;
    Recorder &recorder = machines.recorder;
    MachineOptions limits = machineOptions(target, options);
    if (prepared.calibrated) {
      const ResourceState &units = createOnce(noUnits, resources);
      start(recorder, units, prepared);
      limits.rateSearchLimit = options.rate ? calibratedSearchLimit(prepared.body.instructions.size()) : 0;
      machines.calibrated.run(*prepared.calibrated, limits, recorder, options.iterations);
      fill(recorder, units, prepared);
      return true;
    }
    limits.rateSearchLimit = options.rate ? rateSearchLimit(prepared.body.instructions.size()) : 0;
    const auto runOnce = [&](auto &machine, auto *...hazards) {
      start(recorder, machine.resources(), prepared);
      return machine.run(prepared.body, limits, recorder, options.iterations, hazards...);
    };
    if (!target.isOutOfOrder()) {
      auto &machine = createOnce(machines.inOrder, resources);
      if (!runOnce(machine, prepared.hazards.get()))
        return false;
      fill(recorder, machine.resources(), prepared);
      return true;
    }
    auto &machine = createOnce(machines.outOfOrder, resources);
    addDependencies(prepared.body, limits.dispatchWidth);
    bool finished = runOnce(machine);
    // Whether the order of LLVM's lists decides the result is known only afterwards, and keeping it costs time.
    limits.keepsOrder = machine.orderMatters();
    if (limits.keepsOrder)
      finished = runOnce(machine);
    if (finished)
      fill(recorder, machine.resources(), prepared);
    return finished;
  }

  /// Returns why the region cannot run along a trace.
  std::optional<Failure> whyNotAlongTrace(const PreparedRegion &prepared) const {
    if (prepared.calibrated)
      return std::nullopt;
    if (prepared.options.microOpQueueSize)
      return Failure{"a micro-op queue cannot be simulated along a trace"};
    // LLVM identifies the instructions of a custom behaviour by their position in a repeated body.
    if (prepared.hazards)
      return Failure{"the rules of " + target.triple().getArchName().str() +
                     "'s own cannot be simulated along a trace; -disable-cb leaves them out"};
    return std::nullopt;
  }

  /// Prepares a recorder for a window of a trace.
  void start(WindowRecorder &recorder, const ResourceState &state, const PreparedRegion &prepared,
             const WindowRange &range) const {
    const SimulationOptions &options = prepared.options;
    recorder.reset(range);
    if (options.bottlenecks && !prepared.calibrated)
      recorder.bottlenecks.emplace(prepared.body, resources, state.slots(), /*iterations=*/1);
    if (!options.waitReasons)
      return;
    recorder.waits.emplace(prepared.body, resources, state.slots(), target.isOutOfOrder(), range.count);
    recorder.waits->followTrace(recorder.recent(), range.first);
    if (prepared.calibrated)
      recorder.waits->nameResources(*prepared.calibrated);
  }

  /// Runs the instructions of a trace. Their order is not known beforehand, so the machine renames while it runs.
  /// `start`: called with the recorder and the machine's resources.
  template <typename Recorder, typename Start>
  bool run(Machines<Recorder> &machines, PreparedRegion &prepared, InstructionStream &stream, uint32_t redirectCycles,
           const Start &start) {
    if (prepared.calibrated) {
      start(machines.recorder, createOnce(noUnits, resources));
      machines.calibrated.run(*prepared.calibrated, machines.recorder, stream, redirectCycles);
      return true;
    }
    Body &body = prepared.body;
    body.renamed.clear();
    body.dependencies.clear();
    body.dependents.clear();
    MachineOptions limits = machineOptions(target, prepared.options);
    limits.keepsOrder = true; // without it, a run with details may have to be repeated
    const auto runOn = [&](auto &machine) {
      start(machines.recorder, machine.resources());
      return machine.run(body, limits, machines.recorder, stream, redirectCycles);
    };
    return target.isOutOfOrder() ? runOn(createOnce(machines.outOfOrder, resources))
                                 : runOn(createOnce(machines.inOrder, resources));
  }

  /// Moves what the recorder collected into the report.
  void fill(PlainRecorder &recorder, const ResourceState &state, PreparedRegion &prepared) {
    const SimulationOptions &options = prepared.options;
    Report &report = prepared.simulation.report;
    if (options.timeline)
      report.timeline = recorder.finishTimeline();
    if (prepared.calibrated) {
      report.summary = calibratedSummary(*prepared.calibrated, options.iterations, recorder.cycles());
      if (options.pressure)
        report.pressure = calibratedPressure(*prepared.calibrated);
      return;
    }
    // llvm-mca's summary has the overridden width in order, too, although the machine does not use it.
    report.summary =
        recorder.finishSummary(prepared.body, resources, options.iterations,
                               options.dispatchWidth ? options.dispatchWidth : resources.model().IssueWidth);
    if (options.pressure)
      report.pressure = measurePressure(prepared.body, resources, state, options.iterations);
  }

  void fill(FullRecorder &recorder, const ResourceState &state, PreparedRegion &prepared) {
    Report &report = prepared.simulation.report;
    fill(static_cast<PlainRecorder &>(recorder), state, prepared);
    llvm::MCInstPrinter &instPrinter = *printerFor(prepared.syntaxVariant, prepared.options.hexImmediates);
    const auto finish = [](auto &part, auto &collector, auto &...arguments) {
      if (collector)
        part = collector->finish(arguments...);
    };
    finish(report.bottlenecks, recorder.bottlenecks, instPrinter);
    finish(report.dispatch, recorder.dispatch);
    finish(report.schedulers, recorder.schedulers);
    finish(report.retirement, recorder.retirement);
    finish(report.registerFiles, recorder.registerFiles);
    finish(report.waits, recorder.waits, instPrinter);
  }

  /// Returns the steady rate. Call it after the report has been filled, because it may need another run. That run
  /// always uses the plain machine, so that the rate does not depend on the other requests.
  Rate rateOf(PreparedRegion &prepared) {
    const Summary &summary = prepared.simulation.report.summary;
    InstanceRate rate;
    // A plain run may have found the period already.
    if (!needsDetails(prepared.options))
      rate = prepared.calibrated     ? plain.calibrated.rate()
             : target.isOutOfOrder() ? plain.outOfOrder->rate()
                                     : plain.inOrder->rate();
    if (!rate.instances)
      rate = findSteadyRate(prepared);
    if (!rate.instances) // it got stuck, or everything happens in one cycle
      return inLowestTerms(summary.cycles, summary.iterations);
    return mca::rateOf(rate, prepared.body.instructions.size());
  }

  /// Runs the loop without a report until it repeats. Its events are unused, so the recorder is a local one.
  InstanceRate findSteadyRate(PreparedRegion &prepared) {
    const Body &body = prepared.body;
    const auto instructions = static_cast<uint32_t>(body.instructions.size());
    MachineOptions machine = machineOptions(target, prepared.options);
    machine.rateSearchLimit = rateSearchLimit(instructions);
    PlainRecorder recorder;
    recorder.reset(instructions);
    if (prepared.calibrated) {
      machine.rateSearchLimit = calibratedSearchLimit(instructions);
      return plain.calibrated.findSteadyRate(*prepared.calibrated, machine, recorder);
    }
    if (target.isOutOfOrder())
      return createOnce(plain.outOfOrder, resources).findSteadyRate(body, machine, recorder);
    return createOnce(plain.inOrder, resources).findSteadyRate(body, machine, recorder, prepared.hazards.get());
  }

  /// Returns the register's name in assembly; empty for register 0, which is none.
  std::string nameOf(uint16_t reg, unsigned syntaxVariant) {
    std::string name;
    llvm::raw_string_ostream out(name);
    if (reg)
      printerFor(syntaxVariant, printerHex)->printRegName(out, reg);
    return name;
  }

  const Target &target;
  ResourceTable resources;
  InstructionDescriber describer;
  BodyBuilder builder;
  MemoryClassifier classifier;
  const std::optional<std::string> beyondLimits;
  /// For the calibrated machine, which has none. Made when first used, as a CPU without a model has no resources.
  std::optional<ResourceState> noUnits;
  std::shared_ptr<const Calibration> calibration;
  std::optional<CalibratedBodyBuilder> calibratedBuilder; // declared after what it refers to
  std::optional<Lowering> lowering;
  unsigned callLatency = 0;
  bool customBehaviour = true;
  std::unique_ptr<llvm::MCInstPrinter> printer;
  unsigned printerVariant = 0;
  bool printerHex = false;
  PreparedRegion prepared; ///< used by simulate()
  Machines<PlainRecorder> plain;
  Machines<FullRecorder> full;
  Machines<TraceRecorder> traced;
  Machines<WindowRecorder> windowed;
};

// simulate() reuses one region, whose lists keep their memory.
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
    return Failure{"unable to find instruction-level scheduling information for target triple '" +
                   target.triple().str() + "' and cpu '" + target.cpu() + "'"};
  if (parts.beyondLimits)
    return Failure{*parts.beyondLimits};
  bool stopped = false;
  const Corrections corrections =
      options.calibration ? std::min(options.corrections, Corrections::Rows) : options.corrections;
  LoweredRegion lowered = parts.loweringFor(options).lower(
      program, region,
      [&](const SkippedInstruction &skipped) {
        stopped = onSkipped && !onSkipped(skipped);
        return !stopped;
      },
      corrections);
  if (stopped || lowered.instructions.empty())
    return Failure{lowered.skipped.empty() ? "the region has no instructions" : lowered.skipped.front().message};

  if (options.calibration)
    if (std::string why = whyNotCalibrated(program, lowered); !why.empty())
      return Failure{std::move(why)};
  // From here on only the syntax variant can be wrong; `prepared` is filled member by member, so that it keeps its
  // memory.
  prepared.options = options;
  prepared.syntaxVariant =
      options.syntaxVariant < 0 ? program.syntaxVariant() : static_cast<unsigned>(options.syntaxVariant);
  llvm::MCInstPrinter *printer = parts.printerFor(prepared.syntaxVariant, options.hexImmediates);
  if (!printer)
    return Failure{"the target has no assembly syntax variant " + std::to_string(prepared.syntaxVariant)};
  prepared.simulation = {};
  Report &report = prepared.simulation.report;
  report.instructions = parts.describer.describe(program, lowered, *printer, options);
  if (options.schedulingDetails)
    report.resources = describeResources(parts.resources.model());
  parts.builder.build(lowered, options.registerFileSize, prepared.body);
  for (RegisterFileLimits &file : prepared.body.files)
    file.size *= options.bufferScale;
  const auto textOf = [&](size_t i) { return llvm::StringRef(report.instructions[i].text); };
  prepared.simulation.operandLoads = parts.classifier.classify(
      program, region, lowered, {options.noAlias, options.sameOperands, options.inAnyOrder, textOf}, prepared.body);
  parts.calibrate(program, region, lowered, prepared);
  if (prepared.calibrated)
    llvm::erase_if(lowered.errata, [&](const FoundErratum &found) {
      return !prepared.calibrated->instructions[found.instruction].isFromLlvm();
    });
  prepared.simulation.errata = std::move(lowered.errata);
  const bool hasHazards =
      options.customBehaviour && !target.isOutOfOrder() && !options.calibration && hasCustomBehaviour(target);
  prepared.hazards = hasHazards ? std::make_unique<CustomHazards>(target, lowered) : nullptr;
  prepared.simulation.instructions = std::move(lowered.origins);
  prepared.simulation.skipped = std::move(lowered.skipped);
  return std::nullopt;
}

Result<Simulation> Simulator::run(PreparedRegion &prepared) {
  Parts &parts = *parts_;
  const SimulationOptions &options = prepared.options;
  Report &report = prepared.simulation.report;
  if (options.instructionTables) {
    if (options.pressure)
      report.pressure = prepared.calibrated ? calibratedPressure(*prepared.calibrated)
                                            : makeInstructionTables(prepared.body, parts.resources);
    return std::move(prepared.simulation);
  }
  if (!(needsDetails(options) ? parts.run(parts.full, prepared) : parts.run(parts.plain, prepared)))
    return Failure{kStuck};
  if (options.rate)
    report.summary.rate = parts.rateOf(prepared);
  return std::move(prepared.simulation);
}

Result<TraceRun> Simulator::run(PreparedRegion &prepared, InstructionStream &stream, uint32_t redirectCycles) {
  if (std::optional<Failure> failure = parts_->whyNotAlongTrace(prepared))
    return std::move(*failure);
  const auto start = [&](TraceRecorder &recorder, const ResourceState &) { recorder.reset(prepared.body); };
  if (!parts_->run(parts_->traced, prepared, stream, redirectCycles, start))
    return Failure{kStuck};
  return parts_->traced.recorder.finish();
}

Result<TraceWindow> Simulator::record(PreparedRegion &prepared, InstructionStream &stream, uint32_t redirectCycles,
                                      const WindowRange &range) {
  Parts &parts = *parts_;
  if (std::optional<Failure> failure = parts.whyNotAlongTrace(prepared))
    return std::move(*failure);
  WindowRecorder &recorder = parts.windowed.recorder;
  WindowStream window(stream, recorder, range);
  const auto start = [&](WindowRecorder &, const ResourceState &state) {
    parts.start(recorder, state, prepared, range);
  };
  if (!parts.run(parts.windowed, prepared, window, redirectCycles, start))
    return Failure{kStuck};
  if (recorder.fetched() <= range.first)
    return Failure{"the window begins after the last of " + std::to_string(recorder.fetched()) + " instructions"};
  return recorder.finish(prepared.simulation.report.instructions,
                         *parts.printerFor(prepared.syntaxVariant, prepared.options.hexImmediates));
}

DispatchLimit Simulator::findDispatchLimit(const PreparedRegion &prepared) const {
  if (prepared.calibrated)
    return findSlotLimit(*prepared.calibrated);
  if (!parts_->target.isOutOfOrder())
    return {};
  return mca::findDispatchLimit(prepared.body, machineOptions(parts_->target, prepared.options).dispatchWidth);
}

DataflowLimit Simulator::findDataflowLimit(PreparedRegion &prepared) {
  if (prepared.calibrated)
    return mca::findDataflowLimit(*prepared.calibrated);
  addDependenciesForDataflow(prepared.body);
  return mca::findDataflowLimit(prepared.body);
}

Rate Simulator::findRateWithoutLateCopies(PreparedRegion &prepared) {
  assert(parts_->target.isOutOfOrder() && !prepared.calibrated);
  keepLateCopies(prepared.body);
  addDependencies(prepared.body, machineOptions(parts_->target, prepared.options).dispatchWidth);
  return rateOf(parts_->findSteadyRate(prepared), prepared.body.instructions.size());
}

std::vector<DataLink> Simulator::findDataLinks(PreparedRegion &prepared) {
  if (prepared.calibrated)
    return mca::findDataLinks(*prepared.calibrated);
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
