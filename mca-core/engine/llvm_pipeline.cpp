// The simulator on LLVM's own MCA pipeline, out-of-order or in-order as the model says, with the target's custom
// behaviour.
//
// The pipeline tells a listener what happens; the listener translates that to our collectors, which know no LLVM event.
#include "mca-core/engine/simulator.h"

#include "mca-core/model/resources.h"
#include "mca-core/views/bottlenecks.h"
#include "mca-core/views/collectors.h"
#include "mca-core/views/instruction_info.h"
#include "mca-core/views/statistics.h"

#include "llvm/MC/TargetRegistry.h"
#include "llvm/MCA/Context.h"
#include "llvm/MCA/HWEventListener.h"
#include "llvm/MCA/SourceMgr.h"
#include "llvm/MCA/Stages/EntryStage.h"
#include "llvm/MCA/Stages/InstructionTables.h"

#include <algorithm>
#include <optional>

namespace mca {
namespace {

class Listener final : public llvm::mca::HWEventListener {
public:
  Listener(const ResourceTable &resources, uint32_t instructions, uint32_t dispatchWidth,
           const SimulationOptions &options)
      : resources_(resources), summary(resources, instructions, dispatchWidth) {
    if (options.pressure)
      pressure.emplace(resources, instructions);
    if (options.dispatchStatistics)
      dispatch.emplace();
    if (options.schedulerStatistics)
      schedulers.emplace(resources);
    if (options.retireStatistics)
      retirement.emplace(resources.model());
    if (options.registerFileStatistics)
      registerFiles.emplace(resources.model());
    if (options.timeline)
      timeline.emplace(instructions, std::min(options.iterations, options.timelineMaxIterations),
                       options.timelineMaxCycles);
    if (options.bottlenecks)
      bottlenecks.emplace(resources, instructions, options.iterations);
  }

  void onEvent(const llvm::mca::HWInstructionEvent &event) override;
  void onEvent(const llvm::mca::HWPressureEvent &event) override;
  void onEvent(const llvm::mca::HWStallEvent &event) override;
  void onCycleEnd() override;
  void onReservedBuffers(const llvm::mca::InstRef &, llvm::ArrayRef<unsigned> resources) override {
    if (schedulers)
      schedulers->onReserved(resources);
  }
  void onReleasedBuffers(const llvm::mca::InstRef &, llvm::ArrayRef<unsigned> resources) override {
    if (schedulers)
      schedulers->onReleased(resources);
  }

private:
  void onDispatched(const llvm::mca::HWInstructionDispatchedEvent &event);
  void onMove(const llvm::mca::Instruction &instruction);
  void onIssued(const llvm::mca::HWInstructionIssuedEvent &event);
  void onExecuted(const llvm::mca::InstRef &ref);
  void onRetired(const llvm::mca::HWInstructionRetiredEvent &event);

  const ResourceTable &resources_;
  std::vector<UsedUnit> used_;
  std::vector<DelayedInstruction> delayed_;
  std::vector<std::pair<uint64_t, uint32_t>> resourceCycles_;

public:
  SummaryCollector summary;
  std::optional<PressureCollector> pressure;
  std::optional<TimelineCollector> timeline;
  std::optional<BottleneckCollector> bottlenecks;
  std::optional<DispatchStatisticsCollector> dispatch;
  std::optional<SchedulerStatisticsCollector> schedulers;
  std::optional<RetireStatisticsCollector> retirement;
  std::optional<RegisterFileStatisticsCollector> registerFiles;
};

void Listener::onEvent(const llvm::mca::HWStallEvent &event) {
  using Event = llvm::mca::HWStallEvent;
  if (bottlenecks)
    bottlenecks->onStall();
  if (!dispatch)
    return;
  switch (event.Type) {
  case Event::RegisterFileStall:
    return dispatch->onStall(DispatchStall::RegisterFile);
  case Event::RetireControlUnitStall:
    return dispatch->onStall(DispatchStall::RetireTokens);
  case Event::DispatchGroupStall:
    return dispatch->onStall(DispatchStall::Group);
  case Event::SchedulerQueueFull:
    return dispatch->onStall(DispatchStall::Scheduler);
  case Event::LoadQueueFull:
    return dispatch->onStall(DispatchStall::LoadQueue);
  case Event::StoreQueueFull:
    return dispatch->onStall(DispatchStall::StoreQueue);
  case Event::CustomBehaviourStall:
    return dispatch->onStall(DispatchStall::Custom);
  default:
    return;
  }
}

void Listener::onCycleEnd() {
  const auto end = [](auto &collector) {
    if (collector)
      collector->onCycleEnd();
  };
  summary.onCycleEnd();
  end(timeline);
  end(bottlenecks);
  end(dispatch);
  end(schedulers);
  end(retirement);
  end(registerFiles);
}

void Listener::onEvent(const llvm::mca::HWInstructionEvent &event) {
  using Event = llvm::mca::HWInstructionEvent;
  const unsigned id = event.IR.getSourceIndex();
  switch (event.Type) {
  case Event::Dispatched:
    onDispatched(static_cast<const llvm::mca::HWInstructionDispatchedEvent &>(event));
    break;
  case Event::Ready:
    if (timeline)
      timeline->onReady(id);
    break;
  case Event::Issued:
    onIssued(static_cast<const llvm::mca::HWInstructionIssuedEvent &>(event));
    break;
  case Event::Executed:
    onExecuted(event.IR);
    break;
  case Event::Retired:
    onRetired(static_cast<const llvm::mca::HWInstructionRetiredEvent &>(event));
    break;
  default:
    break;
  }
}

void Listener::onDispatched(const llvm::mca::HWInstructionDispatchedEvent &event) {
  const unsigned id = event.IR.getSourceIndex();
  const llvm::mca::Instruction &instruction = *event.IR.getInstruction();
  if (timeline)
    timeline->onDispatched(id);
  if (bottlenecks)
    bottlenecks->onDispatched(id);
  if (dispatch)
    dispatch->onDispatched(event.MicroOpcodes);
  if (schedulers)
    schedulers->onDispatched(id, instruction.getMayLoad(), instruction.getMayStore());
  if (retirement)
    retirement->onDispatched(event.MicroOpcodes);
  if (registerFiles) {
    registerFiles->onDispatched(event.UsedPhysRegs);
    onMove(instruction);
  }
}

/// A move, or an exchange as two of them: the first definition belongs to the last use.
void Listener::onMove(const llvm::mca::Instruction &instruction) {
  const auto &definitions = instruction.getDefs();
  const auto &uses = instruction.getUses();
  if (!instruction.isOptimizableMove() || definitions.size() != uses.size())
    return;
  for (size_t i = 0; i < definitions.size(); ++i)
    registerFiles->onMove(definitions[0].getRegisterFileID(),
                          {.eliminated = definitions[i].isEliminated(),
                           .zero = definitions[i].isWriteZero() && uses[uses.size() - 1 - i].isReadZero()});
}

void Listener::onIssued(const llvm::mca::HWInstructionIssuedEvent &event) {
  const unsigned id = event.IR.getSourceIndex();
  if (schedulers)
    schedulers->onIssued(event.IR.getInstruction()->getNumMicroOps());
  if (timeline)
    timeline->onIssued(id);
  if (!pressure && !bottlenecks)
    return;
  used_.clear();
  for (const llvm::mca::ResourceUse &use : event.UsedResources)
    used_.push_back({static_cast<uint32_t>(use.first.first), use.first.second, use.second.getNumerator(),
                     use.second.getDenominator()});
  if (pressure)
    pressure->onIssued(id, used_);
  if (bottlenecks) {
    const llvm::mca::Instruction &instruction = *event.IR.getInstruction();
    const llvm::mca::CriticalDependency &reg = instruction.getCriticalRegDep();
    const llvm::mca::CriticalDependency &memory = instruction.getCriticalMemDep();
    bottlenecks->onIssued({.id = id,
                           .criticalResources = instruction.getCriticalResourceMask(),
                           .registerWait = {reg.IID, reg.RegID, reg.Cycles},
                           .memoryWait = {memory.IID, memory.RegID, memory.Cycles}},
                          used_);
  }
}

void Listener::onExecuted(const llvm::mca::InstRef &ref) {
  if (timeline)
    timeline->onExecuted(ref.getSourceIndex());
  if (bottlenecks)
    bottlenecks->onExecuted(ref.getSourceIndex());
  if (schedulers)
    schedulers->onExecuted(ref.getInstruction()->getMayLoad(), ref.getInstruction()->getMayStore());
}

void Listener::onRetired(const llvm::mca::HWInstructionRetiredEvent &event) {
  resourceCycles_.clear();
  const unsigned id = event.IR.getSourceIndex();
  const llvm::mca::Instruction &instruction = *event.IR.getInstruction();
  for (const auto &[mask, usage] : instruction.getDesc().Resources)
    resourceCycles_.emplace_back(mask, usage.size());
  summary.onRetired(id, instruction.getNumMicroOps(), resourceCycles_);
  if (timeline)
    timeline->onRetired(id);
  if (retirement)
    retirement->onRetired(instruction.getNumMicroOps());
  if (registerFiles)
    registerFiles->onRetired(event.FreedPhysRegs);
}

void Listener::onEvent(const llvm::mca::HWPressureEvent &event) {
  if (!bottlenecks)
    return;
  delayed_.clear();
  for (const llvm::mca::InstRef &ref : event.AffectedInstructions)
    delayed_.push_back({ref.getSourceIndex(), ref.getInstruction()->getCriticalResourceMask()});
  using Event = llvm::mca::HWPressureEvent;
  const PressureReason reason = event.Reason == Event::RESOURCES       ? PressureReason::Resources
                                : event.Reason == Event::REGISTER_DEPS ? PressureReason::RegisterDependencies
                                                                       : PressureReason::MemoryDependencies;
  bottlenecks->onPressure(reason, delayed_, event.ResourceMask);
}

Failure noModel(const Target &target) {
  return {"unable to find instruction-level scheduling information for target triple '" + target.triple().str() +
          "' and cpu '" + target.cpu() + "'"};
}

/// The parts of the report that the listener has gathered.
void fillReport(Report &report, Listener &listener, const SimulationOptions &options, llvm::MCInstPrinter &printer) {
  if (!options.instructionTables)
    report.summary = listener.summary.finish(options.iterations);
  if (listener.pressure)
    report.pressure = listener.pressure->finish(options.instructionTables ? 1 : options.iterations);
  if (listener.timeline)
    report.timeline = listener.timeline->finish();
  if (listener.bottlenecks)
    report.bottlenecks = listener.bottlenecks->finish(printer);
  if (listener.dispatch)
    report.dispatch = listener.dispatch->finish();
  if (listener.schedulers)
    report.schedulers = listener.schedulers->finish();
  if (listener.retirement)
    report.retirement = listener.retirement->finish();
  if (listener.registerFiles)
    report.registerFiles = listener.registerFiles->finish();
}

/// What a pipeline needs as long as it runs.
class Run {
public:
  Run(const Target &target, LoweredRegion &region, const SimulationOptions &options)
      : source_(region.instructions, options.instructionTables ? 1 : options.iterations),
        context_(target.registers(), target.subtarget()) {
    if (options.instructionTables) {
      pipeline_ = std::make_unique<llvm::mca::Pipeline>();
      pipeline_->appendStage(std::make_unique<llvm::mca::EntryStage>(source_));
      pipeline_->appendStage(std::make_unique<llvm::mca::InstructionTables>(target.subtarget().getSchedModel()));
      return;
    }
    if (options.customBehaviour)
      behaviour_.reset(target.backend().createCustomBehaviour(target.subtarget(), source_, target.instructions()));
    if (!behaviour_)
      behaviour_ = std::make_unique<llvm::mca::CustomBehaviour>(target.subtarget(), source_, target.instructions());
    const llvm::mca::PipelineOptions pipelineOptions(
        options.microOpQueueSize, options.decoderThroughput, options.dispatchWidth, options.registerFileSize,
        options.loadQueueSize, options.storeQueueSize, options.noAlias, options.bottlenecks);
    pipeline_ = context_.createDefaultPipeline(pipelineOptions, source_, *behaviour_);
  }

  llvm::mca::Pipeline &pipeline() { return *pipeline_; }

private:
  llvm::mca::CircularSourceMgr source_;
  llvm::mca::Context context_;
  std::unique_ptr<llvm::mca::CustomBehaviour> behaviour_;
  std::unique_ptr<llvm::mca::Pipeline> pipeline_;
};

} // namespace

Result<Simulation> Simulator::simulate(const Program &program, std::span<const uint32_t> region,
                                       const SimulationOptions &options, OnSkipped onSkipped) {
  const Target &target = target_;
  if (!target.hasSchedulingModel())
    return noModel(target);
  bool stopped = false;
  Lowering lowering(target, options.callLatency, options.customBehaviour);
  LoweredRegion lowered = lowering.lower(program, region, [&](const SkippedInstruction &skipped) {
    stopped = onSkipped && !onSkipped(skipped);
    return !stopped;
  });
  if (stopped || lowered.instructions.empty())
    return Failure{lowered.skipped.empty() ? "the region has no instructions" : lowered.skipped.front().message};

  const llvm::MCSchedModel &model = target.subtarget().getSchedModel();
  const ResourceTable resources(model);
  const auto count = static_cast<uint32_t>(lowered.instructions.size());
  Simulation simulation;
  const int variant = options.syntaxVariant < 0 ? int(program.syntaxVariant()) : options.syntaxVariant;
  const std::unique_ptr<llvm::MCInstPrinter> printer = target.createPrinter(variant);
  if (!printer)
    return Failure{"the target has no assembly syntax variant " + std::to_string(variant)};
  printer->setPrintImmHex(options.hexImmediates);
  Report &report = simulation.report;
  report.instructions =
      describeInstructions(target, program, lowered, *printer,
                           {.encodings = options.encodings, .schedulingDetails = options.schedulingDetails});
  if (options.schedulingDetails)
    report.resources = describeResources(model);

  Run run(target, lowered, options);
  Listener listener(resources, count, options.dispatchWidth ? options.dispatchWidth : model.IssueWidth, options);
  run.pipeline().addEventListener(&listener);
  llvm::Expected<unsigned> cycles = run.pipeline().run();
  if (!cycles)
    return Failure{llvm::toString(cycles.takeError())};
  fillReport(report, listener, options, *printer);
  simulation.instructions = std::move(lowered.origins);
  simulation.skipped = std::move(lowered.skipped);
  return simulation;
}

} // namespace mca
