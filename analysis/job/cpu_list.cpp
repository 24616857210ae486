// Asks LLVM for the CPUs of a target, and for the owner of each one's scheduling model.
#include "analysis/job/cpu_list.h"

#include "mca-core/target/target.h"

#include "llvm/MC/TargetRegistry.h"

#include <algorithm>

namespace analysis {
namespace {

wire::CpuModel modelOfCpu(const mca::Target &target, llvm::StringRef cpu) {
  const std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      target.backend().createMCSubtargetInfo(target.triple(), cpu, ""));
  return subtarget ? modelOf(mca::findModelOrigin(*subtarget, cpu)) : wire::CpuModel::None;
}

} // namespace

wire::CpuModel modelOf(const mca::ModelOrigin &origin) {
  switch (origin.kind) {
  case mca::ModelOrigin::Kind::None:
    return wire::CpuModel::None;
  case mca::ModelOrigin::Kind::Own:
    return wire::CpuModel::Own;
  case mca::ModelOrigin::Kind::Borrowed:
  case mca::ModelOrigin::Kind::Shared:
    break;
  }
  return wire::CpuModel::Borrowed;
}

wire::CpusResult listCpus(const wire::CpusRequest &request) {
  wire::CpusResult result{
      .id = request.id, .triple = request.triple.empty() ? mca::hostTriple() : request.triple, .cpus = {}};
  // The default "native" would fail for the triples of other machines.
  const auto target = mca::Target::create({.triple = result.triple, .cpu = "generic"});
  if (!target)
    return result;
  for (const llvm::SubtargetSubTypeKV &cpu : (*target)->subtarget().getAllProcessorDescriptions())
    result.cpus.push_back({cpu.Key, modelOfCpu(**target, cpu.Key)});
  std::sort(result.cpus.begin(), result.cpus.end(), [](const auto &a, const auto &b) { return a.name < b.name; });
  return result;
}

} // namespace analysis
