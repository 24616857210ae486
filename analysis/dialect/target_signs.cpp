// Sources: the chapters "Machine Dependent Features" of GNU as's manual for directives, the ABIs of the targets for
// names of registers, and LLVM's lists for CPUs.
#include "analysis/dialect/target_signs.h"

#include "analysis/dialect/disassembly.h"
#include "analysis/dialect/sample_lines.h"
#include "analysis/dialect/x86_registers.h"
#include "mca-core/target/target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/ARMTargetParser.h"
#include "llvm/TargetParser/RISCVTargetParser.h"

#include <array>
#include <optional>

namespace analysis {
namespace {

using llvm::StringRef;
using llvm::Triple;

/// The targets that have signs of their own.
enum Arch { kX86, kI386, kAArch64, kArm, kRiscv, kPowerPc, kSystemZ, kMips, kAmdGpu, kArchs };

std::optional<Arch> archOf(const Triple &triple) {
  switch (triple.getArch()) {
  case Triple::x86_64:
    return kX86;
  case Triple::x86:
    return kI386;
  case Triple::aarch64:
    return kAArch64;
  case Triple::arm:
  case Triple::thumb:
    return kArm;
  case Triple::riscv32:
  case Triple::riscv64:
    return kRiscv;
  default:
    return std::nullopt;
  }
}

// ---- directives ----------------------------------------------------------------------------------------------------

std::optional<Arch> archOfDirective(StringRef word, StringRef rest) {
  const bool isNumber = !rest.empty() && llvm::isDigit(rest.front());
  const StringRef argument = firstWordOf(rest);
  if (word == ".syntax" || word == ".thumb" || word == ".arm" || word == ".thumb_func" || word == ".fpu" ||
      word == ".eabi_attribute" || word == ".fnstart" || (word == ".code" && isNumber))
    return kArm;
  if (word == ".arch" && (argument.starts_with("armv7") || argument.starts_with("armv6") ||
                          argument.starts_with("armv5") || argument.starts_with("armv4")))
    return kArm;
  if (word == ".option")
    return llvm::StringSwitch<std::optional<Arch>>(argument)
        .Cases({"rvc", "norvc", "relax", "norelax", "arch", "push", "pop"}, kRiscv)
        .Default(std::nullopt);
  if (word == ".attribute")
    return llvm::is_contained({"arch", "stack_align", "unaligned_access", "priv_spec"}, argument)
               ? std::optional(kRiscv)
               : std::nullopt;
  if (word == ".machine")
    return argument == "push" || argument == "pop" ? std::nullopt
           : rest.trim("\"").starts_with("z")      ? std::optional(kSystemZ)
                                                   : std::optional(kPowerPc);
  if (word == ".set")
    return llvm::StringSwitch<std::optional<Arch>>(argument)
        .Cases({"noreorder", "reorder", "nomacro", "nomips16", "nomicromips", "noat"}, kMips)
        .Default(std::nullopt);
  return llvm::StringSwitch<std::optional<Arch>>(word)
      .Cases({".intel_syntax", ".att_syntax", ".code64", ".code32"}, kX86)
      .Cases({".variant_pcs", ".cfi_negate_ra_state", ".cfi_b_key_frame"}, kAArch64)
      .Cases({".abiversion", ".localentry"}, kPowerPc)
      .Case(".machinemode", kSystemZ)
      .Case(".amdgcn_target", kAmdGpu)
      .Default(std::nullopt);
}

/// The line that disassemblers begin a listing with: `a.out:     file format elf64-littleaarch64`.
std::optional<Arch> archOfFileFormat(StringRef line) {
  const auto [before, format] = line.split("file format ");
  if (format.contains("aarch64") || format.contains("arm64"))
    return kAArch64;
  if (format.contains("x86-64") || format.contains("x86_64"))
    return kX86;
  if (format.contains("i386"))
    return kI386;
  if (format.contains("littlearm"))
    return kArm;
  if (format.contains("riscv"))
    return kRiscv;
  if (format.contains("powerpcle"))
    return kPowerPc;
  return format.contains("s390") ? std::optional(kSystemZ) : std::nullopt;
}

// ---- registers -----------------------------------------------------------------------------------------------------

bool isNumbered(StringRef word, StringRef prefixes, unsigned last) {
  unsigned number = 0;
  return word.size() > 1 && prefixes.contains(word.front()) && !word.drop_front().getAsInteger(10, number) &&
         number <= last;
}

/// r8 to r15 are names of registers elsewhere, too.
bool isOwnX86Register(StringRef word) {
  return isX86Register(word) && !isNumbered(word, "r", 31);
}

/// "v0.4s", "z3.d".
bool isVectorLane(StringRef word) {
  const auto [name, lanes] = word.split('.');
  return isNumbered(name, "vz", 31) && !lanes.empty() && StringRef("bhsdq").contains(lanes.back());
}

bool isRiscvRegister(StringRef word) {
  return isNumbered(word, "a", 7) || isNumbered(word, "t", 6) || isNumbered(word, "s", 11) || word == "zero" ||
         word == "ra" || word == "sp";
}

bool isRiscvMnemonic(StringRef mnemonic) {
  return mnemonic.starts_with("vset") ||
         llvm::StringSwitch<bool>(mnemonic)
             .Cases({"addi", "addiw", "addw", "slli", "srli", "srai", "andi", "ori"}, true)
             .Cases({"bnez", "beqz", "bgtz", "blez", "bltz", "bgez", "bltu", "bgeu"}, true)
             .Cases({"li", "mv", "lui", "auipc", "sh1add", "sh2add", "sh3add", "bne"}, true)
             .Default(false);
}

/// "vadd.f32", "vmla.i16".
bool isNeonMnemonic(StringRef mnemonic) {
  const auto [name, type] = mnemonic.split('.');
  return name.starts_with("v") && type.size() > 1 && StringRef("fisu").contains(type.front()) &&
         llvm::all_of(type.drop_front(), [](char c) { return llvm::isDigit(c); });
}

/// What an instruction tells. `word`, in lower case, is one of its operands; `before` the character before it.
std::optional<Arch> archOfWord(StringRef mnemonic, StringRef word, char before) {
  if (before == '$')
    return std::nullopt; // of MIPS and LoongArch, or a number
  if (isOwnX86Register(word))
    return kX86;
  if (before == '%')
    return std::nullopt; // of SystemZ, PowerPC and SPARC, or short ones of x86
  if (isNumbered(word, "w", 30) || word == "wzr" || word == "xzr" || isVectorLane(word) ||
      (isNumbered(word, "x", 30) && before == '['))
    return kAArch64;
  if (isNumbered(word, "r", 15) && (before == '[' || before == '{'))
    return kArm;
  if (isNeonMnemonic(mnemonic) && isNumbered(word, "qds", 31))
    return kArm;
  if ((isRiscvRegister(word) || isNumbered(word, "x", 31)) && before == '(')
    return kRiscv;
  if (isRiscvRegister(word) && word != "sp" && isRiscvMnemonic(mnemonic))
    return kRiscv;
  return isNumbered(word, "r", 31) && before == '(' ? std::optional(kPowerPc) : std::nullopt;
}

// ---- all of a text -------------------------------------------------------------------------------------------------

/// So many instructions with a register of the standard target leave no doubt.
constexpr int kSurelyStandard = 8;

class SignReader {
public:
  /// Stops where the text is seen to be for the standard target.
  SignReader(StringRef text, std::optional<Arch> standard) : isListing_(isDisassembly(text)) {
    forEachSampleLine(text, [&](StringRef line) {
      hasConditions_ |= line.starts_with("#if"); // which may choose the object format
      line.starts_with(".") ? readDirective(line) : readInstruction(line);
      if (const std::optional<Arch> arch = isListing_ ? archOfFileFormat(line) : std::nullopt)
        addDirective(*arch, "the format in `" + line.split("file format").second.trim().str() + "`");
      isRiscv32_ |= line.contains("\"rv32") || line.contains("elf32-littleriscv");
      return !standard || counts_[*standard] < kSurelyStandard || (*standard == kX86 && !uses64_);
    });
    // Only code for 32 bits pushes registers of 32.
    if (pushes32_ && !uses64_ && !choosesMode_) {
      counts_[kI386] = std::exchange(counts_[kX86], 0);
      signs_[kI386] = "instructions that push registers of 32 bits";
    }
  }

  TargetSigns result(const Triple &standard) const {
    TargetSigns signs{.triple = "", .reason = "", .cpu = cpu_};
    const std::optional<Arch> found = findArch(archOf(standard));
    const std::optional<Arch> arch = found ? found : archOf(standard);
    if (!arch || (!found && format_.empty()))
      return signs;
    signs.triple = tripleOf(*arch, found ? std::nullopt : std::optional(standard));
    signs.reason = "only it has " + (found ? signs_[*arch] : formatSign_);
    if (signs.triple == standard.str())
      return {.triple = "", .reason = "", .cpu = cpu_};
    return signs;
  }

  /// Whether the text has signs of the architecture.
  bool tells(Arch arch) const { return counts_[arch] > 0 || directives_[arch]; }
  const std::string &format() const { return format_; }

private:
  void addDirective(Arch arch, std::string sign) {
    if (!std::exchange(directives_[arch], true))
      signs_[arch] = std::move(sign);
  }

  void readDirective(StringRef line) {
    const StringRef word = firstWordOf(line), rest = line.drop_front(word.size()).ltrim(" \t");
    const std::string sign =
        "the directive `" + line.take_until([](char c) { return StringRef("#@;/,").contains(c); }).rtrim().str() + "`";
    choosesMode_ |= word == ".code16" || word == ".code32" || word == ".code64";
    if (const std::optional<Arch> arch = archOfDirective(word, rest))
      addDirective(*arch, sign);
    const StringRef name = rest.take_while([](char c) { return llvm::isAlnum(c) || c == '-' || c == '.'; });
    if (word == ".arch" && name.starts_with("armv"))
      armArch_ = name.str();
    if (word == ".cpu" && name != "generic")
      cpu_ = name.str();
    if (word == ".amdgcn_target")
      cpu_ = rest.trim("\" \t").rsplit('-').second.split(':').first.str();
    readFormat(word, rest, sign);
  }

  /// The directives of one object format.
  void readFormat(StringRef word, StringRef rest, const std::string &sign) {
    const bool isMachO = word == ".subsections_via_symbols" || word == ".build_version" ||
                         word == ".macosx_version_min" || (word == ".section" && rest.starts_with("__TEXT,"));
    const bool isCoff = word == ".endef" || word.starts_with(".seh_");
    if (format_.empty() && !hasConditions_ && (isMachO || isCoff)) {
      format_ = isMachO ? "-apple-macosx" : "-pc-windows-gnu";
      formatSign_ = sign;
    }
  }

  void readInstruction(StringRef line) {
    const StringRef instruction = isListing_ ? listedInstruction(line) : instructionIn(line);
    const std::string mnemonic = firstWordOf(instruction).lower();
    std::optional<Arch> arch;
    forEachWord(operandsOf(instruction), [&](StringRef word, char before) {
      const std::string name = word.lower();
      if (isX86Register64(name))
        uses64_ = true;
      const std::optional<Arch> own = archOfWord(mnemonic, name, before);
      if (!own)
        return;
      pushes32_ |= own == kX86 && (StringRef(mnemonic).starts_with("push") || StringRef(mnemonic).starts_with("pop")) &&
                   name.front() == 'e';
      if (!directives_[*own] && counts_[*own] == 0)
        signs_[*own] = "the register `" + name + "`";
      arch = own;
    });
    if (arch)
      ++counts_[*arch];
  }

  /// The one architecture that the text has signs of, if it is not the standard one.
  std::optional<Arch> findArch(std::optional<Arch> standard) const {
    std::optional<Arch> byDirective, byRegister;
    int directives = 0, registers = 0;
    for (int i = 0; i < kArchs; ++i) {
      const auto arch = static_cast<Arch>(i);
      if (directives_[arch] && ++directives)
        byDirective = arch;
      if (counts_[arch] > 0 && ++registers)
        byRegister = arch;
    }
    if (standard && tells(*standard))
      return std::nullopt;
    if (directives == 1)
      return registers == 0 || (registers == 1 && byRegister == byDirective) ? byDirective : std::nullopt;
    constexpr int kEnoughLines = 2;
    return directives == 0 && registers == 1 && counts_[*byRegister] >= kEnoughLines ? byRegister : std::nullopt;
  }

  /// `like`: the triple whose architecture it is, without another format.
  std::string tripleOf(Arch arch, const std::optional<Triple> &like) const {
    const std::string system = format_.empty() ? "-unknown-linux-gnu" : format_;
    if (like)
      return like->getArchName().str() + system;
    switch (arch) {
    case kX86:
      return "x86_64" + system;
    case kI386:
      return "i386" + system;
    case kAArch64:
      return (StringRef(format_).contains("apple") ? "arm64" : "aarch64") + system;
    case kArm:
      return armTriple();
    case kRiscv:
      return (isRiscv32_ ? "riscv32" : "riscv64") + system;
    case kPowerPc:
      return "powerpc64le" + system;
    case kSystemZ:
      return "s390x" + system;
    case kMips:
      return "mips64el-unknown-linux-gnuabi64";
    case kAmdGpu:
    case kArchs:
      break;
    }
    return "amdgcn-amd-amdhsa";
  }

  std::string armTriple() const;

  bool isListing_;
  std::array<bool, kArchs> directives_{};
  std::array<int, kArchs> counts_{}; ///< instructions with a register of the architecture
  std::array<std::string, kArchs> signs_;
  std::string cpu_, armArch_, format_, formatSign_;
  bool isRiscv32_ = false, pushes32_ = false, uses64_ = false, choosesMode_ = false, hasConditions_ = false;
};

/// The triple of an Arm architecture: "armv7e-m" has Thumb's instructions alone.
std::string armTripleOf(llvm::ARM::ArchKind arch) {
  const StringRef subarch = llvm::ARM::getSubArch(arch);
  const bool isMicrocontroller = llvm::ARM::parseArchProfile(llvm::ARM::getArchName(arch)) == llvm::ARM::ProfileKind::M;
  return (isMicrocontroller ? "thumb" : "arm") + subarch.str() +
         (isMicrocontroller ? "-none-eabi" : "-unknown-linux-gnueabihf");
}

std::string SignReader::armTriple() const {
  llvm::ARM::ArchKind arch = cpu_.empty() ? llvm::ARM::ArchKind::INVALID : llvm::ARM::parseCPUArch(cpu_);
  if (arch == llvm::ARM::ArchKind::INVALID)
    arch = llvm::ARM::parseArch(armArch_);
  if (arch == llvm::ARM::ArchKind::INVALID)
    arch = llvm::ARM::ArchKind::ARMV7A;
  return armTripleOf(arch);
}

// ---- CPUs ----------------------------------------------------------------------------------------------------------

bool knowsCpu(const std::string &triple, const std::string &cpu) {
  const auto backend = mca::Target::findBackend({.triple = triple});
  if (!backend)
    return false;
  // Made for the list of CPUs: a name that is not on it would print a warning here.
  const std::unique_ptr<llvm::MCSubtargetInfo> subtarget((*backend)->createMCSubtargetInfo(Triple(triple), "", ""));
  return subtarget && subtarget->isCPUStringValid(cpu);
}

struct CpuTarget {
  Arch arch;
  std::string triple;
};

/// The targets that have the CPU, those of 64 bits first.
std::vector<CpuTarget> targetsOfCpu(const std::string &cpu, const std::string &format) {
  const std::string system = format.empty() ? "-unknown-linux-gnu" : format;
  const llvm::ARM::ArchKind arm = llvm::ARM::parseCPUArch(cpu);
  const bool is64 = llvm::RISCV::parseCPU(cpu, /*IsRV64=*/true);
  std::vector<CpuTarget> all = {{kX86, "x86_64" + system},
                                {kAArch64, "aarch64" + system},
                                {kArm, arm == llvm::ARM::ArchKind::INVALID ? "" : armTripleOf(arm)},
                                {kRiscv, (is64 ? "riscv64" : "riscv32") + system},
                                {kPowerPc, "powerpc64le-unknown-linux-gnu"},
                                {kSystemZ, "s390x-unknown-linux-gnu"},
                                {kMips, "mips64el-unknown-linux-gnuabi64"},
                                {kAmdGpu, "amdgcn-amd-amdhsa"}};
  llvm::erase_if(all, [&](const CpuTarget &one) { return one.triple.empty() || !knowsCpu(one.triple, cpu); });
  return all;
}

} // namespace

TargetSigns readTargetSigns(std::string_view text, const std::string &namedCpu, const Triple &standard) {
  const SignReader reader(text, archOf(standard));
  TargetSigns signs = reader.result(standard);
  const std::string &cpu = namedCpu.empty() ? signs.cpu : namedCpu;
  if (cpu.empty() || cpu == "native" || knowsCpu(signs.triple.empty() ? standard.str() : signs.triple, cpu) ||
      knowsCpu(standard.str(), cpu))
    return signs;
  const std::vector<CpuTarget> targets = targetsOfCpu(cpu, reader.format());
  if (targets.empty()) {
    signs.cpu.clear();
    return signs;
  }
  const auto named = llvm::find_if(targets, [&](const CpuTarget &one) { return reader.tells(one.arch); });
  return {.triple = named == targets.end() ? targets.front().triple : named->triple,
          .reason = (targets.size() == 1 ? "only it has the CPU " : "it has the CPU ") + cpu,
          .cpu = signs.cpu};
}

std::string_view usualCpus(const Triple &triple) {
  switch (triple.getArch()) {
  case Triple::riscv64:
    return "sifive-p670,sifive-u74,sifive-x280,spacemit-x60";
  case Triple::riscv32:
    return "sifive-e76,sifive-e31,andes-n45";
  case Triple::ppc64:
  case Triple::ppc64le:
    return "pwr9,pwr10,pwr8";
  case Triple::systemz:
    return "z16,z15,z13";
  case Triple::amdgcn:
    return "gfx90a,gfx942,gfx1030";
  case Triple::arm:
  case Triple::thumb:
    break;
  default:
    return {};
  }
  using llvm::ARM::ArchKind;
  switch (llvm::ARM::parseArch(triple.getArchName())) {
  case ArchKind::ARMV7M:
  case ArchKind::ARMV7EM:
    return "cortex-m7,cortex-m4,cortex-m3";
  case ArchKind::ARMV8MMainline:
    return "cortex-m33";
  case ArchKind::ARMV8_1MMainline:
    return "cortex-m85,cortex-m55";
  case ArchKind::ARMV6M:
  case ArchKind::ARMV8MBaseline:
    return {};
  default:
    return "cortex-a57,cortex-a9,cortex-r52";
  }
}

} // namespace analysis
