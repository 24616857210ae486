// simulate() on LLVM's own MCA pipeline, out-of-order or in-order as the model says, with the target's custom
// behaviour.
//
// The pipeline tells a listener what happens; the listener translates that to our collectors, which know no LLVM event.
#include "mca-core/engine/simulate.h"

#include "mca-core/model/resources.h"
#include "mca-core/views/bottlenecks.h"
#include "mca-core/views/collectors.h"
#include "mca-core/views/instruction_info.h"

#include "llvm/MC/TargetRegistry.h"
#include "llvm/MCA/Context.h"
#include "llvm/MCA/HWEventListener.h"
#include "llvm/MCA/SourceMgr.h"

#include <algorithm>
#include <optional>

namespace mca {
namespace {

class Listener final : public llvm::mca::HWEventListener {
public:
  Listener(const ResourceTable &resources, uint32_t instructions, uint32_t dispatchWidth,
           const SimulationOptions &options)
      : resources_(resources), summary(resources, instructions, dispatchWidth), pressure(resources, instructions) {
    if (options.timeline)
      timeline.emplace(instructions, std::min(options.iterations, options.timelineMaxIterations),
                       options.timelineMaxCycles);
    if (options.bottlenecks)
      bottlenecks.emplace(resources, instructions);
  }

  void onEvent(const llvm::mca::HWInstructionEvent &event) override;
  void onEvent(const llvm::mca::HWPressureEvent &event) override;
  void onEvent(const llvm::mca::HWStallEvent &) override {
    if (bottlenecks)
      bottlenecks->onStall();
  }
  void onCycleEnd() override {
    summary.onCycleEnd();
    if (timeline)
      timeline->onCycleEnd();
    if (bottlenecks)
      bottlenecks->onCycleEnd();
  }

private:
  void onIssued(const llvm::mca::HWInstructionIssuedEvent &event);
  void onRetired(const llvm::mca::InstRef &ref);

  const ResourceTable &resources_;
  std::vector<UsedUnit> used_;
  std::vector<DelayedInstruction> delayed_;
  std::vector<std::pair<uint64_t, uint32_t>> resourceCycles_;

public:
  SummaryCollector summary;
  PressureCollector pressure;
  std::optional<TimelineCollector> timeline;
  std::optional<BottleneckCollector> bottlenecks;
};

void Listener::onEvent(const llvm::mca::HWInstructionEvent &event) {
  using Event = llvm::mca::HWInstructionEvent;
  const unsigned id = event.IR.getSourceIndex();
  switch (event.Type) {
  case Event::Dispatched:
    if (timeline)
      timeline->onDispatched(id);
    if (bottlenecks)
      bottlenecks->onDispatched(id);
    break;
  case Event::Ready:
    if (timeline)
      timeline->onReady(id);
    break;
  case Event::Issued:
    onIssued(static_cast<const llvm::mca::HWInstructionIssuedEvent &>(event));
    break;
  case Event::Executed:
    if (timeline)
      timeline->onExecuted(id);
    if (bottlenecks)
      bottlenecks->onExecuted(id);
    break;
  case Event::Retired:
    onRetired(event.IR);
    break;
  default:
    break;
  }
}

void Listener::onIssued(const llvm::mca::HWInstructionIssuedEvent &event) {
  const unsigned id = event.IR.getSourceIndex();
  used_.clear();
  for (const llvm::mca::ResourceUse &use : event.UsedResources)
    used_.push_back({static_cast<uint32_t>(use.first.first), use.first.second, use.second.getNumerator(),
                     use.second.getDenominator()});
  pressure.onIssued(id, used_);
  if (timeline)
    timeline->onIssued(id);
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

void Listener::onRetired(const llvm::mca::InstRef &ref) {
  resourceCycles_.clear();
  const llvm::mca::Instruction &instruction = *ref.getInstruction();
  for (const auto &[mask, usage] : instruction.getDesc().Resources)
    resourceCycles_.emplace_back(mask, usage.size());
  summary.onRetired(ref.getSourceIndex(), instruction.getNumMicroOps(), resourceCycles_);
  if (timeline)
    timeline->onRetired(ref.getSourceIndex());
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

} // namespace

Result<Simulation> simulate(const Target &target, const Program &program, std::span<const uint32_t> region,
                            const SimulationOptions &options) {
  if (!target.hasSchedulingModel())
    return noModel(target);
  Lowering lowering(target, options.callLatency);
  LoweredRegion lowered = lowering.lower(program, region);
  if (lowered.instructions.empty())
    return Failure{lowered.skipped.empty() ? "the region has no instructions" : lowered.skipped.front().message};

  const llvm::MCSchedModel &model = target.subtarget().getSchedModel();
  const ResourceTable resources(model);
  const auto count = static_cast<uint32_t>(lowered.instructions.size());
  Simulation simulation;
  const int variant = options.syntaxVariant < 0 ? int(program.syntaxVariant()) : options.syntaxVariant;
  const std::unique_ptr<llvm::MCInstPrinter> printer = target.createPrinter(variant);
  if (!printer)
    return Failure{"the target has no assembly syntax variant " + std::to_string(variant)};
  simulation.report.instructions = describeInstructions(target, program, lowered, *printer);

  llvm::mca::CircularSourceMgr source(lowered.instructions, options.iterations);
  std::unique_ptr<llvm::mca::CustomBehaviour> behaviour(
      target.backend().createCustomBehaviour(target.subtarget(), source, target.instructions()));
  if (!behaviour)
    behaviour = std::make_unique<llvm::mca::CustomBehaviour>(target.subtarget(), source, target.instructions());
  llvm::mca::Context context(target.registers(), target.subtarget());
  const llvm::mca::PipelineOptions pipelineOptions(0, 0, 0, 0, 0, 0, /*NoAlias=*/true, options.bottlenecks);
  const std::unique_ptr<llvm::mca::Pipeline> pipeline =
      context.createDefaultPipeline(pipelineOptions, source, *behaviour);

  Listener listener(resources, count, model.IssueWidth, options);
  pipeline->addEventListener(&listener);
  llvm::Expected<unsigned> cycles = pipeline->run();
  if (!cycles)
    return Failure{llvm::toString(cycles.takeError())};

  Report &report = simulation.report;
  report.summary = listener.summary.finish(options.iterations);
  report.pressure = listener.pressure.finish(options.iterations);
  if (listener.timeline)
    report.timeline = listener.timeline->finish();
  if (listener.bottlenecks)
    report.bottlenecks = listener.bottlenecks->finish(options.iterations, *printer);
  simulation.instructions = std::move(lowered.origins);
  simulation.skipped = std::move(lowered.skipped);
  return simulation;
}

} // namespace mca
