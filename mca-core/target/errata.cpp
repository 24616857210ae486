// The table of the known errors, and those that the shape of a row tells.
//
// Of LLVM's tunings for false dependencies, five are missing on purpose: false-deps-perm, -range, -getmant, -mulc and
// -mullq. LLVM has them for Sapphire and Emerald Rapids, but on an Emerald Rapids a sequence that writes one register
// runs at the instruction's throughput and not at its latency: vpermd 1.00 cycles (latency 3), vrangess 0.50 (4),
// vgetmantsd 0.50 (4), vfmulcsh 1.00 (9), vpmullq %ymm 1.50 (15).
#include "mca-core/target/errata.h"

#include "mca-core/target/model_origin.h"
#include "mca-core/target/target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrDesc.h"
#include "llvm/MC/MCSchedule.h"

#include <algorithm>
#include <array>

namespace mca {
namespace {

using Kind = Erratum::Kind;
using llvm::StringRef;

constexpr StringRef kZenDependencies = "llvm/llvm-project#206849";
constexpr StringRef kOnEmeraldRapids = "measured on an Emerald Rapids";
constexpr StringRef kCompressExpand = "VP?(COMPRESS|EXPAND)(PS|PD|B|W|D|Q)Z(128|256)?r[rm]kz";

constexpr Erratum falseDependency(StringRef reference) {
  return {.kind = Kind::FalseDependency, .reference = reference};
}

/// A division or square root of Golden Cove, which LLVM's models let begin in each cycle. uops.info has the same
/// throughputs for Alder Lake's P core.
constexpr ErratumEntry dividing(StringRef opcodes, uint32_t cycles) {
  return {"alderlake sapphirerapids",
          "",
          "",
          opcodes,
          {.kind = Kind::TooFast, .reference = kOnEmeraldRapids, .unit = "Port00", .cycles = cycles}};
}

/// A row that LLVM 23 has changed. 0 and an empty name: it is the same there.
constexpr ErratumEntry fixed(Kind kind, StringRef models, StringRef opcodes, StringRef unit, uint32_t cycles,
                             int32_t latency, uint32_t microOps) {
  return {
      models,
      "",
      "",
      opcodes,
      {.kind = kind, .reference = "LLVM 23", .unit = unit, .cycles = cycles, .latency = latency, .microOps = microOps}};
}

constexpr ErratumEntry kTable[] = {
    {"sandybridge haswell broadwell skylake skylake-avx512", "", "false-deps-popcnt", "POPCNT(16|32|64)r[rm]",
     falseDependency("Intel's specification updates, HSD146, BDM85 and SKL029")},
    {"haswell broadwell", "", "false-deps-lzcnt-tzcnt", "[LT]ZCNT(16|32|64)r[rm]",
     falseDependency("LLVM's tuning false-deps-lzcnt-tzcnt")},
    {"znver4", "znver5", "", "(TZCNT|BLSI|BLSR|BLSMSK)(32|64)r[rm]", falseDependency(kZenDependencies)},
    {"znver4", "znver4", "", kCompressExpand, falseDependency(kZenDependencies)},
    {"znver4", "znver5", "", kCompressExpand, falseDependency(kZenDependencies)},
    {"alderlake sapphirerapids",
     "",
     "",
     "(AND|OR|XOR)(8|16|32|64)(rr|ri|ri8|ri32|i8|i16|i32)(_REV)?",
     {.kind = Kind::TooSlow, .reference = kOnEmeraldRapids, .latency = 1}},
    // The aligned store has 18 cycles in the same model.
    {"bdver2",
     "bdver2",
     "",
     "VMOV(UPS|UPD|DQU)Ymr",
     {.kind = Kind::TooFast,
      .reference = "Agner Fog's instruction tables, Piledriver",
      .unit = "PdStore",
      .cycles = 20}},
    dividing("V?DIV(SSZ?|PS(Z128)?)r[rm].*", 3),
    dividing("VDIVPS(Y|Z256)r[rm].*", 5),
    dividing("VDIVPSZr[rm].*", 10),
    dividing("V?DIV(SDZ?|PD(Z128)?)r[rm].*", 4),
    dividing("VDIVPD(Y|Z256)r[rm].*", 8),
    dividing("VDIVPDZr[rm].*", 16),
    dividing("V?SQRT(SSZ?|PS(Z128)?)[rm].*", 3),
    dividing("VSQRTPS(Y|Z256)[rm].*", 6),
    dividing("VSQRTPSZ[rm].*", 12),
    dividing("V?SQRT(SDZ?|PD(Z128)?)[rm].*", 6),
    dividing("VSQRTPD(Y|Z256)[rm].*", 12),
    dividing("VSQRTPDZ[rm].*", 24),
    // Single rows that ./dev errata 23 lists. A core that got a model of its own has a borrowed one here, which is said
    // anyway; RISC-V's vector rows depend on LMUL.
    fixed(Kind::TooFast, "znver1 znver2", "SH[LR]D(16|32|64)rri8", "ALU", 12, 3, 6),
    fixed(Kind::TooFast, "znver1 znver2", "SH[LR]D(16|32|64)mri8", "ALU", 12, 7, 8),
    fixed(Kind::TooFast, "cortex-a510", "LD1Four(v16b|v8b|v8h|v4h|v4s|v2s|v2d|v1d)(_POST)?", "UnitLd", 4, 0, 0),
    fixed(Kind::TooFast, "cortex-a510", "LD1Two(v16b|v8b|v8h|v4h|v4s|v2s|v2d|v1d)", "UnitLd", 2, 0, 0),
    fixed(Kind::TooFast, "cortex-a510", "LD3Three(v16b|v8b|v8h|v4h|v4s|v2s|v2d)(_POST)?", "UnitLd", 6, 0, 0),
    fixed(Kind::TooFast, "cortex-a510", "LD4Four(v16b|v8b|v8h|v4h|v4s|v2s)(_POST)?", "UnitLd", 6, 5, 0),
    fixed(Kind::TooFast, "cortex-a510", "LD4Fourv2d(_POST)?", "UnitLd", 8, 5, 0),
    fixed(Kind::TooSlow, "cortex-a510", "LD2Two(v16b|v4s|v8h)(_POST)?", "", 0, 4, 0),
    fixed(Kind::TooSlow, "cortex-a510", "LD2Twov2d(_POST)?", "UnitLd", 2, 4, 0),
    fixed(Kind::TooSlow, "cortex-a510 cortex-a320", "[SU]M(AX|IN)P?v4i32", "", 0, 3, 0),
    fixed(Kind::TooSlow, "cortex-a55", "[SU]M(AX|IN)P?v4i32", "", 0, 2, 0),
    fixed(Kind::TooSlow, "a64fx", "LAST[AB]_RPZ_[BHSD]", "", 0, 25, 0),
};

/// LLVM's models of Zen 4 and 5 have no row of their own for gathers and scatters. The values are those proposed for
/// Zen 4's: for 4 and 8 elements, gathers have 20 and 41 micro-ops and use the load units 12 and 24 times, and a
/// scatter of 8 elements has 48 micro-ops.
Erratum oneAccess(uint32_t lanes, bool isGather, StringRef model) {
  Erratum erratum{.kind = Kind::OneAccess, .reference = "llvm/llvm-project#137808", .lanes = lanes};
  if (model != "znver4")
    return erratum;
  erratum.reference = isGather ? "llvm/llvm-project#212997" : "llvm/llvm-project#198850";
  erratum.accessesPerLane = isGather ? 3 : 1;
  erratum.microOpsPerLane = isGather ? 5 : 6;
  return erratum;
}

/// The instruction with a register in place of its memory operand, for the predicates of a variant row: they ask
/// whether two operands are one register, and this one is no other's.
llvm::MCInst withRegister(const llvm::MCInst &inst, unsigned opcode, const llvm::MCInstrDesc &description) {
  llvm::MCInst form;
  form.setOpcode(opcode);
  unsigned other = 1;
  for (const llvm::MCOperand &operand : inst)
    if (operand.isReg())
      other = std::max(other, operand.getReg().id() + 1);
  bool isReplaced = false;
  for (unsigned i = 0; i < inst.getNumOperands(); ++i) {
    const bool isMemory =
        i < description.getNumOperands() && description.operands()[i].OperandType == llvm::MCOI::OPERAND_MEMORY;
    if (!isMemory)
      form.addOperand(inst.getOperand(i));
    else if (!std::exchange(isReplaced, true))
      form.addOperand(llvm::MCOperand::createReg(other));
  }
  return form;
}

} // namespace

uint32_t gatheredElements(StringRef opcode) {
  StringRef rest = opcode;
  if (!rest.consume_front("V"))
    return 0;
  rest.consume_front("P");
  if (!rest.consume_front("GATHER") && !rest.consume_front("SCATTER"))
    return 0;
  const uint32_t index = rest.consume_front("D") ? 32 : rest.consume_front("Q") ? 64 : 0;
  const uint32_t element = rest.consume_front("PS") || rest.consume_front("D")   ? 32
                           : rest.consume_front("PD") || rest.consume_front("Q") ? 64
                                                                                 : 0;
  if (!index || !element) // a prefetch
    return 0;
  const bool isWide = rest.consume_front("Y") || rest.consume_front("Z256");
  const uint32_t vector = isWide ? 256 : rest.consume_front("Z128") ? 128 : rest.consume_front("Z") ? 512 : 128;
  return vector / std::max(index, element);
}

std::span<const ErratumEntry> errataTable() {
  return kTable;
}

Errata::Errata(const Target &target) : target_(target), model_(modelNameOf(target.subtarget())) {
  const llvm::MCSubtargetInfo &subtarget = target.subtarget();
  for (const ErratumEntry &entry : kTable) {
    const bool isOfModel = !model_.empty() && llvm::is_contained(llvm::split(entry.models, ' '), model_);
    const bool isOfCpu = entry.cpu.empty() || entry.cpu == subtarget.getCPU();
    if (isOfModel && isOfCpu && (entry.tuning.empty() || subtarget.checkFeatures(("+" + entry.tuning).str())))
      of_.emplace_back(llvm::Regex(("^(" + entry.opcodes + ")$").str()), &entry);
  }
}

const ErratumEntry *Errata::entryOf(unsigned opcode) {
  if (of_.empty())
    return nullptr;
  const auto [known, isNew] = entries_.try_emplace(opcode, nullptr);
  if (isNew)
    for (const auto &[pattern, entry] : of_)
      if (pattern.match(target_.instructions().getName(opcode)))
        known->second = entry;
  return known->second;
}

std::optional<Erratum> Errata::find(unsigned opcode, const ModelRow &row) {
  if (const ErratumEntry *entry = entryOf(opcode)) {
    // Another row of a variant, or a form that the pattern also covers, may be right.
    const Erratum &erratum = entry->erratum;
    const bool isRight = erratum.kind == Kind::TooSlow && erratum.latency && row.latency <= erratum.latency;
    return isRight ? std::nullopt : std::optional(erratum);
  }
  const StringRef name = target_.instructions().getName(opcode);
  if (target_.triple().isX86()) {
    constexpr uint32_t kMostOfOneAccess = 2; // micro-ops
    if (const uint32_t lanes = gatheredElements(name); lanes && row.microOps <= kMostOfOneAccess)
      return oneAccess(lanes, name.contains("GATHER"), model_);
    // WriteMicrocoded and WriteSystem in LLVM's X86 models.
    if (row.microOps == 1 && row.latency == 100)
      return Erratum{.kind = Kind::Placeholder, .reference = "LLVM's WriteMicrocoded"};
  }
  if (model_ == "cortex-a9" && !row.takesUnits && (name.starts_with("VLD") || name.starts_with("VST")))
    return Erratum{.kind = Kind::NoUnits, .reference = "LLVM's ARMScheduleA9.td"};
  return std::nullopt;
}

std::optional<Erratum> Errata::lateOperation() const {
  constexpr std::array<StringRef, 13> kModels{
      "sandybridge",    "haswell",   "broadwell", "skylake", "skylake-avx512", "icelake-server", "alderlake",
      "sapphirerapids", "lunarlake", "znver1",    "znver2",  "znver3",         "znver4"};
  if (!llvm::is_contained(kModels, model_))
    return std::nullopt;
  return Erratum{.kind = Kind::LateOperation,
                 .reference = "Agner Fog's microarchitecture manual, micro-op fusion; measured on an Emerald Rapids"};
}

std::optional<int32_t> Errata::registerFormLatency(const llvm::MCInst &inst) {
  const llvm::MCInstrInfo &instructions = target_.instructions();
  if (opcodes_.empty())
    for (unsigned opcode = 0; opcode < instructions.getNumOpcodes(); ++opcode)
      opcodes_[instructions.getName(opcode)] = opcode;
  // ADD64rm and ADD64rr, VFMADD231SDm_Int and VFMADD231SDr_Int.
  std::string name = instructions.getName(inst.getOpcode()).str();
  const size_t memory = name.rfind('m');
  if (memory == std::string::npos)
    return std::nullopt;
  name[memory] = 'r';
  if (name.compare(memory + 1, 1, "b") == 0) // a broadcast
    name.erase(memory + 1, 1);
  const auto found = opcodes_.find(name);
  if (found == opcodes_.end())
    return std::nullopt;
  const llvm::MCSubtargetInfo &subtarget = target_.subtarget();
  const llvm::MCSchedModel &model = subtarget.getSchedModel();
  unsigned row = instructions.get(found->second).getSchedClass();
  const llvm::MCInst form = withRegister(inst, found->second, instructions.get(inst.getOpcode()));
  while (row && model.getSchedClassDesc(row)->isVariant())
    row = subtarget.resolveVariantSchedClass(row, &form, &instructions, model.getProcessorID());
  if (!row || !model.getSchedClassDesc(row)->isValid())
    return std::nullopt;
  const ErratumEntry *entry = entryOf(found->second);
  if (entry && entry->erratum.kind == Kind::TooSlow)
    return entry->erratum.latency;
  return llvm::MCSchedModel::computeInstrLatency(subtarget, *model.getSchedClassDesc(row));
}

} // namespace mca
