// Mnemonics of x86 and AArch64 are recognised by their spelling: on other targets fewer signs are found, so that fewer
// changes are tried.
#include "analysis/advice/loop_signs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <set>

namespace analysis {
namespace {

using llvm::StringRef;

StringRef mnemonicOf(const std::string &text) {
  return StringRef(text).take_until([](char c) { return c == ' '; });
}

/// Whether a mnemonic is one of x86's on floats (addss, vfmadd231pd), or of AArch64's (fadd, fmla).
bool isFloatOperation(StringRef mnemonic, llvm::ArrayRef<StringRef> operations) {
  const bool isX86 =
      mnemonic.ends_with("ss") || mnemonic.ends_with("sd") || mnemonic.ends_with("ps") || mnemonic.ends_with("pd");
  const StringRef name = isX86 && mnemonic.starts_with("v") ? mnemonic.drop_front() : mnemonic;
  return llvm::any_of(operations, [&](StringRef operation) {
    return (isX86 && name.starts_with(operation)) || (!isX86 && name == "f" + operation.str());
  });
}

bool isArithmetic(StringRef mnemonic) {
  return isFloatOperation(mnemonic, {"add", "sub", "mul", "fmadd", "fmsub", "fnmadd", "fnmsub", "max", "min", "mla",
                                     "mls", "nmul"}) ||
         mnemonic == "fmaxnm" || mnemonic == "fminnm";
}

bool comparesFloats(StringRef mnemonic) {
  return mnemonic.contains("ucomis") || isFloatOperation(mnemonic, {"cmp", "min", "max", "cmpeq", "cmplt"}) ||
         mnemonic == "fcsel" || mnemonic == "fmaxnm" || mnemonic == "fminnm";
}

bool isSelect(StringRef mnemonic) {
  return mnemonic.starts_with("cmov") || mnemonic == "csel" || mnemonic == "csinc" || mnemonic == "cinc" ||
         mnemonic == "adc" || mnemonic == "sbb" || mnemonic.starts_with("set");
}

void addInstruction(LoopSigns &signs, const std::string &text) {
  const StringRef mnemonic = mnemonicOf(text);
  signs.usesFloats |= isArithmetic(mnemonic);
  signs.divides |= isFloatOperation(mnemonic, {"div"});
  signs.comparesFloats |= comparesFloats(mnemonic);
  signs.converts |= mnemonic.contains("cvtss2sd") || mnemonic.contains("cvtsd2ss") || mnemonic.contains("cvtps2pd") ||
                    mnemonic.contains("cvtpd2ps") || mnemonic == "fcvt";
  signs.selects |= isSelect(mnemonic);
}

} // namespace

LoopSigns signsOf(const wire::AnalysisResult &result) {
  LoopSigns signs;
  std::set<uint32_t> shown;
  for (const wire::Region &region : result.regions) {
    const auto simulation =
        llvm::find_if(result.simulations, [&](const wire::Simulation &one) { return one.id == region.simulation; });
    if (simulation == result.simulations.end())
      continue;
    signs.isVector |= StringRef(region.variant).contains("vector");
    for (const wire::InstructionDetails &instruction : simulation->body) {
      signs.gathers |=
          StringRef(instruction.text).contains("gather") || StringRef(instruction.text).contains("scatter");
      signs.isWide |= StringRef(instruction.text).contains("%zmm");
    }
    for (const wire::WhyNot &reason : region.whyNot)
      signs.isDependent |= reason.name == "UnsafeDep";
    if (region.rank != 0)
      continue;
    constexpr double kCounter = 1.5; // cycles
    signs.hasRecurrence |= simulation->chainCycles > kCounter;
    for (const wire::InstructionDetails &instruction : simulation->body)
      addInstruction(signs, instruction.text);
    for (const std::vector<wire::ChainLink> *chain : {&simulation->chain, &simulation->verdict.chain})
      for (const wire::ChainLink &link : *chain)
        if (link.instruction < simulation->body.size())
          signs.chainsFloats |= isArithmetic(mnemonicOf(simulation->body[link.instruction].text));
    signs.branches |= region.kind == wire::RegionKind::Path;
    llvm::append_range(signs.calls, region.calls);
    shown.insert(region.loop);
  }
  for (const wire::ControlFlow &flow : result.flows)
    signs.branches |= shown.contains(flow.loop);
  return signs;
}

} // namespace analysis
