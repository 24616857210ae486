// The bytes of requested data sections (ParseOptions::keepData), such as the DWARF that compilers write into assembly.
//
// Nothing is assembled, so code has no sizes: every instruction counts as one byte. The value of a label in code is the
// index of the next instruction, and the value of a label in a kept section is its offset in that section's bytes.
// Address ranges in the data are therefore ranges of instructions.
//
// A value that cannot be resolved (an undefined symbol, the number of a gcc line view) is all ones if it stands alone,
// which is how DWARF 5 marks a missing address. A difference that contains such a value is 0.
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
  /// `prefixes`: of the names of the sections to keep. Without any, the class does nothing.
  explicit DataSections(std::vector<std::string> prefixes) : prefixes_(std::move(prefixes)) {}

  /// Selects the section of the following data. Returns whether it is kept; call it before each add function.
  bool select(const llvm::MCSection *section);
  void addBytes(llvm::StringRef bytes) { current_->literal += bytes; }
  /// `size`: 1 to 8 bytes.
  void addValue(const llvm::MCExpr &value, unsigned size) {
    add({.kind = Piece::Kind::Value, .size = static_cast<uint8_t>(size), .expression = &value});
  }
  void addLeb128(const llvm::MCExpr &value, bool isSigned) {
    add({.kind = isSigned ? Piece::Kind::Sleb128 : Piece::Kind::Uleb128, .expression = &value});
  }
  /// Adds `value` in `size` bytes, `count` times; at most the lower four bytes are not zero.
  void addFill(const llvm::MCExpr &count, unsigned size, uint64_t value) {
    add({.kind = Piece::Kind::Fill, .size = static_cast<uint8_t>(size), .value = value, .expression = &count});
  }
  void addAlignment(uint64_t alignment, uint8_t fill) {
    add({.kind = Piece::Kind::Alignment, .fill = fill, .value = alignment});
  }
  /// Adds a label of any section. `instruction`: index of the next instruction.
  void addLabel(const llvm::MCSymbol &symbol, const llvm::MCSection *section, uint32_t instruction);

  /// Returns the bytes by section name. Sections with the same name (in COMDAT groups) are concatenated.
  llvm::StringMap<std::string> layOut(bool isLittleEndian);

private:
  struct Piece {
    enum class Kind : uint8_t { Value, Uleb128, Sleb128, Fill, Alignment, Label };
    Kind kind;
    uint8_t size = 0;
    uint8_t fill = 0;
    uint32_t at = 0;    ///< number of literal bytes in the section before it
    uint64_t value = 0; ///< of a fill, or the alignment
    const llvm::MCExpr *expression = nullptr;
    const llvm::MCSymbol *symbol = nullptr;
  };
  struct Section {
    std::string name;
    std::string literal; ///< bytes with known values
    std::vector<Piece> pieces;
  };
  /// A value whose offset is known but whose bytes are not filled in yet.
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
  /// Returns the value of an expression modulo 2^64, because assembler arithmetic wraps around; nothing if a symbol has
  /// no value or it takes too many steps.
  std::optional<uint64_t> evaluate(const llvm::MCExpr &expression) const {
    unsigned steps = 0;
    return evaluate(expression, steps);
  }
  std::optional<uint64_t> evaluate(const llvm::MCExpr &expression, unsigned &steps) const;
  std::optional<uint64_t> valueOf(const llvm::MCSymbol &symbol, unsigned &steps) const;
  uint64_t fieldOf(const llvm::MCExpr &expression) const;

  std::vector<std::string> prefixes_;
  std::deque<Section> sections_; // only sections that are kept
  llvm::StringMap<Section *> byName_;
  llvm::DenseMap<const llvm::MCSection *, Section *> bySection_; // null: not kept
  const llvm::MCSection *selected_ = nullptr;
  Section *current_ = nullptr;
  llvm::DenseMap<const llvm::MCSymbol *, uint64_t> labels_;
  std::vector<Field> fields_;
  bool littleEndian_ = true;
  uint64_t padding_ = 0;
};

} // namespace mca
