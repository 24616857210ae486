#include "analysis/simulate/other_cpus.h"

#include "analysis/regions/caveats.h"
#include "mca-core/assembly/program.h"

#include "llvm/Support/VirtualFileSystem.h"

#include <numeric>

namespace analysis {

OtherCpu simulateOn(const std::string &cpu, const std::string &triple, const std::string &listing, uint32_t iterations,
                    const FindTarget &findTarget) {
  OtherCpu other{.cpu = cpu, .summary = std::nullopt, .remark = {}};
  SimulatedTarget *const simulated = findTarget({.triple = triple, .cpu = cpu, .features = ""}, other.remark);
  if (!simulated)
    return other;
  const mca::Target &target = *simulated->target;
  if (!target.cpuIsKnown() || !target.hasSchedulingModel()) {
    other.remark =
        target.cpuIsKnown()
            ? "LLVM has no scheduling model for it"
            : "LLVM knows no " + llvm::Triple::getArchTypeName(target.triple().getArch()).str() + " CPU of this name";
    return other;
  }
  mca::ParseOptions parsing;
  parsing.files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  const std::unique_ptr<mca::Program> program = mca::Program::parse(listing, target, parsing);
  if (program->hasErrors()) {
    other.remark = program->diagnostics().front().message;
    return other;
  }
  std::vector<uint32_t> instructions(program->instructions().size());
  std::iota(instructions.begin(), instructions.end(), 0);
  mca::SimulationOptions options;
  options.callLatency = kCallLatency;
  options.iterations = iterations;
  options.rate = true;
  mca::Result<mca::Simulation> simulation = simulated->simulators.own().simulate(*program, instructions, options);
  if (!simulation) {
    other.remark = simulation.message();
    return other;
  }
  other.summary = simulation->report.summary;
  if (!simulation->skipped.empty())
    other.remark = std::to_string(simulation->skipped.size()) + " instructions have no scheduling data and are missing";
  else if (target.modelOrigin().kind == mca::ModelOrigin::Kind::Borrowed ||
           target.modelOrigin().kind == mca::ModelOrigin::Kind::Shared)
    other.remark = target.modelOrigin().describe(cpu);
  return other;
}

} // namespace analysis
