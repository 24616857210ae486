#include "analysis/simulate/left_out.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCInstPrinter.h"

namespace analysis {
namespace {

bool onlyEndsHardwareLoop(const mca::Target &target, const llvm::MCInst &inst) {
  if (!target.triple().isARM() && !target.triple().isThumb())
    return false;
  constexpr llvm::StringLiteral kEnds[] = {"t2LE", "t2LEUpdate", "MVE_LETP"};
  return llvm::is_contained(kEnds, target.instructions().getName(inst.getOpcode()));
}

/// LLVM's printers may return the first characters of the operands, too: "cpyfp\t[".
std::string mnemonicOf(const llvm::MCInst &inst, llvm::MCInstPrinter &printer) {
  const char *text = printer.getMnemonic(inst).first;
  return llvm::StringRef(text ? text : "").ltrim().take_until([](char c) { return llvm::isSpace(c); }).str();
}

/// LLVM's reason (InstrBuilder::createInstrDescImpl), unless it is the usual one.
std::string reasonOf(llvm::StringRef message) {
  return message.starts_with("found an unsupported instruction") ? std::string() : message.rtrim('.').str();
}

} // namespace

std::vector<LeftOut> leftOutOf(const mca::Target &target, const mca::Program &program,
                               std::span<const uint32_t> instructions,
                               std::span<const mca::SkippedInstruction> skipped) {
  std::vector<LeftOut> leftOut;
  if (skipped.empty())
    return leftOut;
  const std::unique_ptr<llvm::MCInstPrinter> printer = target.createPrinter(program.syntaxVariant());
  for (const mca::SkippedInstruction &one : skipped) {
    const llvm::MCInst &inst = program.instructions()[instructions[one.instruction]].inst;
    if (onlyEndsHardwareLoop(target, inst))
      continue;
    leftOut.push_back({one.instruction, mnemonicOf(inst, *printer), reasonOf(one.message)});
  }
  return leftOut;
}

std::optional<wire::Caveat> leftOutCaveat(const mca::Target &target, std::span<const LeftOut> leftOut) {
  if (leftOut.empty())
    return std::nullopt;
  wire::Caveat caveat{.kind = wire::Caveat::Kind::NoSchedulingData,
                      .count = static_cast<uint32_t>(leftOut.size()),
                      .cycles = 0,
                      .names = {target.cpu()}};
  for (const LeftOut &one : leftOut)
    if (!llvm::is_contained(llvm::drop_begin(caveat.names), one.mnemonic))
      caveat.names.push_back(one.mnemonic);
  return caveat;
}

} // namespace analysis
