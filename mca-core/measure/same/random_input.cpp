#include "mca-core/measure/same/random_input.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>

namespace mca::measure {
namespace {

constexpr uint64_t kBytesBefore = 8 << 10; ///< of an array, in its cell
constexpr uint64_t kMostAlignment = 64;    ///< an array begins at most so many elements after its multiple of 64 bytes
constexpr uint64_t kSmall = 200;
constexpr size_t kMaxWords = 6 + CallRecord::kMaxStackWords, kMaxVectors = 8;

enum class Content : uint8_t { Plain, Small, AnyBits, Special };

/// The same numbers everywhere for a seed: the generator's sequence is the standard's, its distributions are not.
class Random {
public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  uint64_t bits() { return engine_(); }
  uint64_t below(uint64_t end) { return engine_() % end; }
  bool oneIn(uint64_t count) { return below(count) == 0; }
  template <typename T, size_t size>
  T oneOf(const T (&values)[size]) {
    return values[below(size)];
  }

private:
  std::mt19937_64 engine_;
};

template <std::floating_point T>
T makeNumber(Random &random, Content content) {
  using Limits = std::numeric_limits<T>;
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  constexpr T kSpecial[] = {0,
                            -T{0},
                            1,
                            -1,
                            Limits::infinity(),
                            -Limits::infinity(),
                            Limits::quiet_NaN(),
                            -Limits::quiet_NaN(),
                            Limits::signaling_NaN(),
                            Limits::denorm_min(),
                            -Limits::denorm_min(),
                            Limits::min(),
                            Limits::max(),
                            Limits::lowest(),
                            Limits::epsilon()};
  switch (content) {
  case Content::Plain:
    return static_cast<T>(static_cast<int64_t>(random.bits())) * static_cast<T>(0x1p-62);
  case Content::Small:
    return static_cast<T>(random.below(kSmall + 8)) - 8;
  case Content::AnyBits:
    return llvm::bit_cast<T>(static_cast<Bits>(random.bits()));
  case Content::Special:
    return random.oneIn(2) ? random.oneOf(kSpecial) : makeNumber<T>(random, Content::Plain);
  }
  return 0;
}

template <std::integral T>
T makeNumber(Random &random, Content content) {
  using Limits = std::numeric_limits<T>;
  constexpr T kSpecial[] = {0, 1, static_cast<T>(-1), Limits::min(), Limits::max(), Limits::max() - 1, 2};
  switch (content) {
  case Content::Small:
    return static_cast<T>(random.below(std::min<uint64_t>(kSmall, uint64_t{Limits::max()} + 1)));
  case Content::Plain:
  case Content::AnyBits:
    return static_cast<T>(random.bits());
  case Content::Special:
    return random.oneIn(2) ? random.oneOf(kSpecial) : static_cast<T>(random.bits());
  }
  return 0;
}

template <typename T>
void fillWith(Random &random, Content content, std::span<uint8_t> memory) {
  for (size_t at = 0; at + sizeof(T) <= memory.size(); at += sizeof(T)) {
    const T number = makeNumber<T>(random, content);
    std::memcpy(memory.data() + at, &number, sizeof(T));
  }
}

void fill(Random &random, Element element, Content content, std::span<uint8_t> memory) {
  switch (element) {
  case Element::Int8:
    return fillWith<int8_t>(random, content, memory);
  case Element::UInt8:
    return fillWith<uint8_t>(random, content, memory);
  case Element::Int16:
    return fillWith<int16_t>(random, content, memory);
  case Element::UInt16:
    return fillWith<uint16_t>(random, content, memory);
  case Element::Int32:
    return fillWith<int32_t>(random, content, memory);
  case Element::UInt32:
    return fillWith<uint32_t>(random, content, memory);
  case Element::Int64:
    return fillWith<int64_t>(random, content, memory);
  case Element::UInt64:
    return fillWith<uint64_t>(random, content, memory);
  case Element::Float:
    return fillWith<float>(random, content, memory);
  case Element::Double:
    return fillWith<double>(random, content, memory);
  }
}

/// Whether C lets one object be accessed as both: types that differ in the sign, or bytes.
bool mayAlias(Element one, Element other) {
  if (bytesOf(one) == 1 || bytesOf(other) == 1)
    return true;
  return bytesOf(one) == bytesOf(other) && isFloatingPoint(one) == isFloatingPoint(other);
}

} // namespace

InputGenerator::InputGenerator(const Signature &signature, const LinkedText &text, bool hasData, bool anyOverlap)
    : signature_(signature), text_(text), hasData_(hasData) {
  for (uint32_t i = 0; i < signature.arguments.size(); ++i) {
    if (signature.arguments[i].isPointer)
      arrays_.push_back(i);
    else if (signature.arguments[i].isInteger())
      integers_.push_back(i);
  }
  for (size_t other = 0; other < arrays_.size(); ++other)
    for (size_t one = 0; one < other; ++one)
      if (anyOverlap ||
          mayAlias(signature.arguments[arrays_[one]].element, signature.arguments[arrays_[other]].element))
        pairs_.push_back({one, other});
}

std::string InputGenerator::refusal() const {
  const size_t words = arrays_.size() + integers_.size();
  if (words > kMaxWords || signature_.arguments.size() - words > kMaxVectors)
    return "it has too many arguments";
  if (arrays_.empty() && text_.variables.empty() && signature_.arguments.empty())
    return "it has no arguments and no variables, so nothing to compare for different inputs";
  return "";
}

/// Makes one input.
class InputGenerator::Writer {
public:
  Writer(const InputGenerator &generator, const InputCase &chosen, CallRunner &runner, size_t firstCell)
      : generator_(generator), signature_(generator.signature_), chosen_(chosen), runner_(runner),
        firstCell_(firstCell), random_(chosen.seed) {}

  RandomInput write() {
    hasSmallIntegers_ = random_.oneIn(2);
    for (size_t i = 0; i < generator_.arrays_.size(); ++i)
      writeArray(i);
    if (chosen_.kind == InputCase::Kind::Overlapping)
      overlap();
    if (generator_.hasData_)
      writeVariables();
    const std::vector<uint32_t> &integers = generator_.integers_;
    const uint32_t counter = integers.empty() ? 0 : integers[random_.below(integers.size())];
    auto array = input_.arrays.begin();
    for (uint32_t i = 0; i < signature_.arguments.size(); ++i) {
      const ValueType type = signature_.arguments[i];
      if (type.isPointer)
        input_.arguments.words.push_back(array++->pointer);
      else if (type.isInteger())
        addInteger(type.element, i == counter);
      else
        input_.arguments.vectors.push_back(makeFloatingPoint(type.element));
    }
    return std::move(input_);
  }

private:
  Content chooseContent(Element element) {
    constexpr Content kContents[] = {Content::Plain,   Content::Plain,   Content::Plain, Content::Plain,
                                     Content::AnyBits, Content::Special, Content::Small, Content::Special};
    if (!isFloatingPoint(element) && hasSmallIntegers_)
      return Content::Small;
    return random_.oneOf(kContents);
  }

  void writeArray(size_t index) {
    const uint32_t argument = generator_.arrays_[index];
    const Element element = signature_.arguments[argument].element;
    const size_t cell = firstCell_ + index;
    const std::span<uint8_t> memory = runner_.cell(cell);
    fill(random_, element, chooseContent(element), memory);
    const uint64_t elements = random_.oneIn(4) ? 0 : random_.below(kMostAlignment);
    const uint64_t pointer = reinterpret_cast<uint64_t>(memory.data()) + kBytesBefore + elements * bytesOf(element);
    input_.arrays.push_back({argument, cell, pointer, pointer});
  }

  /// Moves pointers into the arrays of others: one pair always, others by chance.
  void overlap() {
    const Pair always = generator_.pairs_[random_.below(generator_.pairs_.size())];
    for (const Pair &pair : generator_.pairs_) {
      const bool isAlways = pair.one == always.one && pair.other == always.other;
      if (!isAlways && (pair.other == always.other || !random_.oneIn(4)))
        continue;
      const Element element = signature_.arguments[input_.arrays[pair.other].argument].element;
      const unsigned bytes = bytesOf(element);
      const uint64_t near = llvm::alignDown(input_.arrays[pair.one].pointer, uint64_t{bytes});
      const uint64_t mostElements = random_.oneIn(4) ? 1 : random_.oneIn(2) ? 9 : InputCase::kMaxCount;
      const uint64_t distance = random_.below(mostElements) * bytes;
      uint64_t &pointer = input_.arrays[pair.other].pointer;
      pointer = random_.oneIn(2) ? near + distance : near - distance;
      // Elements of another size would have no sensible values.
      if (bytes == bytesOf(signature_.arguments[input_.arrays[pair.one].argument].element))
        continue;
      auto *const begin = reinterpret_cast<uint8_t *>(pointer); // NOLINT(performance-no-int-to-ptr)
      fill(random_, element, chooseContent(element), {begin, bytes * (1 + random_.below(32))});
    }
  }

  /// As the text has them, or random: nothing says of what type they are. Small ones may be counts.
  void writeVariables() {
    constexpr Element kTypes[] = {Element::Float, Element::Double, Element::Int32, Element::Int64};
    const size_t cell = firstCell_ + generator_.arrays_.size();
    const std::span<uint8_t> memory = runner_.cell(cell);
    std::ranges::copy(generator_.text_.data, memory.begin());
    input_.arguments.dataCell = cell;
    const Element element = random_.oneOf(kTypes);
    const bool isAsWritten = random_.oneIn(4);
    for (const LinkedVariable &variable : generator_.text_.variables) {
      const auto place = memory.subspan(variable.address - kDataAddress, variable.size);
      if (isAsWritten || variable.hasAddresses)
        continue;
      if (variable.size > 8)
        fill(random_, element, isFloatingPoint(element) ? Content::Plain : Content::Small, place);
      else if (random_.oneIn(2))
        place[0] = static_cast<uint8_t>(random_.below(kSmall));
    }
  }

  void addInteger(Element element, bool isCounter) {
    const uint64_t value = makeInteger(element, isCounter);
    input_.arguments.words.push_back(value);
    if (isCounter)
      input_.count = static_cast<int64_t>(value);
  }

  /// Sign-extended or zero-extended to 64 bits.
  uint64_t makeInteger(Element element, bool isCounter) {
    const unsigned bits = 8 * bytesOf(element);
    const bool isExtended = isSigned(element);
    if (isCounter && chosen_.kind == InputCase::Kind::AnyInteger) {
      constexpr uint64_t kSpecial[] = {~uint64_t{0}, uint64_t{1} << 31, uint64_t{1} << 63, 0x7fff'ffff,
                                       0x7fff'ffff'ffff'ffff};
      const uint64_t value = random_.oneIn(3)   ? random_.oneOf(kSpecial)
                             : random_.oneIn(2) ? random_.bits()
                                                : ~random_.below(kSmall);
      return isExtended ? static_cast<uint64_t>(llvm::SignExtend64(value, bits))
                        : value & llvm::maskTrailingOnes<uint64_t>(bits);
    }
    const uint64_t other = random_.oneIn(2) ? random_.below(17) : random_.below(InputCase::kMaxCount + 1);
    const uint64_t value = isCounter || random_.oneIn(4) ? chosen_.count : other;
    return std::min(value, llvm::maskTrailingOnes<uint64_t>(bits - isExtended));
  }

  uint64_t makeFloatingPoint(Element element) {
    const Content content = random_.oneIn(4) ? Content::Special : random_.oneIn(4) ? Content::Small : Content::Plain;
    return element == Element::Float ? llvm::bit_cast<uint32_t>(makeNumber<float>(random_, content))
                                     : llvm::bit_cast<uint64_t>(makeNumber<double>(random_, content));
  }

  const InputGenerator &generator_;
  const Signature &signature_;
  const InputCase &chosen_;
  CallRunner &runner_;
  const size_t firstCell_;
  Random random_;
  bool hasSmallIntegers_ = false;
  RandomInput input_;
};

RandomInput InputGenerator::write(const InputCase &chosen, CallRunner &runner, size_t firstCell) const {
  return Writer(*this, chosen, runner, firstCell).write();
}

} // namespace mca::measure
