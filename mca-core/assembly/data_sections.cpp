// Collects the data directives while the parser runs, and computes their bytes afterwards.
#include "mca-core/assembly/data_sections.h"

#include "llvm/ADT/STLFunctionalExtras.h"
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

/// Evaluates an assembler expression. Compilers write a handful of nodes, but symbols can be defined as sums of each
/// other, so the number of steps is limited.
class Evaluation {
public:
  using ValueOf = llvm::function_ref<std::optional<uint64_t>(const llvm::MCSymbol &)>;
  explicit Evaluation(ValueOf valueOf) : valueOf_(valueOf) {}

  std::optional<int64_t> run(const llvm::MCExpr &expression) {
    if (++steps_ > kMaxSteps)
      return std::nullopt;
    switch (expression.getKind()) {
    case llvm::MCExpr::Constant:
      return llvm::cast<llvm::MCConstantExpr>(expression).getValue();
    case llvm::MCExpr::SymbolRef:
      return ofSymbol(llvm::cast<llvm::MCSymbolRefExpr>(expression).getSymbol());
    case llvm::MCExpr::Specifier:
      return run(*llvm::cast<llvm::MCSpecifierExpr>(expression).getSubExpr());
    case llvm::MCExpr::Binary:
      return ofBinary(llvm::cast<llvm::MCBinaryExpr>(expression));
    case llvm::MCExpr::Unary:
      return ofUnary(llvm::cast<llvm::MCUnaryExpr>(expression));
    default:
      return std::nullopt;
    }
  }

private:
  static constexpr unsigned kMaxSteps = 64;

  std::optional<int64_t> ofSymbol(const llvm::MCSymbol &symbol) {
    if (symbol.isVariable())
      return run(*symbol.getVariableValue());
    const std::optional<uint64_t> value = valueOf_(symbol);
    return value ? std::optional(static_cast<int64_t>(*value)) : std::nullopt;
  }

  std::optional<int64_t> ofBinary(const llvm::MCBinaryExpr &expression) {
    const std::optional<int64_t> left = run(*expression.getLHS());
    const std::optional<int64_t> right = left ? run(*expression.getRHS()) : std::nullopt;
    if (!right)
      return std::nullopt;
    // unsigned, because assembler arithmetic wraps around
    const auto a = static_cast<uint64_t>(*left), b = static_cast<uint64_t>(*right);
    switch (expression.getOpcode()) {
    case llvm::MCBinaryExpr::Add:
      return static_cast<int64_t>(a + b);
    case llvm::MCBinaryExpr::Sub:
      return static_cast<int64_t>(a - b);
    default:
      return std::nullopt;
    }
  }

  std::optional<int64_t> ofUnary(const llvm::MCUnaryExpr &expression) {
    const std::optional<int64_t> value = run(*expression.getSubExpr());
    if (!value || expression.getOpcode() != llvm::MCUnaryExpr::Minus)
      return std::nullopt;
    return static_cast<int64_t>(0 - static_cast<uint64_t>(*value));
  }

  ValueOf valueOf_;
  unsigned steps_ = 0;
};

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
  const auto isPrefix = [&](const std::string &prefix) { return name.starts_with(prefix); };
  if (std::none_of(prefixes_.begin(), prefixes_.end(), isPrefix))
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

void DataSections::addBytes(llvm::StringRef bytes) {
  current_->literal += bytes;
}

void DataSections::addValue(const llvm::MCExpr &value, unsigned size) {
  add({.kind = Piece::Kind::Value, .size = static_cast<uint8_t>(size), .expression = &value});
}

void DataSections::addLeb128(const llvm::MCExpr &value, bool isSigned) {
  add({.kind = isSigned ? Piece::Kind::Sleb128 : Piece::Kind::Uleb128, .expression = &value});
}

void DataSections::addFill(const llvm::MCExpr &count, unsigned size, uint64_t value) {
  add({.kind = Piece::Kind::Fill, .size = static_cast<uint8_t>(size), .value = value, .expression = &count});
}

void DataSections::addAlignment(uint64_t alignment, uint8_t fill) {
  add({.kind = Piece::Kind::Alignment, .fill = fill, .value = alignment});
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
    field.bytes->replace(field.at, field.size,
                         bytesOf(static_cast<uint64_t>(fieldOf(*field.expression)), field.size, littleEndian_));
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
    const int64_t value = evaluate(*piece.expression).value_or(0);
    llvm::raw_string_ostream out(bytes);
    if (piece.kind == Piece::Kind::Sleb128)
      llvm::encodeSLEB128(value, out);
    else
      llvm::encodeULEB128(static_cast<uint64_t>(value), out);
    break;
  }
  case Piece::Kind::Fill: {
    const int64_t count = evaluate(*piece.expression).value_or(0);
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

std::optional<int64_t> DataSections::evaluate(const llvm::MCExpr &expression) const {
  const auto valueOf = [this](const llvm::MCSymbol &symbol) -> std::optional<uint64_t> {
    if (const auto label = labels_.find(&symbol); label != labels_.end())
      return label->second;
    // The name of a section is a symbol for its start.
    return byName_.contains(symbol.getName()) ? std::optional<uint64_t>(0) : std::nullopt;
  };
  return Evaluation(valueOf).run(expression);
}

int64_t DataSections::fieldOf(const llvm::MCExpr &expression) const {
  const auto *symbol = llvm::dyn_cast<llvm::MCSymbolRefExpr>(&expression);
  return evaluate(expression).value_or(symbol && !symbol->getSymbol().isVariable() ? -1 : 0);
}

} // namespace mca
