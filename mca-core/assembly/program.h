// A Program is one assembly text, parsed once by LLVM's own parser for the target.
//
// What one line gets wrong costs that line only: the parser goes on after an error, and the instructions that could be
// read are all here. Every instruction knows where in the text it stands; those that a macro or a repetition made stand
// where the text calls it.
//
// Offsets are in bytes from the start of the text.
#pragma once

#include "mca-core/assembly/markers.h"
#include "mca-core/target/target.h"

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
  /// Read `.file` and `.loc` ourselves rather than through LLVM. LLVM's parser rejects what gcc 12 writes with -g, and
  /// keeps a DWARF line table that nobody here reads.
  bool ownLineDirectives = true;
  /// Read the text as llvm-mca 22.1 does where that is not what an assembler's user expects: `0ffh` and `1b` are
  /// numbers (and `1b` no label), instructions that LLVM gives no place to (some expansions of pseudo-instructions) are
  /// in no region that has a begin. Keeps the messages, too: see Program::messages().
  bool asLlvmMca = false;
  /// Read lines that repeat an earlier one once only. The program is the same either way.
  bool repeatedLines = true;
  /// Prefixes of the names of sections whose bytes are wanted: see Program::data().
  std::vector<std::string> keepData = {};
  /// What `.include` and `.incbin` may open; null means the real file system.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = nullptr;
  /// When a stop is requested the rest of the text is not read, and nothing that there is of the program counts.
  std::stop_token stop = {};
  /// Called at the start of each function with the program up to there: its instructions and labels, without any
  /// instruments.
  std::function<void(const Program &)> onFunction = nullptr;
  /// How the text is called in messages.
  std::string bufferName = "<input>";
};

struct Instruction {
  llvm::MCInst inst;
  uint32_t offset = 0;        ///< of the mnemonic, or of the macro call it comes from
  uint32_t line = kNone;      ///< index into Program::lines(), the `.loc` in force; kNone without one
  uint32_t instrumentSet = 0; ///< index into Program::instrumentSets()
  bool fromMacro = false;
  bool placed = true; ///< false when LLVM does not tell where it stands: the offset is that of the one before
  const llvm::MCSection *section = nullptr;
};

struct Label {
  const llvm::MCSymbol *symbol = nullptr;
  std::string_view name;
  uint32_t instruction = 0; ///< index of the first instruction after it, possibly one past the last
  uint32_t offset = 0;
  const llvm::MCSection *section = nullptr;
};

/// A value in a table of addresses: of a `switch` or a computed `goto`, but also of functions or of anything else.
struct TableEntry {
  const llvm::MCSymbol *table = nullptr; ///< the last label before it in its section; null without one
  const llvm::MCExpr *value = nullptr;
};

/// What LLVM has to say, as it says it (with ParseOptions::asLlvmMca).
struct ParserMessage {
  enum class Source { Parser, RegionMarker, Instrument };
  Source source = Source::Parser;
  std::string includeStack; ///< the lines that tell who includes the file
  llvm::SMDiagnostic diagnostic;
};

/// One `.loc` directive (with ParseOptions::ownLineDirectives).
struct LineEntry {
  uint32_t file = 0; ///< the number of its `.file`
  uint32_t line = 0; ///< 1-based, 0 when the compiler gives none
  uint32_t column = 0;
  uint32_t offset = 0; ///< of the directive: compilers write the inline stack in the comment behind it
};

struct LineFile {
  uint32_t number = 0;
  std::string directory;
  std::string name;
};

class Program {
public:
  /// Parses the whole text. Never fails: see diagnostics().
  static std::unique_ptr<Program> parse(std::string text, const Target &target, const ParseOptions &options);
  ~Program();

  /// Makes this the program of another text by parsing no more than the lines in which it differs, with the outcome
  /// that parse() would have. False where that cannot be: the text has to be parsed, and this program is of no more
  /// use. Only for a text that was parsed to its end.
  bool update(const std::string &text, const Target &target);

  const std::string &text() const;
  std::span<const Instruction> instructions() const;
  std::span<const Label> labels() const;
  /// The addresses among the data, in the order of the text; those of sections that ParseOptions::keepData asks for are
  /// not among them.
  std::span<const TableEntry> tableEntries() const;
  std::span<const LineEntry> lines() const;
  std::span<const LineFile> lineFiles() const;
  /// The bytes of the sections of this name, in the target's byte order; empty when there are none or
  /// ParseOptions::keepData does not ask for them. Every instruction counts as one byte of address: a label in code is
  /// the index of the first instruction after it, a label in a kept section its offset in these bytes.
  std::string_view data(std::string_view section) const;
  /// Symbols that the text declares as functions (`.type f,@function`).
  bool isFunction(const llvm::MCSymbol &symbol) const;
  /// The marker regions, in order of their begin; empty ones included. Without any marker there is none.
  std::span<const MarkerRegion> markerRegions() const;
  /// Instructions inside a marker region, in text order.
  std::vector<uint32_t> instructionsOf(const MarkerRegion &region) const;
  using InstrumentSet = llvm::SmallVector<llvm::mca::Instrument *>;
  std::span<const InstrumentSet> instrumentSets() const;
  /// The instruments in force for an instruction, as LLVM's InstrumentManager takes them.
  const InstrumentSet &instrumentsOf(const Instruction &instruction) const;
  /// Whether the parser found anything wrong (not only warnings).
  bool hasErrors() const;
  /// Whether LLVM's parser did; markers may have errors without.
  bool parserFailed() const;
  /// What the parser and the markers have to say, in the order in which they said it.
  std::span<const Diagnostic> diagnostics() const;
  /// With ParseOptions::asLlvmMca: every message in the order in which LLVM and the markers gave it. Otherwise empty.
  std::span<const ParserMessage> messages() const;
  /// LLVM's context of the parse, which the instructions' expressions belong to.
  llvm::MCContext &context() const;
  /// The syntax the text ended in: an index for Target::createPrinter.
  unsigned syntaxVariant() const;

  struct Parts;

private:
  explicit Program(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

} // namespace mca
