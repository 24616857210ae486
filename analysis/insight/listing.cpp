#include "analysis/insight/listing.h"

#include "llvm/MC/MCInstPrinter.h"
#include "llvm/Support/raw_ostream.h"

namespace analysis {
namespace {

/// The instruction's own line. What a macro made stands nowhere and is printed.
std::string textOf(const mca::Program &program, const mca::Target &target, llvm::MCInstPrinter &printer,
                   const mca::Instruction &instruction) {
  if (!instruction.fromMacro) {
    const llvm::StringRef rest = llvm::StringRef(program.text()).drop_front(instruction.offset);
    return "\t" + rest.take_front(rest.find_first_of("\r\n")).rtrim().str();
  }
  std::string text;
  llvm::raw_string_ostream stream(text);
  printer.printInst(&instruction.inst, 0, "", target.subtarget(), stream);
  return text;
}

} // namespace

std::string listingOf(const mca::Program &program, const mca::Target &target, std::span<const uint32_t> instructions) {
  const std::unique_ptr<llvm::MCInstPrinter> printer = target.createPrinter(program.syntaxVariant());
  std::string listing;
  if (target.triple().isX86() && program.syntaxVariant() == 1)
    listing += "\t.intel_syntax noprefix\n";
  const mca::Program::InstrumentSet *inForce = nullptr;
  for (const uint32_t index : instructions) {
    const mca::Instruction &instruction = program.instructions()[index];
    const mca::Program::InstrumentSet &instruments = program.instrumentsOf(instruction);
    if (!inForce || *inForce != instruments)
      for (const llvm::mca::Instrument *instrument : instruments)
        listing += "# LLVM-MCA-" + instrument->getDesc().str() + " " + instrument->getData().str() + "\n";
    inForce = &instruments;
    listing += textOf(program, target, *printer, instruction) + "\n";
  }
  return listing;
}

} // namespace analysis
