// The listing can include no file (.include, .incbin): the parser gets an empty file system.
#include "analysis/simulate/other_cpus.h"

#include "analysis/regions/caveats.h"
#include "analysis/simulate/left_out.h"
#include "analysis/simulate/model_errors.h"
#include "analysis/text/counts.h"
#include "mca-core/assembly/program.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace analysis {

OtherCpu simulateOn(const std::string &cpu, const std::string &triple, const std::string &listing, uint32_t iterations,
                    const FindTarget &findTarget) {
  OtherCpu other{.cpu = cpu, .summary = std::nullopt, .remark = {}, .leftOut = std::nullopt};
  SimulatedTarget *const simulated = findTarget({.triple = triple, .cpu = cpu, .features = ""}, other.remark);
  if (!simulated)
    return other;
  const auto failed = [&](std::string why) {
    other.remark = std::move(why);
    return other;
  };
  const mca::Target &target = *simulated->target;
  if (!target.cpuIsKnown())
    return failed("LLVM knows no " + llvm::Triple::getArchTypeName(target.triple().getArch()).str() +
                  " CPU of this name");
  if (!target.hasSchedulingModel())
    return failed("LLVM has no scheduling model for it");
  mca::ParseOptions parsing;
  parsing.files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  const std::unique_ptr<mca::Program> program = mca::Program::parse(listing, target, parsing);
  if (program->hasErrors())
    return failed(program->diagnostics().front().message);
  const auto instructions =
      llvm::to_vector(llvm::seq<uint32_t>(0, static_cast<uint32_t>(program->instructions().size())));
  mca::SimulationOptions options;
  options.callLatency = kCallLatency;
  options.sameOperands = true;
  options.iterations = iterations;
  options.rate = true;
  options.corrections = mca::Corrections::All;
  mca::Result<mca::Simulation> simulation = simulated->simulators.own().simulate(*program, instructions, options);
  if (!simulation)
    return failed(simulation.message());
  other.summary = simulation->report.summary;
  other.leftOut = leftOutCaveat(target, leftOutOf(target, *program, instructions, simulation->skipped));
  if (other.leftOut)
    other.remark = counted(other.leftOut->count, "instruction") + " without scheduling data left out";
  else if (llvm::is_contained({mca::ModelOrigin::Kind::Borrowed, mca::ModelOrigin::Kind::Shared},
                              target.modelOrigin().kind))
    other.remark = target.modelOrigin().describe(cpu);
  const ModelErrors errors = modelErrorsOf(*simulation);
  if (other.remark.empty() && !errors.uncertain.empty())
    other.remark = "LLVM's model has a known error in `" + errors.uncertain.front().names.front() + "`";
  return other;
}

} // namespace analysis
