// The steps of llvm-mca around its pipeline: lower, build the pipeline that the scheduling model asks for, listen.
#include "tests/differential/reference/simulation.h"

#include "tests/differential/reference/description.h"
#include "tests/differential/reference/observers.h"

#include "llvm/MC/TargetRegistry.h"
#include "llvm/MCA/Context.h"
#include "llvm/MCA/SourceMgr.h"
#include "llvm/MCA/Stages/EntryStage.h"
#include "llvm/MCA/Stages/InstructionTables.h"
#include "llvm/MCA/Support.h"

namespace mca::reference {
namespace {

std::string messageOf(llvm::Error error) {
  std::string message;
  llvm::handleAllErrors(
      std::move(error), [&](const llvm::mca::InstructionError<llvm::MCInst> &e) { message = e.Message; },
      [&](const llvm::ErrorInfoBase &e) { message = e.message(); });
  return message;
}

/// The pipeline of one run and what it refers to.
class Machine {
public:
  Machine(const Target &target, llvm::ArrayRef<std::unique_ptr<llvm::mca::Instruction>> instructions,
          const SimulationOptions &options, uint32_t iterations)
      : source_(instructions, options.instructionTables ? 1 : iterations),
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
    pipeline_ = context_.createDefaultPipeline(
        llvm::mca::PipelineOptions(options.microOpQueueSize, options.decoderThroughput, options.dispatchWidth,
                                   options.registerFileSize, options.loadQueueSize, options.storeQueueSize,
                                   options.noAlias, options.bottlenecks),
        source_, *behaviour_);
  }

  /// Empty, or why LLVM gave up.
  std::string run(std::vector<std::unique_ptr<Observer>> &observers) {
    for (const std::unique_ptr<Observer> &observer : observers)
      pipeline_->addEventListener(observer.get());
    llvm::Expected<unsigned> cycles = pipeline_->run();
    return cycles ? std::string() : messageOf(cycles.takeError());
  }

private:
  llvm::mca::CircularSourceMgr source_;
  llvm::mca::Context context_;
  std::unique_ptr<llvm::mca::CustomBehaviour> behaviour_;
  std::unique_ptr<llvm::mca::Pipeline> pipeline_;
};

} // namespace

LlvmSimulation::LlvmSimulation(const Target &target, const Program &program, const SimulationOptions &options)
    : target_(&target), program_(&program), options_(options),
      builder_(std::make_unique<llvm::mca::InstrBuilder>(target.subtarget(), target.instructions(), target.registers(),
                                                         target.analysis(), target.instruments(), options.callLatency)),
      postProcess_(options.customBehaviour
                       ? target.backend().createInstrPostProcess(target.subtarget(), target.instructions())
                       : nullptr) {}

bool LlvmSimulation::addInstructions(std::span<const uint32_t> region, OnSkipped onSkipped) {
  for (uint32_t position = 0; position < region.size(); ++position) {
    const Instruction &source = program_->instructions()[region[position]];
    auto instruction = builder_->createInstruction(source.inst, program_->instrumentsOf(source));
    if (!instruction) {
      skipped.push_back({position, messageOf(instruction.takeError())});
      if (onSkipped && !onSkipped(skipped.back()))
        return false;
      continue;
    }
    if (postProcess_)
      postProcess_->postProcessInstruction(**instruction, source.inst);
    instructions.push_back(position);
    sources_.push_back(&source);
    lowered_.push_back(std::move(*instruction));
  }
  return true;
}

Result<LlvmSimulation> LlvmSimulation::lower(const Target &target, const Program &program,
                                             std::span<const uint32_t> region, const SimulationOptions &options,
                                             OnSkipped onSkipped) {
  if (!target.hasSchedulingModel())
    return Failure{"unable to find instruction-level scheduling information for target triple '" +
                   target.triple().str() + "' and cpu '" + target.cpu() + "'"};
  LlvmSimulation simulation(target, program, options);
  const bool wanted = simulation.addInstructions(region, onSkipped);
  if (!wanted || simulation.lowered_.empty())
    return Failure{simulation.skipped.empty() ? "the region has no instructions" : simulation.skipped.front().message};
  const int variant = options.syntaxVariant < 0 ? int(program.syntaxVariant()) : options.syntaxVariant;
  simulation.printer_ = target.createPrinter(variant);
  if (!simulation.printer_)
    return Failure{"the target has no assembly syntax variant " + std::to_string(variant)};
  simulation.printer_->setPrintImmHex(options.hexImmediates);
  return simulation;
}

void LlvmSimulation::describe(Report &report) const {
  const Describer describer(*target_, *program_, *printer_);
  for (size_t i = 0; i < lowered_.size(); ++i)
    report.instructions.push_back(describer.describe(*sources_[i], *lowered_[i], options_.schedulingDetails));
  if (options_.encodings)
    describer.addEncodings(sources_, report.instructions);
  if (options_.schedulingDetails)
    report.resources = describer.resources();
}

std::string LlvmSimulation::run(Report &report, uint32_t iterations, std::vector<DependencyEdge> *dependencies) const {
  SimulationOptions options = options_;
  options.iterations = iterations;
  const Setting setting{target_->subtarget().getSchedModel(), static_cast<uint32_t>(lowered_.size()), options,
                        *printer_, dependencies};
  std::vector<std::unique_ptr<Observer>> observers = makeObservers(setting);
  Machine machine(*target_, lowered_, options, iterations);
  if (std::string complaint = machine.run(observers); !complaint.empty())
    return complaint;
  for (const std::unique_ptr<Observer> &observer : observers)
    observer->finish(report);
  return {};
}

Result<Simulation> simulateWithLlvm(const Target &target, const Program &program, std::span<const uint32_t> region,
                                    const SimulationOptions &options, OnSkipped onSkipped) {
  Result<LlvmSimulation> lowered = LlvmSimulation::lower(target, program, region, options, onSkipped);
  if (!lowered)
    return Failure{lowered.message()};
  Simulation simulation;
  lowered->describe(simulation.report);
  if (std::string complaint = lowered->run(simulation.report, options.iterations); !complaint.empty())
    return Failure{complaint};
  simulation.instructions = lowered->instructions;
  simulation.skipped = lowered->skipped;
  return simulation;
}

} // namespace mca::reference
