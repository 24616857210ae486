// The table of the CPUs that LLVM's models were written for, because LLVM has no query for a borrowed model.
#include "mca-core/target/model_origin.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"

namespace mca {
namespace {

using llvm::Triple;

// The names of the first resources are those of LLVM 22's llvm/lib/Target/*/*Sched*.td, whose models prefix them with
// their CPU's name. A model without an entry here is reported as shared, or as own if only one CPU has it.
constexpr ModelOwner kOwners[] = {
    {Triple::x86_64, "ADLPPort", "alderlake"},
    {Triple::x86_64, "AtomPort", "atom bonnell"},
    {Triple::x86_64, "BWDivider", "broadwell core_5th_gen_avx core_5th_gen_avx_tsx"},
    {Triple::x86_64, "HWDivider", "haswell core-avx2 core_4th_gen_avx core_4th_gen_avx_tsx"},
    {Triple::x86_64, "ICXDivider", "icelake-server icelake_server icelake-client icelake_client"},
    {Triple::x86_64, "JALU", "btver2"},
    {Triple::x86_64, "LNLPPort", "lunarlake"},
    {Triple::x86_64, "PdAGLU", "bdver2"},
    {Triple::x86_64, "SBDivider", "sandybridge corei7-avx core_2nd_gen_avx"},
    {Triple::x86_64, "SKLDivider", "skylake"},
    {Triple::x86_64, "SKXDivider", "skylake-avx512 skylake_avx512 skx"},
    {Triple::x86_64, "SLMDivider", "silvermont slm atom_sse4_2"},
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
    {Triple::riscv64, "Andes45", "andes-45-series andes-a45 andes-n45 andes-nx45 andes-ax45 andes-ax45mpv"},
    {Triple::riscv64, "RocketUnit", "rocket rocket-rv32 rocket-rv64"},
    {Triple::riscv64, "SCR1_", "syntacore-scr1-max syntacore-scr1-base"},
    {Triple::riscv64, "SiFiveP400", "sifive-p450"},
    {Triple::riscv64, "VLEN512SiFive7", "sifive-7-series sifive-e76 sifive-s76 sifive-u74 sifive-x280"},
    {Triple::ppc64, "P10_", "pwr10"},
    {Triple::ppc64, "P8_", "pwr8"},
    {Triple::systemz, "Z13_", "z13 arch11"},
    {Triple::systemz, "Z14_", "z14 arch12"},
    {Triple::systemz, "Z15_", "z15 arch13"},
    {Triple::systemz, "Z16_", "z16 arch14"},
    {Triple::systemz, "Z17_", "z17 arch15"},
    {Triple::systemz, "Z196_", "z196 arch9"},
    {Triple::systemz, "ZEC12_", "zEC12 arch10"},
};

/// The model's entry; null if the table has none.
const ModelOwner *findOwner(const llvm::MCSchedModel &model, const Triple &triple) {
  if (!model.hasInstrSchedModel() || model.getNumProcResourceKinds() < 2)
    return nullptr;
  const llvm::StringRef resource = model.getProcResource(1)->Name; // resource 0 is LLVM's invalid one
  const llvm::StringRef family = Triple::getArchTypePrefix(triple.getArch());
  for (const ModelOwner &owner : kOwners)
    if (Triple::getArchTypePrefix(owner.arch) == family && resource.starts_with(owner.resourcePrefix))
      return &owner;
  return nullptr;
}

/// Returns the name of the model's owner, `cpu` itself if it is one of the owner's names, or nothing if the table has
/// no entry.
llvm::StringRef ownerOf(const llvm::MCSchedModel &model, const Triple &triple, llvm::StringRef cpu) {
  const ModelOwner *owner = findOwner(model, triple);
  if (!owner)
    return {};
  return llvm::is_contained(llvm::split(owner->cpus, ' '), cpu) ? cpu : owner->cpus.split(' ').first;
}

} // namespace

std::span<const ModelOwner> modelOwners() {
  return kOwners;
}

llvm::StringRef modelNameOf(const llvm::MCSubtargetInfo &subtarget) {
  const ModelOwner *owner = findOwner(subtarget.getSchedModel(), subtarget.getTargetTriple());
  return owner ? owner->cpus.split(' ').first : llvm::StringRef();
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
  llvm::sort(origin.sharers);

  // An owner that is not among the sharers belongs to another model with the same prefix.
  const std::string_view owner = ownerOf(model, subtarget.getTargetTriple(), resolved);
  // A CPU that is the only one with its model owns it, even if the table does not know the model.
  if (owner == resolved || origin.sharers.empty()) {
    origin.kind = ModelOrigin::Kind::Own;
    origin.owner = cpu;
  } else if (!owner.empty() && llvm::is_contained(origin.sharers, owner)) {
    origin.kind = ModelOrigin::Kind::Borrowed;
    origin.owner = owner;
  } else {
    origin.kind = ModelOrigin::Kind::Shared;
  }
  return origin;
}

std::string ModelOrigin::describe(std::string_view cpu) const {
  constexpr size_t kMaxNames = 3;
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
  return name + ": shares its model with " + llvm::join(llvm::ArrayRef(sharers).take_front(kMaxNames), ", ") +
         (sharers.size() > kMaxNames ? " and " + std::to_string(sharers.size() - kMaxNames) + " more" : "");
}

} // namespace mca
