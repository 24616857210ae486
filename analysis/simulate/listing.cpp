// An instruction is taken from the user's text where its line holds nothing else, and is printed by LLVM otherwise.
#include "analysis/simulate/listing.h"

#include "analysis/text/comment_syntax.h"
#include "analysis/text/counts.h"
#include "mca-core/program/branch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace analysis {
namespace {

/// Whether the text names a local label such as 1b or 1f (GNU as manual, "Local Labels"). It means the nearest
/// definition of "1:" and so nothing elsewhere.
bool namesNumericLabel(llvm::StringRef text) {
  const auto isNameCharacter = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$'; };
  for (size_t at = 0; at < text.size();) {
    const llvm::StringRef word = text.drop_front(at).take_while(isNameCharacter);
    const llvm::StringRef suffix = word.ltrim("0123456789");
    if (suffix.size() < word.size() && (suffix == "b" || suffix == "f"))
      return true;
    at += std::max<size_t>(word.size(), 1);
  }
  return false;
}

/// The instruction's line, from its mnemonic on. Empty if the line is not exactly this instruction (RISC-V's
/// `li a0, 74565` is two), if the instruction has no line (a macro's), and if the text depends on its place.
llvm::StringRef ownLine(const mca::Program &program, const mca::Target &target, uint32_t index) {
  const auto instructions = program.instructions();
  const mca::Instruction &instruction = instructions[index];
  const auto sharesPlace = [&](size_t other) {
    return other < instructions.size() && instructions[other].offset == instruction.offset;
  };
  if (instruction.fromMacro || instruction.fromData || !instruction.placed || sharesPlace(size_t{index} - 1) ||
      sharesPlace(size_t{index} + 1))
    return {};
  const llvm::StringRef rest = llvm::StringRef(program.text()).drop_front(instruction.offset);
  const llvm::StringRef line = rest.take_front(rest.find_first_of("\r\n")).rtrim();
  const bool saysMore = line.contains(target.asmInfo().getSeparatorString()) ||
                        line.contains(comments::kBlockOpening) || line.contains(comments::kMarkerPrefix) ||
                        namesNumericLabel(line);
  return saysMore ? llvm::StringRef() : line;
}

std::string textOf(const mca::Program &program, const mca::Target &target, llvm::MCInstPrinter &printer,
                   uint32_t index) {
  if (const llvm::StringRef line = ownLine(program, target, index); !line.empty())
    return "\t" + line.str();
  std::string text;
  llvm::raw_string_ostream stream(text);
  printer.printInst(&program.instructions()[index].inst, 0, "", target.subtarget(), stream);
  return text;
}

/// The directive without which the instructions would be read in another syntax.
std::string syntaxOf(const mca::Program &program, const mca::Target &target) {
  return target.triple().isX86() && program.syntaxVariant() == 1 ? "\t.intel_syntax noprefix\n" : "";
}

bool isDirectJump(const mca::Target &target, const llvm::MCInst &inst) {
  const mca::BranchKind kind = mca::classifyBranch(target, inst).kind;
  return kind == mca::BranchKind::Jump || kind == mca::BranchKind::ConditionalJump;
}

/// The jump with another target, which is its last operand with an expression.
llvm::MCInst jumpTo(llvm::StringRef label, llvm::MCInst jump, llvm::MCContext &context) {
  for (llvm::MCOperand &operand : llvm::reverse(jump))
    if (operand.isExpr()) {
      operand.setExpr(llvm::MCSymbolRefExpr::create(context.getOrCreateSymbol(label), context));
      break;
    }
  return jump;
}

} // namespace

std::string operandStatement(const mca::Target &target, uint32_t operandLoads) {
  if (!operandLoads)
    return {};
  const std::string comment = target.asmInfo().getCommentString().str() + " ";
  return comment + counted(operandLoads, "load") + (operandLoads == 1 ? " waits" : " wait") +
         " for the store to the same operand: mca knows by the next line, llvm-mca does not\n" + comment +
         std::string(comments::kSettings) + " " + std::string(mca::kSameOperands) + "\n";
}

std::string listingOf(const mca::Program &program, const mca::Target &target, std::span<const uint32_t> instructions) {
  const std::unique_ptr<llvm::MCInstPrinter> printer = target.createPrinter(program.syntaxVariant());
  std::string listing = syntaxOf(program, target);
  for (const mca::PointerStatement *statement : program.statementsFor(instructions))
    listing += target.asmInfo().getCommentString().str() + " " + std::string(comments::kSettings) + " " +
               mca::textOf(*statement) + "\n";
  const mca::Program::InstrumentSet *inForce = nullptr;
  for (const uint32_t index : instructions) {
    const mca::Instruction &instruction = program.instructions()[index];
    const mca::Program::InstrumentSet &instruments = program.instrumentsOf(instruction);
    if (!inForce || *inForce != instruments)
      for (const llvm::mca::Instrument *instrument : instruments)
        listing += "# " + std::string(comments::kMarkerPrefix) + instrument->getDesc().str() + " " +
                   instrument->getData().str() + "\n";
    inForce = &instruments;
    listing += textOf(program, target, *printer, index) + "\n";
  }
  return listing;
}

std::string runnableListingOf(const mca::Program &program, const mca::Target &target,
                              std::span<const uint32_t> instructions, const std::string &labels) {
  const std::unique_ptr<llvm::MCInstPrinter> printer = target.createPrinter(program.syntaxVariant());
  std::string listing = syntaxOf(program, target) + labels + "0:\n";
  for (size_t position = 0; position < instructions.size(); ++position) {
    const llvm::MCInst &inst = program.instructions()[instructions[position]].inst;
    if (!isDirectJump(target, inst)) {
      listing += textOf(program, target, *printer, instructions[position]) + "\n";
      continue;
    }
    const bool isLast = position + 1 == instructions.size();
    const std::string next = labels + (isLast ? "0" : std::to_string(position + 1));
    llvm::raw_string_ostream stream(listing);
    const llvm::MCInst jump = jumpTo(next, inst, program.context());
    printer->printInst(&jump, 0, "", target.subtarget(), stream);
    listing += isLast ? "\n" : "\n" + next + ":\n";
  }
  return listing;
}

} // namespace analysis
