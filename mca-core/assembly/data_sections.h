// The bytes that a text's data directives put into sections which somebody asked for (ParseOptions::keepData), such as
// the DWARF that a compiler writes into its assembly.
//
// Nothing is assembled, so code has no sizes: every instruction counts as one byte of address. A label in code has as
// its value the index of the first instruction after it, and a label in a kept section its offset in the bytes of that
// section's name. Ranges of code that the data speak of are thereby ranges of instructions.
//
// A value that does not resolve (an undefined symbol, the number of a gcc line view) is all ones when it stands alone,
// which is how DWARF 5 says "nowhere", and a difference with such a part is zero.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class MCExpr;
class MCSection;
class MCSymbol;
} // namespace llvm

namespace mca {

class DataSections {
public:
  /// `prefixes` of the names of the sections to keep; without any, nothing is kept and nothing costs.
  explicit DataSections(std::vector<std::string> prefixes) : prefixes_(std::move(prefixes)) {}

  /// Whether data that stand in `section` are wanted; asked before each of the following.
  bool enter(const llvm::MCSection *section);
  void addBytes(llvm::StringRef bytes);
  /// `size`: 1 to 8 bytes.
  void addValue(const llvm::MCExpr &value, unsigned size);
  void addLeb128(const llvm::MCExpr &value, bool isSigned);
  /// `count` times `value` in `size` bytes, of which at most the lower four are not zero.
  void addFill(const llvm::MCExpr &count, unsigned size, uint64_t value);
  void addAlignment(uint64_t alignment, uint8_t fill);
  /// A label in whatever section; `instruction` is the index of the first instruction after it.
  void addLabel(const llvm::MCSymbol &symbol, const llvm::MCSection *section, uint32_t instruction);

  /// The bytes by the section's name. Sections of one name (in COMDAT groups) stand one behind the other.
  llvm::StringMap<std::string> layOut(bool isLittleEndian);

private:
  struct Piece {
    enum class Kind : uint8_t { Value, Uleb128, Sleb128, Fill, Alignment, Label };
    Kind kind;
    uint8_t size = 0;
    uint8_t fill = 0;
    uint32_t at = 0;    ///< how many of the section's literal bytes come before it
    uint64_t value = 0; ///< of a fill; the alignment
    const llvm::MCExpr *expression = nullptr;
    const llvm::MCSymbol *symbol = nullptr;
  };
  struct Section {
    std::string name;
    std::string literal; ///< the bytes that are known at once
    std::vector<Piece> pieces;
  };
  /// A value whose place is known and whose bytes are to be filled in.
  struct Field {
    std::string *bytes;
    size_t at;
    uint8_t size;
    const llvm::MCExpr *expression;
  };

  Section *sectionOf(const llvm::MCSection *section);
  void add(Piece piece);
  void layOut(const Section &section, std::string &bytes);
  void place(const Piece &piece, std::string &bytes);
  void pad(std::string &bytes, uint64_t count, llvm::StringRef pattern);
  std::optional<int64_t> evaluate(const llvm::MCExpr &expression) const;
  int64_t fieldOf(const llvm::MCExpr &expression) const;

  std::vector<std::string> prefixes_;
  std::deque<Section> sections_; // those that are kept
  llvm::StringMap<Section *> byName_;
  llvm::DenseMap<const llvm::MCSection *, Section *> bySection_; // null: not wanted
  const llvm::MCSection *entered_ = nullptr;
  Section *current_ = nullptr;
  llvm::DenseMap<const llvm::MCSymbol *, uint64_t> labels_;
  std::vector<Field> fields_;
  bool littleEndian_ = true;
  uint64_t padding_ = 0;
};

} // namespace mca
