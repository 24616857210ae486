// How the messages become bytes.
//
// A message is the CBOR array [kind, fields], and a struct is the array of its members in the order of members() below.
// One list of members serves both directions, so that they cannot disagree. Both programs are built together: there is
// no versioning, and an array of another length is malformed.
//
// nlohmann's CBOR reader recurses and throws; ArrayBuilder, which it calls for every value, bounds the nesting and the
// number of values, and decode() lets no exception out. Texts are CBOR text strings; neither the writer nor the reader
// looks at their encoding, so bytes that are not UTF-8 arrive as they were sent.
#include "analysis/wire/codec.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <concepts>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace analysis::wire {
namespace {

using nlohmann::json;

constexpr size_t kLengthBytes = 4;
/// The deepest message (a result's hint's tooltip's block) nests to 6.
constexpr size_t kMaxNesting = 16;
/// Values in one message: each takes 16 bytes while it is decoded, whatever it took in the frame.
constexpr size_t kMaxValues = 1u << 24;
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
  return std::tie(v.cpu, v.triple, v.cpus, v.features, v.iterations, v.compiler, v.compileCommandsDir, v.extraFlags,
                  v.markerRegions, v.loops, v.wholeSnippets, v.listings, v.compileOnChange, v.trustedFolders,
                  v.slowerPercent, v.allowedCompilers);
}
template <Is<RegionNumbers> T>
auto members(T &v) {
  return std::tie(v.name, v.cycles, v.ipc);
}
template <Is<Baseline> T>
auto members(T &v) {
  return std::tie(v.name, v.regions);
}
template <Is<DocumentRequest> T>
auto members(T &v) {
  return std::tie(v.kind, v.offset);
}
template <Is<AnalyzeRequest> T>
auto members(T &v) {
  return std::tie(v.id, v.path, v.language, v.text, v.settings, v.openFiles, v.before, v.documents, v.reuseCompiled);
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
template <Is<HintPart> T>
auto members(T &v) {
  return std::tie(v.text, v.tooltip);
}
template <Is<Hint> T>
auto members(T &v) {
  return std::tie(v.offset, v.parts, v.tooltip);
}
template <Is<Hover> T>
auto members(T &v) {
  return std::tie(v.at, v.contents);
}
template <Is<ResourceUse> T>
auto members(T &v) {
  return std::tie(v.name, v.perIteration);
}
template <Is<Wait> T>
auto members(T &v) {
  return std::tie(v.what, v.cycles, v.by);
}
template <Is<InstructionDetails> T>
auto members(T &v) {
  return std::tie(v.at, v.text, v.microOps, v.latency, v.reciprocalThroughput, v.pressure, v.waits, v.needs);
}
template <Is<CpuSummary> T>
auto members(T &v) {
  return std::tie(v.cpu, v.cycles, v.ipc, v.remark);
}
template <Is<Budget> T>
auto members(T &v) {
  return std::tie(v.what, v.limit, v.value, v.cpu, v.met);
}
template <Is<RegionSummary> T>
auto members(T &v) {
  return std::tie(v.name, v.kind, v.at, v.line, v.loop, v.sourceIterations, v.share, v.instructions, v.iterations,
                  v.cycles, v.microOps, v.dispatchWidth, v.ipc, v.microOpsPerCycle, v.blockReciprocalThroughput,
                  v.pressure, v.bottleneck, v.caveats, v.otherCpus, v.listing, v.body, v.chain, v.budgets);
}
template <Is<TargetSummary> T>
auto members(T &v) {
  return std::tie(v.triple, v.cpu, v.features, v.cpuOrigin, v.modelOrigin, v.commandOrigin);
}
template <Is<Coverage> T>
auto members(T &v) {
  return std::tie(v.loops, v.hinted, v.elsewhere);
}
template <Is<LineLink> T>
auto members(T &v) {
  return std::tie(v.line, v.bufferLine);
}
template <Is<DocumentText> T>
auto members(T &v) {
  return std::tie(v.request, v.text, v.links);
}
template <Is<AnalysisResult> T>
auto members(T &v) {
  return std::tie(v.id, v.status, v.target, v.regions, v.coverage, v.hints, v.findings, v.hovers, v.documents, v.notes,
                  v.compileMicros, v.analysisMicros);
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
  static constexpr RegionKind first = RegionKind::Marker, last = RegionKind::Path;
};
template <>
struct EnumRange<DocumentKind> {
  static constexpr DocumentKind first = DocumentKind::Report, last = DocumentKind::Assembly;
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
concept Scalar = std::same_as<T, bool> || std::same_as<T, double>;

// ---- writing -------------------------------------------------------------------------------------------------------

json toJson(Scalar auto value) {
  return value;
}
json toJson(std::unsigned_integral auto value)
  requires(!std::same_as<decltype(value), bool>)
{
  return static_cast<uint64_t>(value);
}
json toJson(Enumeration auto value) {
  return static_cast<uint64_t>(value);
}
json toJson(const std::string &value) {
  return value;
}
template <Struct T>
json toJson(const T &value);

template <typename T>
json toJson(const std::vector<T> &values) {
  json out = json::array();
  for (const T &value : values)
    out.push_back(toJson(value));
  return out;
}

template <Struct T>
json toJson(const T &value) {
  json out = json::array();
  std::apply([&](const auto &...member) { (out.push_back(toJson(member)), ...); }, members(value));
  return out;
}

// ---- reading -------------------------------------------------------------------------------------------------------

bool fromJson(json &in, bool &value) {
  if (!in.is_boolean())
    return false;
  value = in.get<bool>();
  return true;
}

bool fromJson(json &in, double &value) {
  if (!in.is_number_float())
    return false;
  value = in.get<double>();
  return true;
}

template <std::unsigned_integral T>
bool fromJson(json &in, T &value) {
  if (!in.is_number_unsigned() || in.get<uint64_t>() > std::numeric_limits<T>::max())
    return false;
  value = in.get<T>();
  return true;
}

template <Enumeration T>
bool fromJson(json &in, T &value) {
  uint64_t number = 0;
  if (!fromJson(in, number) || number < static_cast<uint64_t>(EnumRange<T>::first) ||
      number > static_cast<uint64_t>(EnumRange<T>::last))
    return false;
  value = static_cast<T>(number);
  return true;
}

bool fromJson(json &in, std::string &value) {
  if (!in.is_string())
    return false;
  value = std::move(in.get_ref<std::string &>());
  return true;
}

template <Struct T>
bool fromJson(json &in, T &value);

template <typename T>
bool fromJson(json &in, std::vector<T> &values) {
  if (!in.is_array())
    return false;
  values.resize(in.size());
  for (size_t i = 0; i < values.size(); ++i)
    if (!fromJson(in[i], values[i]))
      return false;
  return true;
}

template <Struct T>
bool fromJson(json &in, T &value) {
  auto fields = members(value);
  if (!in.is_array() || in.size() != std::tuple_size_v<decltype(fields)>)
    return false;
  size_t next = 0;
  return std::apply([&](auto &...member) { return (fromJson(in[next++], member) && ...); }, fields);
}

/// Receives the values as nlohmann's reader meets them, and keeps those that a message may consist of. Each function's
/// result says whether to read on.
class ArrayBuilder final : public nlohmann::json_sax<json> {
public:
  json root;

  bool boolean(bool value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t &) override { return add(value); }
  bool string(string_t &value) override { return add(std::move(value)); }
  bool start_array(size_t) override {
    if (open_.size() == kMaxNesting || !add(json::array()))
      return false;
    open_.push_back(open_.empty() ? &root : &open_.back()->back());
    return true;
  }
  bool end_array() override {
    open_.pop_back();
    return true;
  }

  bool null() override { return false; }
  bool number_integer(number_integer_t) override { return false; }
  bool binary(binary_t &) override { return false; }
  bool start_object(size_t) override { return false; }
  bool key(string_t &) override { return false; }
  bool end_object() override { return false; }
  bool parse_error(size_t, const std::string &, const nlohmann::detail::exception &) override { return false; }

private:
  bool add(json value) {
    if (++values_ > kMaxValues)
      return false;
    if (open_.empty())
      root = std::move(value);
    else
      open_.back()->push_back(std::move(value));
    return true;
  }

  /// The arrays that have begun and not ended. Only the innermost one grows, so the pointers stay valid.
  std::vector<json *> open_;
  size_t values_ = 0;
};

// ---- whole messages ------------------------------------------------------------------------------------------------

template <typename Message>
std::string encodeFrame(const Message &message) {
  std::string frame(kLengthBytes, '\0');
  const json value = {message.index(),
                      std::visit([](const auto &alternative) { return toJson(alternative); }, message)};
  json::to_cbor(value, frame);
  // Beyond four bytes of length the receiver sees a frame that is too long, which is what it is.
  const size_t length = std::min<size_t>(frame.size() - kLengthBytes, std::numeric_limits<uint32_t>::max());
  for (size_t i = 0; i < kLengthBytes; ++i)
    frame[i] = static_cast<char>(length >> (8 * i));
  return frame;
}

template <typename Message, size_t Index = 0>
std::optional<Message> decodeAlternative(uint64_t kind, json &fields) {
  if constexpr (Index < std::variant_size_v<Message>) {
    if (kind != Index)
      return decodeAlternative<Message, Index + 1>(kind, fields);
    std::variant_alternative_t<Index, Message> alternative;
    if (fromJson(fields, alternative))
      return alternative;
  }
  return std::nullopt;
}

template <typename Message>
std::optional<Message> decode(std::string_view payload) {
  try {
    ArrayBuilder builder;
    if (!json::sax_parse(payload, &builder, json::input_format_t::cbor))
      return std::nullopt;
    uint64_t kind = 0;
    if (!builder.root.is_array() || builder.root.size() != 2 || !fromJson(builder.root[0], kind))
      return std::nullopt;
    return decodeAlternative<Message>(kind, builder.root[1]);
  } catch (const std::exception &) {
    return std::nullopt;
  }
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
