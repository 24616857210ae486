// Sources: the words of LLVM's generated matchers ("instruction requires: sve or sme"), which begin with the name of a
// feature, and Intel's manual, volume 2, for the registers and opcodes of x86's extensions.
#include "analysis/job/missing_features.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/MC/TargetRegistry.h"

#include <algorithm>
#include <limits>
#include <memory>

namespace analysis {
namespace {

using llvm::StringRef;

bool isFeature(const mca::Target &target, StringRef name) {
  return llvm::any_of(target.subtarget().getAllProcessorFeatures(),
                      [&](const llvm::SubtargetFeatureKV &known) { return name == known.Key; });
}

bool lacks(const llvm::MCSubtargetInfo &subtarget, StringRef feature) {
  return !subtarget.checkFeatures(("+" + feature).str());
}

/// The first feature that a message of the parser names; empty if it is about something else.
std::string featureIn(StringRef message, const mca::Target &target) {
  if (!message.consume_front("instruction requires"))
    return "";
  message.consume_front(" the following"); // RISC-V: "'V' (Vector Extension), 'Zve32x' (...)"
  message.consume_front(":");
  const std::string name =
      message.ltrim(" '").take_until([](char c) { return c == ' ' || c == '\'' || c == ','; }).lower();
  return isFeature(target, name) ? name : "";
}

void add(std::vector<MissingFeature> &all, const std::string &name, uint32_t offset) {
  auto found = llvm::find_if(all, [&](const MissingFeature &one) { return one.name == name; });
  if (found == all.end())
    found = all.insert(all.end(), {name, {}});
  if (found->offsets.empty() || found->offsets.back() != offset)
    found->offsets.push_back(offset);
}

// ---- x86 -----------------------------------------------------------------------------------------------------------

/// The extensions that are distinguished, those that include others last.
constexpr const char *kX86Features[] = {"", "bmi2", "avx", "fma", "avx2", "avx512f", "amx-tile"};
enum X86Feature : uint8_t { kNone, kBmi2, kAvx, kFma, kAvx2, kAvx512, kAmx };

X86Feature featureOfRegister(StringRef name) {
  const bool isVector = name.starts_with("XMM") || name.starts_with("YMM");
  unsigned number = 0;
  constexpr unsigned kFirstOfAvx512 = 16;
  if (name.starts_with("ZMM") || (name.starts_with("K") && name.size() == 2) ||
      (isVector && !name.drop_front(3).getAsInteger(10, number) && number >= kFirstOfAvx512))
    return kAvx512;
  if (name.starts_with("TMM"))
    return kAmx;
  return name.starts_with("YMM") ? kAvx : kNone;
}

/// By LLVM's name of the opcode, such as "VPADDDYrr".
X86Feature featureOfOpcode(StringRef name) {
  if (name.starts_with("VFMADD") || name.starts_with("VFMSUB") || name.starts_with("VFNM"))
    return kFma;
  for (const StringRef prefix : {"MULX", "PDEP", "PEXT", "RORX", "SARX", "SHLX", "SHRX", "BZHI"})
    if (name.starts_with(prefix) && name.size() > prefix.size() && llvm::isDigit(name[prefix.size()]))
      return kBmi2;
  const bool isInteger = name.starts_with("VPADD") || name.starts_with("VPSUB") || name.starts_with("VPMUL") ||
                         name.starts_with("VPMADD") || name.starts_with("VPCMP") || name.starts_with("VPSHUF");
  return isInteger && name.contains("Y") ? kAvx2 : kNone;
}

/// What instructions of x86 need beyond the target, each register and opcode looked up once.
class X86Needs {
public:
  explicit X86Needs(const mca::Target &target) : target_(target) {
    for (size_t i = 1; i < std::size(kX86Features); ++i)
      isMissing_[i] = lacks(target.subtarget(), kX86Features[i]);
    for (unsigned reg = 0; reg < target.registers().getNumRegs(); ++reg)
      ofRegister_.push_back(missing(featureOfRegister(target.registers().getName(reg))));
    ofOpcode_.resize(target.instructions().getNumOpcodes(), kUnknown);
  }

  bool any() const { return llvm::is_contained(isMissing_, true); }

  X86Feature of(const llvm::MCInst &inst) {
    uint8_t &opcode = ofOpcode_[inst.getOpcode()];
    if (opcode == kUnknown)
      opcode = missing(featureOfOpcode(target_.instructions().getName(inst.getOpcode())));
    uint8_t needed = opcode;
    for (const llvm::MCOperand &operand : inst)
      if (operand.isReg())
        needed = std::max<uint8_t>(needed, ofRegister_[operand.getReg()]);
    return static_cast<X86Feature>(needed);
  }

private:
  static constexpr uint8_t kUnknown = std::numeric_limits<uint8_t>::max();
  X86Feature missing(X86Feature feature) const { return isMissing_[feature] ? feature : kNone; }

  const mca::Target &target_;
  std::array<bool, std::size(kX86Features)> isMissing_{};
  std::vector<uint8_t> ofRegister_, ofOpcode_;
};

} // namespace

std::vector<MissingFeature> findMissingFeatures(const mca::Program &program, const mca::Target &target) {
  std::vector<MissingFeature> all;
  for (const mca::Diagnostic &diagnostic : program.diagnostics())
    if (const std::string name = featureIn(diagnostic.message, target); !name.empty())
      add(all, name, diagnostic.begin);
  if (!target.triple().isX86())
    return all;
  X86Needs needs(target);
  if (needs.any())
    for (const mca::Instruction &instruction : program.instructions())
      if (const X86Feature feature = needs.of(instruction.inst))
        add(all, kX86Features[feature], instruction.offset);
  return all;
}

std::string closestCpuWith(const std::string &feature, const mca::Target &target) {
  std::string closest;
  size_t smallest = std::numeric_limits<size_t>::max();
  const auto subtargetOf = [&](StringRef cpu) {
    return std::unique_ptr<llvm::MCSubtargetInfo>(target.backend().createMCSubtargetInfo(target.triple(), cpu, ""));
  };
  for (const llvm::SubtargetSubTypeKV &cpu : target.subtarget().getAllProcessorDescriptions()) {
    const StringRef name(cpu.Key);
    if (name.starts_with("generic") || name.starts_with("x86-64"))
      continue;
    const auto subtarget = subtargetOf(name);
    if (!subtarget || lacks(*subtarget, feature) || !subtarget->getSchedModel().hasInstrSchedModel())
      continue;
    const size_t distance = (subtarget->getFeatureBits() ^ target.subtarget().getFeatureBits()).count();
    if (distance < smallest) {
      smallest = distance;
      closest = name.str();
    }
  }
  return closest;
}

} // namespace analysis
