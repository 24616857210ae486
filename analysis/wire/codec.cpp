// How the messages become bytes.
//
// A message is the CBOR (RFC 8949) array [kind, members], and a struct is the array of its members in the order of
// members() below: one list serves both directions, so that they cannot disagree. Both programs are built together:
// there is no versioning, and an array of another length is malformed.
//
// Only what messages consist of is written and read: unsigned integers, booleans, 8-byte floats, texts and arrays of a
// known length. The reader knows which of them comes next, so it nests no deeper than the structs do and copies a text
// once. A text's encoding is not looked at: bytes that are not UTF-8 arrive as they were sent.
#include "analysis/wire/codec.h"

#include <algorithm>
#include <bit>
#include <concepts>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace analysis::wire {
namespace {

constexpr size_t kLengthBytes = 4;
/// A buffer that grew beyond this is given back once its frames are consumed. In bytes.
constexpr size_t kKeptBufferBytes = 1u << 20;

// ---- the members of each message -----------------------------------------------------------------------------------

template <typename T, typename U>
concept Is = std::same_as<std::remove_const_t<T>, U>;

template <Is<ByteRange> T>
auto members(T &v) {
  return std::tie(v.begin, v.end);
}
template <Is<Settings> T>
auto members(T &v) {
  return std::tie(v.cpu, v.triple, v.features, v.iterations, v.compiler, v.compileCommandsDir, v.extraFlags,
                  v.markerRegions, v.loops, v.wholeSnippets);
}
template <Is<AnalyzeRequest> T>
auto members(T &v) {
  return std::tie(v.id, v.path, v.language, v.text, v.settings);
}
template <Is<CancelRequest> T>
auto members(T &v) {
  return std::tie(v.id);
}
template <Is<Progress> T>
auto members(T &v) {
  return std::tie(v.id, v.stage, v.what, v.at, v.done, v.total);
}
template <Is<RelatedPlace> T>
auto members(T &v) {
  return std::tie(v.path, v.at, v.line, v.message);
}
template <Is<Finding> T>
auto members(T &v) {
  return std::tie(v.at, v.severity, v.code, v.message, v.related);
}
template <Is<Block> T>
auto members(T &v) {
  return std::tie(v.kind, v.text);
}
template <Is<Hint> T>
auto members(T &v) {
  return std::tie(v.offset, v.label, v.tooltip);
}
template <Is<Hover> T>
auto members(T &v) {
  return std::tie(v.at, v.contents);
}
template <Is<ResourceUse> T>
auto members(T &v) {
  return std::tie(v.name, v.perIteration);
}
template <Is<RegionSummary> T>
auto members(T &v) {
  return std::tie(v.name, v.kind, v.at, v.instructions, v.iterations, v.cycles, v.microOps, v.dispatchWidth, v.ipc,
                  v.microOpsPerCycle, v.blockReciprocalThroughput, v.pressure, v.bottleneck, v.caveats);
}
template <Is<TargetSummary> T>
auto members(T &v) {
  return std::tie(v.triple, v.cpu, v.features, v.cpuOrigin, v.modelOrigin, v.commandOrigin);
}
template <Is<AnalysisResult> T>
auto members(T &v) {
  return std::tie(v.id, v.status, v.target, v.regions, v.hints, v.findings, v.hovers, v.notes, v.compileMicros,
                  v.analysisMicros);
}

template <typename Enum>
struct EnumRange;
template <>
struct EnumRange<Language> {
  static constexpr Language first = Language::Assembly, last = Language::Cxx;
};
template <>
struct EnumRange<Stage> {
  static constexpr Stage first = Stage::Compiling, last = Stage::Simulating;
};
template <>
struct EnumRange<Severity> {
  static constexpr Severity first = Severity::Error, last = Severity::Hint;
};
template <>
struct EnumRange<Block::Kind> {
  static constexpr Block::Kind first = Block::Kind::Heading, last = Block::Kind::Preformatted;
};
template <>
struct EnumRange<RegionKind> {
  static constexpr RegionKind first = RegionKind::Marker, last = RegionKind::Snippet;
};
template <>
struct EnumRange<Status> {
  static constexpr Status first = Status::Finished, last = Status::Cancelled;
};

template <typename T>
concept Struct = requires(T &value) { members(value); };
template <typename T>
concept Enumeration = std::is_enum_v<T>;
template <typename T>
concept Unsigned = std::unsigned_integral<T> && !std::same_as<T, bool>;

// ---- CBOR ----------------------------------------------------------------------------------------------------------

/// The upper three bits of an item's first byte.
enum class Major : uint8_t { Unsigned = 0, Text = 3, Array = 4 };

constexpr uint8_t kFalse = 0xf4, kTrue = 0xf5, kDouble = 0xfb;
/// The lower five bits hold a value below the first of these, or say that 1, 2, 4 or 8 bytes with it follow.
constexpr uint8_t kOneByteFollows = 24, kEightBytesFollow = 27;

class Writer {
public:
  /// Begins with room for the frame's length.
  std::string bytes = std::string(kLengthBytes, '\0');

  void put(bool value) { putByte(value ? kTrue : kFalse); }
  void put(double value) {
    putByte(kDouble);
    putBigEndian(std::bit_cast<uint64_t>(value), 8);
  }
  void put(Unsigned auto value) { putHead(Major::Unsigned, value); }
  void put(Enumeration auto value) { putHead(Major::Unsigned, static_cast<uint64_t>(value)); }
  void put(const std::string &value) {
    putHead(Major::Text, value.size());
    bytes.append(value);
  }
  template <typename T>
  void put(const std::vector<T> &values) {
    putHead(Major::Array, values.size());
    for (const T &value : values)
      put(value);
  }
  void put(const Struct auto &value) {
    const auto putMembers = [this](const auto &...member) {
      putHead(Major::Array, sizeof...(member));
      (put(member), ...);
    };
    std::apply(putMembers, members(value));
  }

  void putHead(Major major, uint64_t value) {
    const auto top = static_cast<uint8_t>(static_cast<uint8_t>(major) << 5);
    if (value < kOneByteFollows)
      return putByte(static_cast<uint8_t>(top | value));
    const int log = value <= 0xff ? 0 : value <= 0xffff ? 1 : value <= 0xffff'ffff ? 2 : 3;
    putByte(static_cast<uint8_t>(top | (kOneByteFollows + log)));
    putBigEndian(value, 1 << log);
  }

private:
  void putByte(uint8_t byte) { bytes.push_back(static_cast<char>(byte)); }
  void putBigEndian(uint64_t value, int count) {
    while (count-- > 0)
      putByte(static_cast<uint8_t>(value >> (8 * count)));
  }
};

/// Each get() takes one item off the front. It is false when that is not of the wanted kind, size or range.
class Reader {
public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  bool atEnd() const { return rest_.empty(); }

  bool get(bool &value) {
    uint8_t byte = 0;
    if (!getByte(byte) || (byte != kFalse && byte != kTrue))
      return false;
    value = byte == kTrue;
    return true;
  }
  bool get(double &value) {
    uint8_t byte = 0;
    uint64_t bits = 0;
    if (!getByte(byte) || byte != kDouble || !getBigEndian(bits, 8))
      return false;
    value = std::bit_cast<double>(bits);
    return true;
  }
  template <Unsigned T>
  bool get(T &value) {
    uint64_t number = 0;
    if (!getHead(Major::Unsigned, number) || number > std::numeric_limits<T>::max())
      return false;
    value = static_cast<T>(number);
    return true;
  }
  template <Enumeration T>
  bool get(T &value) {
    uint64_t number = 0;
    if (!get(number) || number < static_cast<uint64_t>(EnumRange<T>::first) ||
        number > static_cast<uint64_t>(EnumRange<T>::last))
      return false;
    value = static_cast<T>(number);
    return true;
  }
  bool get(std::string &value) {
    uint64_t length = 0;
    if (!getHead(Major::Text, length) || length > rest_.size())
      return false;
    value = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return true;
  }
  template <typename T>
  bool get(std::vector<T> &values) {
    uint64_t length = 0;
    if (!getHead(Major::Array, length))
      return false;
    // The length may lie: the vector grows with the values that are really there.
    for (values.clear(); values.size() < length;) {
      T value{};
      if (!get(value))
        return false;
      values.push_back(std::move(value));
    }
    return true;
  }
  template <Struct T>
  bool get(T &value) {
    const auto getMembers = [this](auto &...member) {
      uint64_t length = 0;
      return getHead(Major::Array, length) && length == sizeof...(member) && (get(member) && ...);
    };
    return std::apply(getMembers, members(value));
  }

  bool getHead(Major major, uint64_t &value) {
    uint8_t byte = 0;
    if (!getByte(byte) || byte >> 5 != static_cast<uint8_t>(major))
      return false;
    value = byte & 0x1f;
    if (value < kOneByteFollows)
      return true;
    return value <= kEightBytesFollow && getBigEndian(value, 1 << (value - kOneByteFollows));
  }

private:
  bool getByte(uint8_t &byte) {
    if (rest_.empty())
      return false;
    byte = static_cast<uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return true;
  }
  bool getBigEndian(uint64_t &value, int count) {
    for (value = 0; count > 0; --count) {
      uint8_t byte = 0;
      if (!getByte(byte))
        return false;
      value = value << 8 | byte;
    }
    return true;
  }

  std::string_view rest_;
};

// ---- whole messages ------------------------------------------------------------------------------------------------

template <typename Message>
std::string encodeFrame(const Message &message) {
  Writer writer;
  writer.putHead(Major::Array, 2);
  writer.put(message.index());
  std::visit([&](const auto &alternative) { writer.put(alternative); }, message);
  // Beyond four bytes of length the receiver sees a frame that is too long, which is what it is.
  const size_t length = std::min<size_t>(writer.bytes.size() - kLengthBytes, std::numeric_limits<uint32_t>::max());
  for (size_t i = 0; i < kLengthBytes; ++i)
    writer.bytes[i] = static_cast<char>(length >> (8 * i));
  return std::move(writer.bytes);
}

template <typename Message, size_t Index = 0>
std::optional<Message> decodeAlternative(uint64_t kind, Reader &reader) {
  if constexpr (Index < std::variant_size_v<Message>) {
    if (kind != Index)
      return decodeAlternative<Message, Index + 1>(kind, reader);
    std::variant_alternative_t<Index, Message> alternative;
    if (reader.get(alternative) && reader.atEnd())
      return alternative;
  }
  return std::nullopt;
}

template <typename Message>
std::optional<Message> decode(std::string_view payload) {
  Reader reader(payload);
  uint64_t length = 0, kind = 0;
  if (!reader.getHead(Major::Array, length) || length != 2 || !reader.get(kind))
    return std::nullopt;
  return decodeAlternative<Message>(kind, reader);
}

} // namespace

std::string encode(const ToWorker &message) {
  return encodeFrame(message);
}
std::string encode(const FromWorker &message) {
  return encodeFrame(message);
}

std::optional<ToWorker> decodeToWorker(std::string_view payload) {
  return decode<ToWorker>(payload);
}
std::optional<FromWorker> decodeFromWorker(std::string_view payload) {
  return decode<FromWorker>(payload);
}

void FrameSplitter::feed(std::string_view bytes) {
  if (broken_)
    return;
  if (consumed_ == buffer_.size()) {
    buffer_.clear();
    consumed_ = 0;
    if (buffer_.capacity() > kKeptBufferBytes)
      buffer_.shrink_to_fit();
  } else if (consumed_ > buffer_.size() / 2) {
    // Only when most of it is consumed: each byte is then moved at most once for one that was consumed before it.
    buffer_.erase(0, consumed_);
    consumed_ = 0;
  }
  buffer_.append(bytes);
}

std::optional<std::string_view> FrameSplitter::next() {
  const std::string_view rest = std::string_view(buffer_).substr(consumed_);
  if (broken_ || rest.size() < kLengthBytes)
    return std::nullopt;
  uint32_t length = 0;
  for (size_t i = 0; i < kLengthBytes; ++i)
    length |= static_cast<uint32_t>(static_cast<unsigned char>(rest[i])) << (8 * i);
  if (length > kMaxFrameBytes) {
    broken_ = true;
    return std::nullopt;
  }
  if (rest.size() - kLengthBytes < length)
    return std::nullopt;
  consumed_ += kLengthBytes + length;
  return rest.substr(kLengthBytes, length);
}

} // namespace analysis::wire
