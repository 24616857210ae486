// A Program is an assembly text, parsed once by LLVM's own parser for the target.
//
// An error costs only its own line: the parser continues, and all instructions that it could read are available. Every
// instruction has a position in the text; those that a macro or a repetition produced have the position of the call.
//
// Offsets are in bytes from the start of the text.
#pragma once

#include "mca-core/assembly/markers.h"
#include "mca-core/assembly/pointer_statements.h"
#include "mca-core/assembly/text_edits.h"
#include "mca-core/target/target.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCInst.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class MCContext;
class MCExpr;
class MCSection;
class MCSymbol;
} // namespace llvm

namespace mca {

constexpr uint32_t kNone = ~0u;

class Program;

struct ParseOptions {
  /// Parse `.file` and `.loc` ourselves. LLVM's parser rejects gcc 12's output with -g, and builds a DWARF line table
  /// that we don't need.
  bool ownLineDirectives = true;
  /// Read the text like llvm-mca 22.1 where assembler users expect something else: `0ffh` and `1b` are numbers (so `1b`
  /// is no label), and instructions without a location (some expansions of pseudo-instructions) belong to no region
  /// with a begin marker. Also keeps the messages, see Program::messages().
  bool asLlvmMca = false;
  /// With asLlvmMca: `1b` is a label nevertheless, which a branch along a trace needs.
  bool localLabels = false;
  /// The syntax at the begin of the text, as Program::syntaxVariant(): of x86, 1 is Intel's without `%`. Not with
  /// asLlvmMca.
  unsigned syntax = 0;
  /// What LLVM's parser reads in place of parts of the text, ascending; the program's places are those of the text.
  std::vector<TextEdit> edits = {};
  /// Parse repeated lines only once; the program is the same.
  bool repeatedLines = true;
  /// Read data in code that control flow reaches as instructions: `.byte 0xf3, 0x0f, 0xb8, 0xc1` (code_data.h).
  bool dataAsCode = false;
  /// Prefixes of the names of data sections to keep, see Program::data().
  std::vector<std::string> keepData = {};
  /// The files that `.include` and `.incbin` can open; null: the real file system.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = nullptr;
  /// When a stop is requested, the parser skips the rest of the text, and the program is invalid.
  std::stop_token stop = {};
  /// Called at the start of each function with the program so far: its instructions and labels, but no instruments.
  std::function<void(const Program &)> onFunction = nullptr;
  /// The name of the text in messages.
  std::string bufferName = "<input>";
};

/// The instruments that are active at an instruction.
using InstrumentSet = llvm::SmallVector<llvm::mca::Instrument *>;

/// An instruction, and where it stands.
struct Instruction {
  llvm::MCInst inst;
  uint32_t offset = 0;        ///< of the mnemonic, or of the outermost macro call
  uint32_t line = kNone;      ///< index into Program::lines() of the current `.loc`; kNone without one
  uint32_t instrumentSet = 0; ///< index into Program::instrumentSets()
  bool fromMacro = false;
  bool fromData = false; ///< written as data: the offset is that of the directive with its first byte
  bool placed = true;    ///< false if LLVM provides no location: the offset is then that of the previous instruction
  const llvm::MCSection *section = nullptr;
  uint8_t alignment = 0; ///< of its address, as a logarithm to base 2, where directives before it request one
};

/// A statement that may hold instructions, of which none could be read: a line with an error, or data that control flow
/// reaches and that cannot be decoded.
struct UnreadLine {
  uint32_t offset = 0;      ///< of the statement after its labels, or of the outermost macro call
  uint32_t instruction = 0; ///< index of the next instruction, possibly one past the last
  uint32_t label = 0;       ///< index of the next label, possibly one past the last
  uint32_t line = kNone;    ///< as in Instruction
  const llvm::MCSection *section = nullptr;
};

/// A label in code or data. LLVM's context owns the name.
struct Label {
  const llvm::MCSymbol *symbol = nullptr;
  std::string_view name;
  uint32_t instruction = 0; ///< index of the next instruction, possibly one past the last
  uint32_t offset = 0;
  const llvm::MCSection *section = nullptr;
};

/// A value in a table of addresses, for example of a `switch`, a computed `goto` or functions.
struct TableEntry {
  const llvm::MCSymbol *table = nullptr; ///< the last label before it in its section; null without one
  const llvm::MCExpr *value = nullptr;
};

/// A message in LLVM's own form (with ParseOptions::asLlvmMca).
struct ParserMessage {
  enum class Source { Parser, RegionMarker, Instrument };
  Source source = Source::Parser;
  std::string includeStack; ///< the printed lines that name the including files
  llvm::SMDiagnostic diagnostic;
};

/// One `.loc` directive (with ParseOptions::ownLineDirectives).
struct LineEntry {
  uint32_t file = 0; ///< the number of its `.file`
  uint32_t line = 0; ///< 1-based; 0 if the compiler provides none
  uint32_t column = 0;
  uint32_t offset = 0; ///< of the directive; compilers write the inline stack into the comment after it
};

/// A numbered `.file` directive; names are as written.
struct LineFile {
  uint32_t number = 0;
  std::string directory; ///< empty if the directive has only a name
  std::string name;
};

/// Everything that a parse collects.
struct ProgramContents {
  std::string text;
  std::vector<Instruction> instructions;
  std::vector<Label> labels;
  std::vector<UnreadLine> unreadLines;
  std::vector<TableEntry> tableEntries;
  std::vector<LineEntry> lines;
  std::vector<LineFile> lineFiles;
  llvm::StringMap<std::string> data; ///< by section name
  llvm::DenseSet<const llvm::MCSymbol *> functions;
  RegionMarkers regions;
  std::vector<InstrumentSet> instrumentSets = std::vector<InstrumentSet>(1); ///< the first is empty
  std::vector<Diagnostic> diagnostics;
  std::vector<ParserMessage> messages;
  std::vector<std::string> printed;
  bool asLlvmMca = false;
  bool isRewritten = false; ///< ParseOptions::edits
  bool hasErrors = false;
  bool parserFailed = false;
  unsigned syntaxVariant = 0;
  std::vector<PointerStatement> pointerStatements; ///< of each kind at most one more than mostStatements()
};

/// A parsed text. Its address stays the same, because callbacks and LLVM's objects refer to it.
class Program {
public:
  using InstrumentSet = mca::InstrumentSet;

  /// Parses the whole text. Never fails: see diagnostics().
  static std::unique_ptr<Program> parse(std::string text, const Target &target, const ParseOptions &options);
  ~Program();

  /// Changes this program to that of another text by parsing only the changed lines, with the same result as parse().
  /// Returns false if that is not possible; then the text must be parsed, and this program is invalid. Only for
  /// programs that were parsed to the end, and not for rewritten ones.
  bool update(const std::string &text, const Target &target);

  const std::string &text() const { return contents_.text; }
  std::span<const Instruction> instructions() const { return contents_.instructions; }
  std::span<const Label> labels() const { return contents_.labels; }
  /// In text order: their instructions and labels ascend.
  std::span<const UnreadLine> unreadLines() const { return contents_.unreadLines; }
  /// The addresses in the data, in text order, except those in sections that ParseOptions::keepData names.
  std::span<const TableEntry> tableEntries() const { return contents_.tableEntries; }
  std::span<const LineEntry> lines() const { return contents_.lines; }
  std::span<const LineFile> lineFiles() const { return contents_.lineFiles; }
  /// Returns the bytes of the sections with this name, in the target's byte order; empty if there are none or
  /// ParseOptions::keepData does not name them. Every instruction counts as one byte: a label in code is the index of
  /// the next instruction, a label in a kept section its offset in these bytes.
  std::string_view data(std::string_view section) const;
  /// Whether the text declares the symbol as a function (`.type f,@function`).
  bool isFunction(const llvm::MCSymbol &symbol) const { return contents_.functions.contains(&symbol); }
  /// The marker regions by their begin, including empty ones. None if the text has no markers.
  std::span<const MarkerRegion> markerRegions() const { return contents_.regions.regions(); }
  /// The statements about pointers, in text order. None while the text is being parsed.
  std::span<const PointerStatement> pointerStatements() const { return contents_.pointerStatements; }
  /// Those that hold for some of the instructions, which are indices, in text order.
  std::vector<const PointerStatement *> statementsFor(std::span<const uint32_t> instructions) const;
  /// Replaces the statements that were set before, about variables of the source that was compiled. Their offsets are
  /// not those of this text.
  void setNamedStatements(std::vector<PointerStatement> statements);
  /// Returns the instructions inside a marker region, in text order.
  std::vector<uint32_t> instructionsOf(const MarkerRegion &region) const;
  /// Adds a set of instruments for setInstruments(), and returns its number. The program keeps those that are `made`.
  uint32_t addInstrumentSet(InstrumentSet set, llvm::SmallVector<llvm::mca::UniqueInstrument> made);
  /// Replaces the instruments of one instruction by those of a set.
  void setInstruments(uint32_t instruction, uint32_t set);
  std::span<const InstrumentSet> instrumentSets() const { return contents_.instrumentSets; }
  /// Returns the active instruments of an instruction, in the form that LLVM's InstrumentManager expects.
  const InstrumentSet &instrumentsOf(const Instruction &instruction) const {
    return contents_.instrumentSets[instruction.instrumentSet];
  }
  /// Whether there were errors, from the parser or the markers.
  bool hasErrors() const { return contents_.hasErrors; }
  /// Whether LLVM's parser failed; errors in markers do not count.
  bool parserFailed() const { return contents_.parserFailed; }
  /// All diagnostics of the parser and the markers, in the order in which they were reported.
  std::span<const Diagnostic> diagnostics() const { return contents_.diagnostics; }
  /// With ParseOptions::asLlvmMca: all messages of LLVM and the markers, in order. Otherwise empty.
  std::span<const ParserMessage> messages() const { return contents_.messages; }
  /// The texts of `.print`, which writes nothing itself.
  std::span<const std::string> printed() const { return contents_.printed; }
  /// LLVM's context of the parse, which owns the instructions' expressions.
  llvm::MCContext &context() const;
  /// The assembly syntax at the end of the text, for Target::createPrinter.
  unsigned syntaxVariant() const { return contents_.syntaxVariant; }

  struct Parts;

private:
  explicit Program(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
  const ProgramContents &contents_; ///< of parts_
};

} // namespace mca
