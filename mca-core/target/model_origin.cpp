// Maps the resource names of LLVM's scheduling models to the CPUs that the models were written for.
#include "mca-core/target/model_origin.h"

#include "llvm/MC/MCSubtargetInfo.h"

#include <algorithm>

namespace mca {
namespace {

// Identifies the CPU that a model was written for by a prefix of its resource names. The source is LLVM 22's
// llvm/lib/Target/*/*Sched*.td. A model without an entry here is reported as shared or own only.
//
// If several names stand for one core, or for the series that the model was written for, they follow each other: each
// of them owns the model, and the first is the one we print.
using llvm::Triple;
constexpr ModelOwner kOwners[] = {
    {Triple::x86_64, "ADLPPort", "alderlake"},
    {Triple::x86_64, "AtomPort", "atom"},
    {Triple::x86_64, "AtomPort", "bonnell"},
    {Triple::x86_64, "BWDivider", "broadwell"},
    {Triple::x86_64, "BWDivider", "core_5th_gen_avx"},
    {Triple::x86_64, "BWDivider", "core_5th_gen_avx_tsx"},
    {Triple::x86_64, "HWDivider", "haswell"},
    {Triple::x86_64, "HWDivider", "core-avx2"},
    {Triple::x86_64, "HWDivider", "core_4th_gen_avx"},
    {Triple::x86_64, "HWDivider", "core_4th_gen_avx_tsx"},
    {Triple::x86_64, "ICXDivider", "icelake-server"},
    {Triple::x86_64, "ICXDivider", "icelake_server"},
    {Triple::x86_64, "ICXDivider", "icelake-client"},
    {Triple::x86_64, "ICXDivider", "icelake_client"},
    {Triple::x86_64, "JALU", "btver2"},
    {Triple::x86_64, "LNLPPort", "lunarlake"},
    {Triple::x86_64, "PdAGLU", "bdver2"},
    {Triple::x86_64, "SBDivider", "sandybridge"},
    {Triple::x86_64, "SBDivider", "corei7-avx"},
    {Triple::x86_64, "SBDivider", "core_2nd_gen_avx"},
    {Triple::x86_64, "SKLDivider", "skylake"},
    {Triple::x86_64, "SKXDivider", "skylake-avx512"},
    {Triple::x86_64, "SKXDivider", "skylake_avx512"},
    {Triple::x86_64, "SKXDivider", "skx"},
    {Triple::x86_64, "SLMDivider", "silvermont"},
    {Triple::x86_64, "SLMDivider", "slm"},
    {Triple::x86_64, "SLMDivider", "atom_sse4_2"},
    {Triple::x86_64, "SPRPort", "sapphirerapids"},
    {Triple::x86_64, "ZnAGU", "znver1"},
    {Triple::x86_64, "Zn2", "znver2"},
    {Triple::x86_64, "Zn3", "znver3"},
    {Triple::x86_64, "Zn4", "znver4"},
    {Triple::aarch64, "A53Unit", "cortex-a53"},
    {Triple::aarch64, "A57Unit", "cortex-a57"},
    {Triple::aarch64, "A64FX", "a64fx"},
    {Triple::aarch64, "Ampere1Unit", "ampere1"},
    {Triple::aarch64, "Ampere1BUnit", "ampere1b"},
    {Triple::aarch64, "CortexA320Unit", "cortex-a320"},
    {Triple::aarch64, "CortexA510Unit", "cortex-a510"},
    {Triple::aarch64, "CortexA55Unit", "cortex-a55"},
    {Triple::aarch64, "CyUnit", "apple-a7"}, // Cyclone
    {Triple::aarch64, "FalkorUnit", "falkor"},
    {Triple::aarch64, "N1Unit", "neoverse-n1"},
    {Triple::aarch64, "N2Unit", "neoverse-n2"},
    {Triple::aarch64, "N3Unit", "neoverse-n3"},
    {Triple::aarch64, "THXT8XUnit", "thunderxt88"},
    {Triple::aarch64, "V1Unit", "neoverse-v1"},
    {Triple::aarch64, "V2Unit", "neoverse-v2"},
    {Triple::aarch64, "V3Unit", "neoverse-v3"},
    {Triple::aarch64, "V3AEUnit", "neoverse-v3ae"},
    {Triple::arm, "A57Unit", "cortex-a57"},
    {Triple::arm, "A9Unit", "cortex-a9"},
    {Triple::arm, "M4Unit", "cortex-m4"},
    {Triple::arm, "M55Unit", "cortex-m55"},
    {Triple::arm, "R52Unit", "cortex-r52"},
    {Triple::arm, "SwiftUnit", "swift"},
    {Triple::riscv64, "Andes45", "andes-45-series"},
    {Triple::riscv64, "Andes45", "andes-a45"},
    {Triple::riscv64, "Andes45", "andes-n45"},
    {Triple::riscv64, "Andes45", "andes-nx45"},
    {Triple::riscv64, "Andes45", "andes-ax45"},
    {Triple::riscv64, "Andes45", "andes-ax45mpv"},
    {Triple::riscv64, "RocketUnit", "rocket"},
    {Triple::riscv64, "RocketUnit", "rocket-rv32"},
    {Triple::riscv64, "RocketUnit", "rocket-rv64"},
    {Triple::riscv64, "SCR1_", "syntacore-scr1-max"},
    {Triple::riscv64, "SCR1_", "syntacore-scr1-base"},
    {Triple::riscv64, "SiFiveP400", "sifive-p450"},
    {Triple::riscv64, "VLEN512SiFive7", "sifive-7-series"},
    {Triple::riscv64, "VLEN512SiFive7", "sifive-e76"},
    {Triple::riscv64, "VLEN512SiFive7", "sifive-s76"},
    {Triple::riscv64, "VLEN512SiFive7", "sifive-u74"},
    {Triple::riscv64, "VLEN512SiFive7", "sifive-x280"},
    {Triple::ppc64, "P10_", "pwr10"},
    {Triple::ppc64, "P8_", "pwr8"},
    {Triple::systemz, "Z13_", "z13"},
    {Triple::systemz, "Z13_", "arch11"},
    {Triple::systemz, "Z14_", "z14"},
    {Triple::systemz, "Z14_", "arch12"},
    {Triple::systemz, "Z15_", "z15"},
    {Triple::systemz, "Z15_", "arch13"},
    {Triple::systemz, "Z16_", "z16"},
    {Triple::systemz, "Z16_", "arch14"},
    {Triple::systemz, "Z17_", "z17"},
    {Triple::systemz, "Z17_", "arch15"},
    {Triple::systemz, "Z196_", "z196"},
    {Triple::systemz, "Z196_", "arch9"},
    {Triple::systemz, "ZEC12_", "zEC12"},
    {Triple::systemz, "ZEC12_", "arch10"},
};

llvm::Triple::ArchType familyOf(const llvm::Triple &triple) {
  if (triple.isX86())
    return Triple::x86_64;
  if (triple.isAArch64())
    return Triple::aarch64;
  if (triple.isARM() || triple.isThumb())
    return Triple::arm;
  if (triple.isRISCV())
    return Triple::riscv64;
  if (triple.isPPC())
    return Triple::ppc64;
  return triple.getArch();
}

/// Returns the name of the model's owner, `cpu` itself if it is one of the owner's names, or nothing if the table has
/// no entry.
std::string_view ownerOf(const llvm::MCSchedModel &model, const llvm::Triple &triple, std::string_view cpu) {
  if (model.getNumProcResourceKinds() < 2)
    return {};
  const llvm::StringRef resource = model.getProcResource(1)->Name;
  std::string_view first;
  for (const ModelOwner &owner : kOwners) {
    if (owner.arch != familyOf(triple) || !resource.starts_with(owner.resourcePrefix))
      continue;
    if (owner.cpu == cpu)
      return cpu;
    if (first.empty())
      first = owner.cpu;
  }
  return first;
}

bool contains(const std::vector<std::string> &names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace

std::span<const ModelOwner> modelOwners() {
  return kOwners;
}

ModelOrigin findModelOrigin(const llvm::MCSubtargetInfo &subtarget, std::string_view cpu) {
  ModelOrigin origin;
  const llvm::MCSchedModel &model = subtarget.getSchedModel();
  if (!model.hasInstrSchedModel())
    return origin;
  // Aliases such as apple-m1 are not in LLVM's list: LLVM has replaced them by the listed name.
  const std::string_view resolved = subtarget.getCPU();
  for (const llvm::SubtargetSubTypeKV &processor : subtarget.getAllProcessorDescriptions())
    if (processor.SchedModel == &model && processor.Key != cpu && processor.Key != resolved)
      origin.sharers.emplace_back(processor.Key);
  std::sort(origin.sharers.begin(), origin.sharers.end());

  const std::string_view owner = ownerOf(model, subtarget.getTargetTriple(), resolved);
  if (owner == resolved || origin.sharers.empty()) {
    origin.kind = ModelOrigin::Kind::Own;
    origin.owner = cpu;
  } else if (!owner.empty() && contains(origin.sharers, owner)) {
    origin.kind = ModelOrigin::Kind::Borrowed;
    origin.owner = owner;
  } else {
    origin.kind = ModelOrigin::Kind::Shared;
  }
  return origin;
}

std::string ModelOrigin::describe(std::string_view cpu) const {
  const std::string name(cpu);
  switch (kind) {
  case Kind::None:
    return name + ": LLVM has no scheduling model for it";
  case Kind::Own:
    return name + ": its own model";
  case Kind::Borrowed:
    return name + ": modelled as " + owner;
  case Kind::Shared:
    break;
  }
  std::string text = name + ": shares its model with ";
  for (size_t i = 0; i < sharers.size() && i < 3; ++i)
    text += (i ? ", " : "") + sharers[i];
  if (sharers.size() > 3)
    text += " and " + std::to_string(sharers.size() - 3) + " more";
  return text;
}

} // namespace mca
