// How the messages become bytes.
//
// A message is the CBOR array [kind, fields], and a struct is the array of its members in the order of its declaration.
// Both programs are built together: there is no versioning, and an array of another length is malformed.
//
// The types bound how deep a message nests, and the reader bounds how many values it has. Texts are CBOR text strings;
// their encoding is not checked, so bytes that are not UTF-8 arrive as they were sent.
#include "analysis/wire/codec.h"

#include "analysis/wire/cbor.h"

#include <boost/pfr/core.hpp>

#include <algorithm>
#include <concepts>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace analysis::wire {
namespace {

constexpr size_t kLengthBytes = 4;
/// Values in one message. An empty text takes one byte of the frame, but 32 bytes of memory.
constexpr size_t kMaxValues = 1u << 24;
/// A buffer that grew beyond this size is released once its frames are consumed. In bytes.
constexpr size_t kKeptBufferBytes = 1u << 20;

// ---- types of values ---------------------------------------------------------------------------------------------

/// A struct of messages.h and what it includes. Boost.PFR finds its members, so that none can be forgotten.
template <typename T>
concept Struct = std::is_aggregate_v<T>;

template <typename T>
concept Enumeration = std::is_enum_v<T>;

/// The last enumerator of each enumeration in a message, so that a larger number is malformed. An enumeration that is
/// not listed does not compile.
constexpr std::tuple kLastEnumerators{Language::Cxx,
                                      Stage::Simulating,
                                      Severity::Hint,
                                      Sentence::Last,
                                      RegionKind::Path,
                                      DocumentKind::Advice,
                                      WaitKind::RetireWidth,
                                      Verdict::Kind::Buffer,
                                      Caveat::Kind::OtherCpu,
                                      Transfer::Kind::IndirectJump,
                                      Budget::What::Ipc,
                                      View::Problem::SetAside,
                                      Version::Head,
                                      CpuModel::None,
                                      Status::Cancelled,
                                      ControlFlow::Source::Comment,
                                      CalibrationSummary::Source::Profile,
                                      AdviceLabel::ChangesResults,
                                      LoopFate::Kind::NeverRuns,
                                      SourceKept::Unreadable,
                                      ProfiledLoop::Match::Changed};

/// Severity has the values of LSP's DiagnosticSeverity, which start at 1.
template <Enumeration T>
constexpr uint64_t kFirst = std::is_same_v<T, Severity> ? static_cast<uint64_t>(Severity::Error) : 0;

// ---- writing -------------------------------------------------------------------------------------------------------

template <Struct T>
void write(CborWriter &out, const T &value);
template <typename T>
void write(CborWriter &out, const std::vector<T> &values);

template <typename T>
  requires(!Struct<T>)
void write(CborWriter &out, const T &value) {
  if constexpr (std::is_same_v<T, bool>)
    out.boolean(value);
  else if constexpr (std::is_same_v<T, double>)
    out.real(value);
  else if constexpr (std::is_same_v<T, std::string>)
    out.text(value);
  else
    out.number(static_cast<uint64_t>(value));
}

/// Places of instructions are most of a result, and most of them are a few bytes after the one before. So each is sent
/// as two numbers: the distance of its beginning from the end of the last one, and its length, both modulo 2^32. The
/// distance is doubled, and if it is negative inverted (zigzag encoding): small distances become small numbers, which
/// take fewer bytes.
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

// ---- reading -------------------------------------------------------------------------------------------------------

template <Struct T>
bool read(CborReader &in, T &value);
template <typename T>
bool read(CborReader &in, std::vector<T> &values);

bool read(CborReader &in, bool &value) {
  return in.boolean(value);
}
bool read(CborReader &in, double &value) {
  return in.real(value);
}
bool read(CborReader &in, std::string &value) {
  return in.text(value);
}

template <typename T>
  requires std::unsigned_integral<T> || Enumeration<T>
bool read(CborReader &in, T &value) {
  uint64_t number = 0, first = 0, last = 0;
  if constexpr (Enumeration<T>) {
    first = kFirst<T>;
    last = static_cast<uint64_t>(std::get<T>(kLastEnumerators));
  } else {
    last = std::numeric_limits<T>::max();
  }
  if (!in.number(number) || number < first || number > last)
    return false;
  value = static_cast<T>(number);
  return true;
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

/// Elements are added one by one: a wrong length costs no memory.
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

// ---- whole messages ------------------------------------------------------------------------------------------------

template <typename Message>
std::string encodeFrame(const Message &message) {
  std::string frame(kLengthBytes, '\0');
  CborWriter out(frame);
  out.array(2);
  out.number(message.index());
  std::visit([&](const auto &alternative) { write(out, alternative); }, message);
  // A length beyond four bytes becomes the greatest one, which the receiver rejects (kMaxFrameBytes).
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
    // Not before half of it is consumed: no more bytes are moved than were consumed since the last move.
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
