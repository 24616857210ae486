// How the messages become bytes.
//
// A message is the CBOR array [kind, fields], and a struct is the array of its members in the order of its declaration.
// Both programs are built together: there is no versioning, and an array of another length is malformed.
//
// The types bound how deep a message nests, and the reader how many values it has. Texts are CBOR text strings; neither
// the writer nor the reader looks at their encoding, so bytes that are not UTF-8 arrive as they were sent.
#include "analysis/wire/codec.h"

#include "analysis/wire/cbor.h"

#include <boost/pfr/core.hpp>

#include <algorithm>
#include <concepts>
#include <limits>
#include <type_traits>
#include <utility>

namespace analysis::wire {
namespace {

constexpr size_t kLengthBytes = 4;
/// Values in one message: an empty text takes 32 bytes of memory for one of the frame.
constexpr size_t kMaxValues = 1u << 24;
/// A buffer that grew beyond this is given back once its frames are consumed. In bytes.
constexpr size_t kKeptBufferBytes = 1u << 20;

// ---- what a value may be -------------------------------------------------------------------------------------------

/// A struct's members are found by Boost.PFR, so that none can be forgotten.
template <typename T>
concept Struct = std::is_aggregate_v<T>;

template <typename T>
concept Enumeration = std::is_enum_v<T>;

/// The last enumerator, so that a number of no enumerator is malformed. Each enumeration of a message has its line.
template <Enumeration T>
constexpr T kLast = T::missing;
template <>
constexpr Language kLast<Language> = Language::Cxx;
template <>
constexpr Stage kLast<Stage> = Stage::Simulating;
template <>
constexpr Severity kLast<Severity> = Severity::Hint;
template <>
constexpr RegionKind kLast<RegionKind> = RegionKind::Path;
template <>
constexpr DocumentKind kLast<DocumentKind> = DocumentKind::Timeline;
template <>
constexpr WaitKind kLast<WaitKind> = WaitKind::RetireWidth;
template <>
constexpr Verdict::Kind kLast<Verdict::Kind> = Verdict::Kind::Stall;
template <>
constexpr Caveat::Kind kLast<Caveat::Kind> = Caveat::Kind::OtherCpu;
template <>
constexpr Transfer::Kind kLast<Transfer::Kind> = Transfer::Kind::IndirectJump;
template <>
constexpr Budget::What kLast<Budget::What> = Budget::What::Ipc;
template <>
constexpr View::Problem kLast<View::Problem> = View::Problem::SetAside;
template <>
constexpr Version kLast<Version> = Version::Head;
template <>
constexpr CpuModel kLast<CpuModel> = CpuModel::None;
template <>
constexpr Status kLast<Status> = Status::Cancelled;

template <Enumeration T>
constexpr T kFirst = T{};
template <>
constexpr Severity kFirst<Severity> = Severity::Error;

// ---- writing -------------------------------------------------------------------------------------------------------

void write(CborWriter &out, bool value) {
  out.boolean(value);
}
void write(CborWriter &out, double value) {
  out.real(value);
}
void write(CborWriter &out, std::unsigned_integral auto value) {
  out.number(value);
}
void write(CborWriter &out, Enumeration auto value) {
  out.number(static_cast<uint64_t>(value));
}
void write(CborWriter &out, const std::string &value) {
  out.text(value);
}
template <Struct T>
void write(CborWriter &out, const T &value);
void write(CborWriter &out, const std::vector<ByteRange> &places);

template <typename T>
void write(CborWriter &out, const std::vector<T> &values) {
  out.array(values.size());
  for (const T &value : values)
    write(out, value);
}

template <Struct T>
void write(CborWriter &out, const T &value) {
  out.array(boost::pfr::tuple_size_v<T>);
  boost::pfr::for_each_field(value, [&](const auto &member) { write(out, member); });
}

/// Places of instructions are most of a result, and most of them stand a few bytes after the one before: each is sent
/// as the distance of its beginning from the end of the last one, and its length. Both wrap around at 2^32; the
/// distance is doubled, and one less with its sign turned if it is negative, so that small ones are small numbers.
void write(CborWriter &out, const std::vector<ByteRange> &places) {
  out.array(2 * places.size());
  uint32_t last = 0;
  for (const ByteRange &place : places) {
    const uint32_t distance = place.begin - last;
    out.number(distance << 1 ^ (distance >> 31 ? UINT32_MAX : 0));
    out.number(uint32_t{place.end - place.begin});
    last = place.end;
  }
}

// ---- reading -------------------------------------------------------------------------------------------------------

bool read(CborReader &in, bool &value) {
  return in.boolean(value);
}
bool read(CborReader &in, double &value) {
  return in.real(value);
}

template <std::unsigned_integral T>
bool read(CborReader &in, T &value) {
  uint64_t number = 0;
  if (!in.number(number) || number > std::numeric_limits<T>::max())
    return false;
  value = static_cast<T>(number);
  return true;
}

template <Enumeration T>
bool read(CborReader &in, T &value) {
  uint64_t number = 0;
  if (!in.number(number) || number < static_cast<uint64_t>(kFirst<T>) || number > static_cast<uint64_t>(kLast<T>))
    return false;
  value = static_cast<T>(number);
  return true;
}

bool read(CborReader &in, std::string &value) {
  return in.text(value);
}

template <Struct T>
bool read(CborReader &in, T &value);
bool read(CborReader &in, std::vector<ByteRange> &places);

/// Elements are made one by one: a length that lies costs no memory.
template <typename T>
bool read(CborReader &in, std::vector<T> &values) {
  size_t size = 0;
  if (!in.array(size))
    return false;
  for (size_t i = 0; i < size; ++i)
    if (!read(in, values.emplace_back()))
      return false;
  return true;
}

template <Struct T>
bool read(CborReader &in, T &value) {
  size_t size = 0;
  bool good = in.array(size) && size == boost::pfr::tuple_size_v<T>;
  boost::pfr::for_each_field(value, [&](auto &member) { good = good && read(in, member); });
  return good;
}

bool read(CborReader &in, std::vector<ByteRange> &places) {
  size_t size = 0;
  if (!in.array(size) || size % 2)
    return false;
  uint32_t last = 0;
  for (size_t i = 0; i < size; i += 2) {
    uint32_t distance = 0, length = 0;
    if (!read(in, distance) || !read(in, length))
      return false;
    const uint32_t begin = last + (distance >> 1 ^ (distance & 1 ? UINT32_MAX : 0));
    last = begin + length;
    places.push_back({begin, last});
  }
  return true;
}

// ---- whole messages ------------------------------------------------------------------------------------------------

template <typename Message>
std::string encodeFrame(const Message &message) {
  std::string frame(kLengthBytes, '\0');
  CborWriter out(frame);
  out.array(2);
  out.number(message.index());
  std::visit([&](const auto &alternative) { write(out, alternative); }, message);
  // Beyond four bytes of length the receiver sees a frame that is too long, which is what it is.
  const size_t length = std::min<size_t>(frame.size() - kLengthBytes, std::numeric_limits<uint32_t>::max());
  for (size_t i = 0; i < kLengthBytes; ++i)
    frame[i] = static_cast<char>(length >> (8 * i));
  return frame;
}

template <typename Message, size_t Index = 0>
std::optional<Message> decodeAlternative(uint64_t kind, CborReader &in) {
  if constexpr (Index < std::variant_size_v<Message>) {
    if (kind != Index)
      return decodeAlternative<Message, Index + 1>(kind, in);
    std::variant_alternative_t<Index, Message> alternative;
    if (read(in, alternative) && in.atEnd())
      return alternative;
  }
  return std::nullopt;
}

template <typename Message>
std::optional<Message> decode(std::string_view payload) {
  CborReader in(payload, kMaxValues);
  size_t size = 0;
  uint64_t kind = 0;
  if (!in.array(size) || size != 2 || !in.number(kind))
    return std::nullopt;
  return decodeAlternative<Message>(kind, in);
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
