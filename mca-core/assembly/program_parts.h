// The private parts of a Program, shared by the two ways to create one: a complete parse and an update.
#pragma once

#include "mca-core/assembly/instruments.h"
#include "mca-core/assembly/program.h"

#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCObjectFileInfo.h"

#include <optional>

namespace mca {

/// The results of a parse, and LLVM's objects that they refer to. Members are destroyed in reverse order: the context
/// before the sources that its locations point into.
struct Program::Parts : ProgramContents {
  Parts(std::string text, const Target &target)
      : ProgramContents{.text = std::move(text)}, instruments(target.instruments()) {}

  llvm::SourceMgr sources; // owns a copy of the text, and the macro expansions; instruments point into them
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<llvm::MCObjectFileInfo> objectFile;
  InstrumentTracker instruments;
  std::vector<llvm::mca::UniqueInstrument> addedInstruments; ///< by Program::addInstrumentSet()
  /// Whether every instruction reads the same at any place; set by the first update.
  std::optional<bool> uniform;
  unsigned updates = 0;
  bool hasCodeData = false; ///< data in code, which control flow may reach (with ParseOptions::dataAsCode)
};

/// Parses `fragment.text` as instructions in `whole`'s context, in the given section and in the syntax at `whole`'s
/// end. Offsets are relative to the fragment.
void parseFragment(Program::Parts &fragment, Program::Parts &whole, llvm::MCSection &section, const Target &target);

} // namespace mca
