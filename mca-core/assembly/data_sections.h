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
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCSection.h"
#include "llvm/MC/MCSymbol.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace mca {

/// Collects data directives while the parser runs, and computes their bytes afterwards, when all labels are known.
class DataSections {
public:
  /// `prefixes`: of the names of the sections to keep. Without any, the class does nothing.
  explicit DataSections(std::vector<std::string> prefixes) : prefixes_(std::move(prefixes)) {}

  /// Selects the section of the following data. Returns whether it is kept; call it before each add function.
  bool select(const llvm::MCSection *section) {
    if (prefixes_.empty())
      return false;
    if (section != selected_) {
      selected_ = section;
      current_ = sectionOf(section);
    }
    return current_ != nullptr;
  }
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
  void addLabel(const llvm::MCSymbol &symbol, const llvm::MCSection *section, uint32_t instruction) {
    if (select(section))
      add({.kind = Piece::Kind::Label, .symbol = &symbol});
    else if (!prefixes_.empty())
      labels_[&symbol] = instruction;
  }

  /// Returns the bytes by section name. Sections with the same name (in COMDAT groups) are concatenated.
  ///
  /// Lays out all sections in one pass. A LEB128 value needs the values of its labels at once; these are labels in
  /// code, because compilers write differences between data labels with a fixed size. The fixed-size fields are filled
  /// in when all labels are known.
  llvm::StringMap<std::string> layOut(bool isLittleEndian) {
    littleEndian_ = isLittleEndian;
    llvm::StringMap<std::string> all;
    for (const Section &section : sections_)
      layOut(section, all[section.name]);
    for (const Field &field : fields_)
      field.bytes->replace(field.at, field.size, bytesOf(fieldOf(*field.expression), field.size, littleEndian_));
    return all;
  }

private:
  /// Compilers write fills and alignments of a few bytes, but one directive could request gigabytes.
  static constexpr uint64_t kMaxPadding = 1u << 20;
  /// Compilers write expressions of a handful of nodes, but symbols can be defined as sums of each other, which doubles
  /// the work with each definition.
  static constexpr unsigned kMaxSteps = 64;

  /// What a directive adds that is not known yet, or a label.
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

  static std::string bytesOf(uint64_t value, unsigned size, bool isLittleEndian) {
    std::string bytes(size, '\0');
    for (unsigned i = 0; i < std::min(size, 8u); ++i)
      bytes[isLittleEndian ? i : size - 1 - i] = static_cast<char>(value >> (8 * i));
    return bytes;
  }

  Section *sectionOf(const llvm::MCSection *section) {
    const auto [known, isNew] = bySection_.try_emplace(section, nullptr);
    if (!isNew)
      return known->second;
    const llvm::StringRef name = section ? section->getName() : "";
    if (llvm::none_of(prefixes_, [&](const std::string &prefix) { return name.starts_with(prefix); }))
      return nullptr;
    Section *&named = byName_[name];
    if (!named)
      named = &sections_.emplace_back(Section{.name = name.str(), .literal = {}, .pieces = {}});
    return known->second = named;
  }
  void add(Piece piece) {
    piece.at = static_cast<uint32_t>(current_->literal.size());
    current_->pieces.push_back(piece);
  }
  void layOut(const Section &section, std::string &bytes) {
    bytes.reserve(section.literal.size() + 4 * section.pieces.size());
    size_t done = 0;
    for (const Piece &piece : section.pieces) {
      bytes.append(section.literal, done, piece.at - done);
      done = piece.at;
      place(piece, bytes);
    }
    bytes.append(section.literal, done);
  }
  void place(const Piece &piece, std::string &bytes) {
    switch (piece.kind) {
    case Piece::Kind::Label:
      labels_[piece.symbol] = bytes.size();
      break;
    case Piece::Kind::Value:
      fields_.push_back({&bytes, bytes.size(), piece.size, piece.expression});
      bytes.append(piece.size, '\0');
      break;
    case Piece::Kind::Uleb128:
    case Piece::Kind::Sleb128: {
      const uint64_t value = evaluate(*piece.expression).value_or(0);
      llvm::raw_string_ostream out(bytes);
      if (piece.kind == Piece::Kind::Sleb128)
        llvm::encodeSLEB128(static_cast<int64_t>(value), out);
      else
        llvm::encodeULEB128(value, out);
      break;
    }
    case Piece::Kind::Fill: {
      const auto count = static_cast<int64_t>(evaluate(*piece.expression).value_or(0));
      pad(bytes, static_cast<uint64_t>(std::max<int64_t>(count, 0)), bytesOf(piece.value, piece.size, littleEndian_));
      break;
    }
    case Piece::Kind::Alignment:
      pad(bytes, llvm::offsetToAlignment(bytes.size(), llvm::Align(piece.value)),
          llvm::StringRef(reinterpret_cast<const char *>(&piece.fill), 1));
      break;
    }
  }
  void pad(std::string &bytes, uint64_t count, llvm::StringRef pattern) {
    for (; count && padding_ + pattern.size() <= kMaxPadding && !pattern.empty(); --count) {
      bytes += pattern;
      padding_ += pattern.size();
    }
  }
  /// Returns the value of an expression modulo 2^64, because assembler arithmetic wraps around; nothing if a symbol has
  /// no value or it takes too many steps.
  std::optional<uint64_t> evaluate(const llvm::MCExpr &expression) const {
    unsigned steps = 0;
    return evaluate(expression, steps);
  }
  std::optional<uint64_t> evaluate(const llvm::MCExpr &expression, unsigned &steps) const {
    if (++steps > kMaxSteps)
      return std::nullopt;
    if (const auto *constant = llvm::dyn_cast<llvm::MCConstantExpr>(&expression))
      return static_cast<uint64_t>(constant->getValue());
    if (const auto *reference = llvm::dyn_cast<llvm::MCSymbolRefExpr>(&expression))
      return valueOf(reference->getSymbol(), steps);
    if (const auto *specified = llvm::dyn_cast<llvm::MCSpecifierExpr>(&expression))
      return evaluate(*specified->getSubExpr(), steps);
    if (const auto *unary = llvm::dyn_cast<llvm::MCUnaryExpr>(&expression)) {
      const std::optional<uint64_t> value = evaluate(*unary->getSubExpr(), steps);
      return value && unary->getOpcode() == llvm::MCUnaryExpr::Minus ? std::optional(0 - *value) : std::nullopt;
    }
    const auto *binary = llvm::dyn_cast<llvm::MCBinaryExpr>(&expression);
    const std::optional<uint64_t> left = binary ? evaluate(*binary->getLHS(), steps) : std::nullopt;
    const std::optional<uint64_t> right = left ? evaluate(*binary->getRHS(), steps) : std::nullopt;
    if (right && binary->getOpcode() == llvm::MCBinaryExpr::Add)
      return *left + *right;
    if (right && binary->getOpcode() == llvm::MCBinaryExpr::Sub)
      return *left - *right;
    return std::nullopt;
  }
  std::optional<uint64_t> valueOf(const llvm::MCSymbol &symbol, unsigned &steps) const {
    if (symbol.isVariable())
      return evaluate(*symbol.getVariableValue(), steps);
    if (const auto label = labels_.find(&symbol); label != labels_.end())
      return label->second;
    // The name of a section is a symbol for its start.
    return byName_.contains(symbol.getName()) ? std::optional<uint64_t>(0) : std::nullopt;
  }
  /// Returns the value of a field with a fixed size; see the top of the file for one that cannot be resolved.
  uint64_t fieldOf(const llvm::MCExpr &expression) const {
    const auto *reference = llvm::dyn_cast<llvm::MCSymbolRefExpr>(&expression);
    return evaluate(expression).value_or(reference && !reference->getSymbol().isVariable() ? ~0ull : 0);
  }

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
