// A parsed program as a text, by which tests compare two of them.
#pragma once

#include "mca-core/assembly/program.h"
#include "mca-core/target/target.h"

#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCSection.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <string>

namespace mca {

/// Everything that a program says.
inline std::string describe(const Program &program, const Target &target) {
  std::string text;
  llvm::raw_string_ostream out(text);
  const std::unique_ptr<llvm::MCInstPrinter> printer = target.createPrinter(program.syntaxVariant());
  for (const Instruction &one : program.instructions()) {
    printer->printInst(&one.inst, 0, "", target.subtarget(), out);
    out << " opcode " << one.inst.getOpcode() << " flags " << one.inst.getFlags() << " at " << one.offset << " loc "
        << one.line << " section " << one.section->getName() << " instruments " << program.instrumentsOf(one).size()
        << " macro " << one.fromMacro << " placed " << one.placed << " aligned " << int{one.alignment} << "\n";
  }
  for (const Label &label : program.labels())
    out << label.name << " " << label.instruction << " at " << label.offset << " in " << label.section->getName()
        << " function " << program.isFunction(*label.symbol) << "\n";
  for (const UnreadLine &one : program.unreadLines())
    out << "unread at " << one.offset << " before " << one.instruction << " label " << one.label << " loc " << one.line
        << " section " << one.section->getName() << "\n";
  for (const LineEntry &entry : program.lines())
    out << ".loc " << entry.file << " " << entry.line << " at " << entry.offset << "\n";
  for (const Diagnostic &one : program.diagnostics()) {
    out << one.begin << "-" << one.end << " " << int(one.severity) << one.fromMarker << " " << one.message << "\n";
    for (const Diagnostic::Related &related : one.related)
      out << "  " << related.begin << "-" << related.end << " " << related.message << "\n";
  }
  for (const MarkerRegion &region : program.markerRegions())
    out << region.name << " " << region.begin << "-" << region.end << " " << region.hasBegin << region.beginLength
        << "\n";
  for (const ParserMessage &message : program.messages())
    message.diagnostic.print(nullptr, out << message.includeStack, /*ShowColors=*/false);
  out << "tables " << program.tableEntries().size() << " errors " << program.hasErrors() << program.parserFailed()
      << " syntax " << program.syntaxVariant() << "\n";
  return text;
}

} // namespace mca
