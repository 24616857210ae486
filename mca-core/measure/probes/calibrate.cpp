#include "mca-core/measure/probes/calibrate.h"

#include "mca-core/measure/probes/structural_probes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCInstrDesc.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace mca::measure {
namespace {

using llvm::StringRef;

constexpr size_t kBatch = 40; ///< forms
/// As many as a calibration file may have.
constexpr size_t kMostResources = 256;
constexpr const char *kCommonForms[] = {
#include "mca-core/measure/probes/common_forms.inc"
};
/// What compilers use of AVX2 and the packages above have too seldom: stems and suffixes of opcodes of 128 and 256
/// bits.
constexpr std::pair<const char *, const char *> kAvxForms[] = {
    {"VPMOVSXBW", "rr"},    {"VPMOVSXBD", "rr"},    {"VPMOVSXBQ", "rr"},       {"VPMOVSXWD", "rr"},
    {"VPMOVSXWQ", "rr"},    {"VPMOVSXDQ", "rr"},    {"VPMOVZXBW", "rr"},       {"VPMOVZXBD", "rr"},
    {"VPMOVZXBQ", "rr"},    {"VPMOVZXWD", "rr"},    {"VPMOVZXWQ", "rr"},       {"VPMOVZXDQ", "rr"},
    {"VBROADCASTSS", "rr"}, {"VBROADCASTSD", "rr"}, {"VPBROADCASTB", "rr"},    {"VPBROADCASTW", "rr"},
    {"VPBROADCASTD", "rr"}, {"VPBROADCASTQ", "rr"}, {"VMASKMOVPS", "rm"},      {"VMASKMOVPD", "rm"},
    {"VPMASKMOVD", "rm"},   {"VPMASKMOVQ", "rm"},   {"VMASKMOVPS", "mr"},      {"VMASKMOVPD", "mr"},
    {"VPMASKMOVD", "mr"},   {"VPMASKMOVQ", "mr"},   {"VPERMPS", "rr"},         {"VPERMPD", "ri"},
    {"VPERMQ", "ri"},       {"VPERMD", "rr"},       {"VPERM2F128", "rri"},     {"VPERM2I128", "rri"},
    {"VPERMILPS", "ri"},    {"VPERMILPD", "ri"},    {"VBLENDPS", "rri"},       {"VBLENDPD", "rri"},
    {"VPBLENDD", "rri"},    {"VINSERTPS", "rri"},   {"VMOVDDUP", "rr"},        {"VMOVSLDUP", "rr"},
    {"VMOVSHDUP", "rr"},    {"VADDSUBPS", "rr"},    {"VADDSUBPD", "rr"},       {"VPADDB", "rr"},
    {"VPMAXSW", "rr"},      {"VPMINSW", "rr"},      {"VPACKUSWB", "rr"},       {"VPACKSSWB", "rr"},
    {"VPACKUSDW", "rr"},    {"VPACKSSDW", "rr"},    {"VCVTDQ2PS", "rr"},       {"VCVTDQ2PD", "rr"},
    {"VMOVUPD", "mr"},      {"VSQRTPS", "r"},       {"VSQRTPD", "r"},          {"VSQRTPS", "m"},
    {"VSQRTPD", "m"},       {"VRCPPS", "r"},        {"VRSQRTPS", "r"},         {"VPERMILPS", "rr"},
    {"VPERMILPD", "rr"},    {"VMINPD", "rr"},       {"VMAXPD", "rr"},          {"VPMINUD", "rr"},
    {"VPMAXUD", "rr"},      {"VPMINSD", "rr"},      {"VPMAXSD", "rr"},         {"VUNPCKLPS", "rr"},
    {"VUNPCKHPS", "rr"},    {"VUNPCKLPD", "rr"},    {"VUNPCKHPD", "rr"},       {"VBLENDVPS", "rrr"},
    {"VBLENDVPD", "rrr"},   {"VPTEST", "rr"},       {"VGF2P8AFFINEQB", "rri"},
};
/// The same of other names.
constexpr const char *kOtherForms[] = {"SQRTPSr",    "SQRTPDr",    "SQRTPSm",       "SQRTPDm",
                                       "VPEXTRBrri", "VPEXTRWrri", "MOVBE32rm",     "MOVBE64rm",
                                       "MOVBE32mr",  "MOVBE64mr",  "VEXTRACTPSmri", "MOVUPDmr"};
/// What compilers use of AVX-512 that has no counterpart of 256 bits: stems and suffixes of opcodes of all widths.
constexpr std::pair<const char *, const char *> kAvx512Forms[] = {
    {"VPTERNLOGD", "rri"},     {"VPTERNLOGQ", "rri"},     {"VPMULLQ", "rr"},         {"VCVTQQ2PD", "rr"},
    {"VCVTTPD2QQ", "rr"},      {"VCVTUDQ2PS", "rr"},      {"VCVTTPS2UDQ", "rr"},     {"VCVTUDQ2PD", "rr"},
    {"VCVTUQQ2PD", "rr"},      {"VPOPCNTB", "rr"},        {"VPOPCNTW", "rr"},        {"VPOPCNTD", "rr"},
    {"VPOPCNTQ", "rr"},        {"VPLZCNTD", "rr"},        {"VPLZCNTQ", "rr"},        {"VPERMI2D", "rr"},
    {"VPERMI2Q", "rr"},        {"VPERMI2PS", "rr"},       {"VPERMI2PD", "rr"},       {"VPERMI2W", "rr"},
    {"VPERMT2D", "rr"},        {"VPERMT2Q", "rr"},        {"VPERMT2PS", "rr"},       {"VPERMT2PD", "rr"},
    {"VPERMT2W", "rr"},        {"VPERMB", "rr"},          {"VPERMW", "rr"},          {"VPERMI2B", "rr"},
    {"VPERMT2B", "rr"},        {"VPMOVDB", "rr"},         {"VPMOVDW", "rr"},         {"VPMOVQB", "rr"},
    {"VPMOVQW", "rr"},         {"VPMOVQD", "rr"},         {"VPMOVWB", "rr"},         {"VPMOVDB", "mr"},
    {"VPMOVUSDB", "rr"},       {"VPMOVUSDW", "rr"},       {"VPMOVUSWB", "rr"},       {"VPMOVUSQD", "rr"},
    {"VPMOVUSDB", "mr"},       {"VPMOVUSDW", "mr"},       {"VPMOVUSWB", "mr"},       {"VPMOVUSQD", "mr"},
    {"VPMOVSDB", "rr"},        {"VPMOVSDW", "rr"},        {"VPMOVSWB", "rr"},        {"VPMOVSQD", "rr"},
    {"VPMOVDW", "mr"},         {"VPMOVQD", "mr"},         {"VPMOVWB", "mr"},         {"VPSRAQ", "ri"},
    {"VPROLD", "ri"},          {"VPROLQ", "ri"},          {"VPRORD", "ri"},          {"VPRORQ", "ri"},
    {"VPMAXSQ", "rr"},         {"VPMINSQ", "rr"},         {"VPMAXUQ", "rr"},         {"VPMINUQ", "rr"},
    {"VPABSQ", "rr"},          {"VRNDSCALEPS", "rri"},    {"VRNDSCALEPD", "rri"},    {"VSHUFF64X2", "rri"},
    {"VSHUFI64X2", "rri"},     {"VALIGND", "rri"},        {"VALIGNQ", "rri"},        {"VEXTRACTF64X4", "rri"},
    {"VEXTRACTI64X4", "rri"},  {"VINSERTF64X4", "rri"},   {"VINSERTI64X4", "rri"},   {"VEXTRACTF32X4", "rri"},
    {"VEXTRACTI32X4", "rri"},  {"VINSERTF32X4", "rri"},   {"VINSERTI32X4", "rri"},   {"VBROADCASTF32X4", "rm"},
    {"VBROADCASTI32X4", "rm"}, {"VBROADCASTF64X4", "rm"}, {"VBROADCASTI64X4", "rm"}, {"VPDPBUSD", "rr"},
    {"VPBROADCASTBr", "rr"},   {"VPBROADCASTWr", "rr"},   {"VPBROADCASTDr", "rr"},   {"VPBROADCASTQr", "rr"},
    {"VEXTRACTF64X2", "rri"},  {"VEXTRACTI64X2", "rri"},  {"VINSERTF64X2", "rri"},   {"VINSERTI64X2", "rri"},
    {"VEXTRACTF32X8", "rri"},  {"VEXTRACTI32X8", "rri"},  {"VINSERTF32X8", "rri"},   {"VINSERTI32X8", "rri"},
    {"VPDPWSSD", "rr"},        {"VPSLLVW", "rr"},         {"VPSRLVW", "rr"},         {"VPSRAVQ", "rr"},
};
/// What makes, combines and moves masks, and what selects by one: opcodes, and stems and suffixes of opcodes of all
/// widths. Other forms with a mask take the row of the one without.
constexpr const char *kMaskForms[] = {
    "KANDBkk",    "KANDWkk",    "KANDDkk",    "KANDQkk",    "KORBkk",     "KORWkk",     "KORDkk",     "KORQkk",
    "KXORBkk",    "KXORWkk",    "KXORDkk",    "KXORQkk",    "KANDNBkk",   "KANDNWkk",   "KANDNDkk",   "KANDNQkk",
    "KXNORBkk",   "KXNORWkk",   "KXNORDkk",   "KXNORQkk",   "KNOTBkk",    "KNOTWkk",    "KNOTDkk",    "KNOTQkk",
    "KMOVBkr",    "KMOVWkr",    "KMOVDkr",    "KMOVQkr",    "KMOVBrk",    "KMOVWrk",    "KMOVDrk",    "KMOVQrk",
    "KMOVBkk",    "KMOVWkk",    "KMOVDkk",    "KMOVQkk",    "KSHIFTLBki", "KSHIFTLWki", "KSHIFTLDki", "KSHIFTLQki",
    "KSHIFTRBki", "KSHIFTRWki", "KSHIFTRDki", "KSHIFTRQki", "KORTESTBkk", "KORTESTWkk", "KORTESTDkk", "KORTESTQkk",
    "KTESTBkk",   "KTESTWkk",   "KTESTDkk",   "KTESTQkk",   "KUNPCKBWkk", "KUNPCKWDkk", "KUNPCKDQkk", "KADDWkk",
    "KMOVBkm",    "KMOVWkm",    "KMOVDkm",    "KMOVQkm",    "KMOVBmk",    "KMOVWmk",    "KMOVDmk",    "KMOVQmk",
    "VCMPSSZrri", "VCMPSDZrri", "VCMPSSZrmi", "VCMPSDZrmi",
};
constexpr std::pair<const char *, const char *> kWideMaskForms[] = {
    {"VPCMPB", "rri"},    {"VPCMPW", "rri"},    {"VPCMPD", "rri"},    {"VPCMPQ", "rri"},    {"VPCMPUB", "rri"},
    {"VPCMPUW", "rri"},   {"VPCMPUD", "rri"},   {"VPCMPUQ", "rri"},   {"VPCMPEQB", "rr"},   {"VPCMPEQW", "rr"},
    {"VPCMPEQD", "rr"},   {"VPCMPEQQ", "rr"},   {"VPCMPGTB", "rr"},   {"VPCMPGTW", "rr"},   {"VPCMPGTD", "rr"},
    {"VPCMPGTQ", "rr"},   {"VCMPPS", "rri"},    {"VCMPPD", "rri"},    {"VPTESTMB", "rr"},   {"VPTESTMW", "rr"},
    {"VPTESTMD", "rr"},   {"VPTESTMQ", "rr"},   {"VPTESTNMB", "rr"},  {"VPTESTNMW", "rr"},  {"VPTESTNMD", "rr"},
    {"VPTESTNMQ", "rr"},  {"VPMOVM2B", "rk"},   {"VPMOVM2W", "rk"},   {"VPMOVM2D", "rk"},   {"VPMOVM2Q", "rk"},
    {"VPMOVB2M", "kr"},   {"VPMOVW2M", "kr"},   {"VPMOVD2M", "kr"},   {"VPMOVQ2M", "kr"},   {"VPBLENDMB", "rrk"},
    {"VPBLENDMW", "rrk"}, {"VPBLENDMD", "rrk"}, {"VPBLENDMQ", "rrk"}, {"VBLENDMPS", "rrk"}, {"VBLENDMPD", "rrk"},
};
/// A branch that is not taken; forms refuse it, because it changes the control flow of other code.
constexpr const char *kBranch = "JCC_1";
/// Of resources of single instructions, which no blocker has found.
constexpr const char *kOwnPrefix = "only-";

std::string rowKey(const std::string &opcode, const std::string &shape) {
  return opcode + " " + shape;
}

/// The part of an opcode's name before its size: divisions of all sizes share what they occupy.
std::string stemOf(StringRef opcode) {
  return opcode.take_until(llvm::isDigit).lower();
}

bool isSupported(const InstanceMaker &maker, unsigned opcode) {
  const Target &target = maker.target();
  const llvm::MCSchedModel &model = target.subtarget().getSchedModel();
  const unsigned schedClass = target.instructions().get(opcode).getSchedClass();
  return model.hasInstrSchedModel() && model.getSchedClassDesc(schedClass)->isValid();
}

/// What takes longer than resources explain gets one of its own, shared by the opcodes of one stem.
void addRow(ProbedForm probed, Calibration &calibration) {
  if (probed.row.opcode.empty())
    return;
  if (probed.unexplained > 0) {
    const std::string name = kOwnPrefix + stemOf(probed.row.opcode);
    auto found =
        llvm::find_if(calibration.resources, [&](const CalibratedResource &each) { return each.name == name; });
    if (found == calibration.resources.end() && calibration.resources.size() == kMostResources)
      return; // LLVM's row is better than one without what limits it
    if (found == calibration.resources.end())
      found = calibration.resources.insert(found, {.name = name, .capacity = 1, .from = probed.row.from});
    probed.row.uses.push_back({.resource = static_cast<uint32_t>(found - calibration.resources.begin()),
                               .amount = std::round(probed.unexplained * 4) / 4});
  }
  calibration.forms.push_back(std::move(probed.row));
}

/// Measured capacities differ a little from run to run.
bool hasSameBlockers(const Calibration &earlier, const std::vector<Blocker> &blockers) {
  const auto isOwn = [](const CalibratedResource &resource) {
    return StringRef(resource.name).starts_with(kOwnPrefix);
  };
  const size_t count = earlier.resources.size() - size_t(llvm::count_if(earlier.resources, isOwn));
  return count == blockers.size() && llvm::all_of(llvm::seq<size_t>(0, count), [&](size_t i) {
           return earlier.resources[i].name == blockers[i].resource.name &&
                  std::abs(earlier.resources[i].capacity / blockers[i].resource.capacity - 1) <= .1;
         });
}

/// The opcodes of 512 bits that do what one of 256 bits does: "VADDPSZrr" for "VADDPSYrr".
std::vector<std::string> counterpartsOf512(StringRef name) {
  const size_t width = name.rfind('Y');
  if (width == StringRef::npos || width + 1 == name.size() || !StringRef("rm").contains(name[width + 1]))
    return {};
  std::vector<std::string> names = evexNamesOf(name.take_front(width));
  for (std::string &each : names)
    each += "Z" + name.drop_front(width + 1).str();
  return names;
}

} // namespace

std::span<const char *const> commonForms() {
  return kCommonForms;
}

std::vector<FormToProbe> formsToProbe(const InstanceMaker &maker, bool allForms) {
  std::vector<unsigned> opcodes;
  const auto add = [&](StringRef name, bool isBranch) {
    const std::optional<unsigned> opcode = maker.opcodeOf(name);
    if (opcode && (isBranch || maker.refusal(*opcode).empty()))
      opcodes.push_back(*opcode);
  };
  add(kBranch, true);
  for (const char *name : commonForms())
    add(name, false);
  std::vector<std::string> common(commonForms().begin(), commonForms().end());
  for (const auto &[stem, suffix] : kAvxForms)
    for (const char *width : {"", "Y"}) {
      common.push_back(std::string(stem) + width + suffix);
      if (StringRef rest = suffix; rest.consume_front("rr") || rest == "ri")
        common.push_back(std::string(stem) + width + (rest == "ri" ? "mi" : "rm" + rest.str()));
    }
  for (size_t i = commonForms().size(); i < common.size(); ++i)
    add(common[i], false);
  for (const char *name : kOtherForms)
    add(name, false);
  if (maker.target().subtarget().checkFeatures("+avx512f")) {
    for (const std::string &name : common)
      for (const std::string &wide : counterpartsOf512(name))
        add(wide, false);
    for (const char *name : kMaskForms)
      add(name, false);
    using Stems = std::span<const std::pair<const char *, const char *>>;
    for (const Stems list : {Stems(kAvx512Forms), Stems(kWideMaskForms)})
      for (const auto &[stem, suffix] : list)
        for (const char *width : {"Z", "Z256", "Z128"}) {
          const std::string name = std::string(stem) + width;
          add(name + suffix, false);
          if (StringRef rest = suffix; rest.consume_front("rr"))
            add(name + "rm" + rest.str(), false);
        }
  }
  if (allForms)
    for (unsigned opcode = 0; opcode < maker.target().instructions().getNumOpcodes(); ++opcode) {
      // The assembler chooses no reversed and no alternative encoding by itself.
      const StringRef name = maker.target().instructions().getName(opcode);
      if (isSupported(maker, opcode) && !name.ends_with("_REV") && !name.ends_with("_alt"))
        add(name, false);
    }
  std::vector<FormToProbe> forms;
  std::set<std::string> known;
  for (const unsigned opcode : opcodes)
    for (const Variant &variant : maker.variantsOf(opcode)) {
      const std::optional<llvm::MCInst> inst = maker.make(opcode, variant, formPlacement(), 0);
      const Form form = inst ? formOf(*inst, maker.target()) : Form();
      if (inst && known.insert(rowKey(form.opcode, form.shape)).second)
        forms.push_back({.opcode = opcode, .variant = variant});
    }
  return forms;
}

constexpr int kAttemptsToResume = 3;

Result<Calibration> calibrate(const InstanceMaker &maker, ProbeTimer &timer, const CalibrateOptions &options) {
  Calibration calibration = options.earlier.value_or(Calibration());
  calibration.facts = {};
  calibration.rules = {};
  ProbedMachine machine;
  machine.slotsPerCycle = measureSlots(maker, timer, calibration);
  if (machine.slotsPerCycle < 1)
    return Failure{"the machine was never quiet enough to time nops"};
  measureStructure(maker, timer, machine.slotsPerCycle, calibration);
  machine.bridges = measureBridges(maker, timer);
  // A disturbed measurement may find others than the earlier run; one that is right finds the same again.
  for (int attempt = 0; attempt < kAttemptsToResume && !timer.isStopped(); ++attempt) {
    machine.blockers = findBlockers(maker, timer, machine.slotsPerCycle);
    if (calibration.forms.empty() || hasSameBlockers(calibration, machine.blockers))
      break;
  }
  if (timer.isStopped())
    return Failure{"it ended before the resources were known"};
  if (!calibration.forms.empty() && !hasSameBlockers(calibration, machine.blockers))
    return Failure{"the resources are not those of the earlier run: start a new one"};
  if (calibration.forms.empty()) {
    calibration.resources.clear();
    for (const Blocker &blocker : machine.blockers)
      calibration.resources.push_back(blocker.resource);
  }

  std::vector<FormToProbe> forms = formsToProbe(maker, options.allForms);
  std::set<std::string> done;
  for (const CalibratedForm &row : calibration.forms)
    done.insert(rowKey(row.opcode, row.shape));
  llvm::erase_if(forms, [&](const FormToProbe &each) {
    const Form form = formOf(*maker.make(each.opcode, each.variant, formPlacement(), 0), maker.target());
    return done.contains(rowKey(form.opcode, form.shape));
  });
  for (size_t first = 0; first < forms.size() && !timer.isStopped(); first += kBatch) {
    const auto batch = std::span(forms).subspan(first, std::min(kBatch, forms.size() - first));
    std::vector<ProbedForm> probed = probeForms(maker, timer, machine, batch);
    if (timer.isStopped())
      break; // some of its probes have no time
    for (ProbedForm &each : probed)
      addRow(std::move(each), calibration);
    Calibration sofar = calibration;
    completeFromForms(sofar);
    options.onBatch(std::min(first + kBatch, forms.size()), forms.size(), sofar);
  }
  completeFromForms(calibration);
  return calibration;
}

} // namespace mca::measure
