// Collects the data directives while the parser runs, and computes their bytes afterwards.
#include "mca-core/assembly/data_sections.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCSection.h"
#include "llvm/MC/MCSymbol.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace mca {
namespace {

/// Compilers write fills and alignments of a few bytes, but one directive could request gigabytes.
constexpr uint64_t kMaxPadding = 1u << 20;

/// Compilers write expressions of a handful of nodes, but symbols can be defined as sums of each other, which doubles
/// the work with each definition.
constexpr unsigned kMaxSteps = 64;

std::string bytesOf(uint64_t value, unsigned size, bool isLittleEndian) {
  std::string bytes(size, '\0');
  for (unsigned i = 0; i < std::min(size, 8u); ++i)
    bytes[isLittleEndian ? i : size - 1 - i] = static_cast<char>(value >> (8 * i));
  return bytes;
}

} // namespace

DataSections::Section *DataSections::sectionOf(const llvm::MCSection *section) {
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

bool DataSections::select(const llvm::MCSection *section) {
  if (prefixes_.empty())
    return false;
  if (section != selected_) {
    selected_ = section;
    current_ = sectionOf(section);
  }
  return current_ != nullptr;
}

void DataSections::add(Piece piece) {
  piece.at = static_cast<uint32_t>(current_->literal.size());
  current_->pieces.push_back(piece);
}

void DataSections::addLabel(const llvm::MCSymbol &symbol, const llvm::MCSection *section, uint32_t instruction) {
  if (select(section))
    add({.kind = Piece::Kind::Label, .symbol = &symbol});
  else if (!prefixes_.empty())
    labels_[&symbol] = instruction;
}

/// Lays out all sections in one pass. A LEB128 value needs the values of its labels at once; these are labels in code,
/// because compilers write differences between data labels with a fixed size. The fixed-size fields are filled in when
/// all labels are known.
llvm::StringMap<std::string> DataSections::layOut(bool isLittleEndian) {
  littleEndian_ = isLittleEndian;
  llvm::StringMap<std::string> all;
  for (const Section &section : sections_)
    layOut(section, all[section.name]);
  for (const Field &field : fields_)
    field.bytes->replace(field.at, field.size, bytesOf(fieldOf(*field.expression), field.size, littleEndian_));
  return all;
}

void DataSections::layOut(const Section &section, std::string &bytes) {
  bytes.reserve(section.literal.size() + 4 * section.pieces.size());
  size_t done = 0;
  for (const Piece &piece : section.pieces) {
    bytes.append(section.literal, done, piece.at - done);
    done = piece.at;
    place(piece, bytes);
  }
  bytes.append(section.literal, done);
}

void DataSections::place(const Piece &piece, std::string &bytes) {
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

void DataSections::pad(std::string &bytes, uint64_t count, llvm::StringRef pattern) {
  for (; count && padding_ + pattern.size() <= kMaxPadding && !pattern.empty(); --count) {
    bytes += pattern;
    padding_ += pattern.size();
  }
}

std::optional<uint64_t> DataSections::evaluate(const llvm::MCExpr &expression, unsigned &steps) const {
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

std::optional<uint64_t> DataSections::valueOf(const llvm::MCSymbol &symbol, unsigned &steps) const {
  if (symbol.isVariable())
    return evaluate(*symbol.getVariableValue(), steps);
  if (const auto label = labels_.find(&symbol); label != labels_.end())
    return label->second;
  // The name of a section is a symbol for its start.
  return byName_.contains(symbol.getName()) ? std::optional<uint64_t>(0) : std::nullopt;
}

uint64_t DataSections::fieldOf(const llvm::MCExpr &expression) const {
  const auto *reference = llvm::dyn_cast<llvm::MCSymbolRefExpr>(&expression);
  return evaluate(expression).value_or(reference && !reference->getSymbol().isVariable() ? ~0ull : 0);
}

} // namespace mca
