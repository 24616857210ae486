// How the messages become bytes.
//
// A message is the CBOR array [kind, fields], and a struct is the array of its members in the order of members() below.
// One list of members serves both directions, so that they cannot disagree. Both programs are built together: there is
// no versioning, and an array of another length is malformed.
//
// The types bound how deep a message nests, and the reader how many values it has. Texts are CBOR text strings; neither
// the writer nor the reader looks at their encoding, so bytes that are not UTF-8 arrive as they were sent.
#include "analysis/wire/codec.h"

#include "analysis/wire/cbor.h"

#include <algorithm>
#include <concepts>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace analysis::wire {
namespace {

constexpr size_t kLengthBytes = 4;
/// Values in one message: an empty text takes 32 bytes of memory for one of the frame.
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
                  v.allowedCompilers, v.cpuSource);
}
template <Is<DocumentRequest> T>
auto members(T &v) {
  return std::tie(v.kind, v.offset);
}
template <Is<AnalyzeRequest> T>
auto members(T &v) {
  return std::tie(v.id, v.path, v.language, v.text, v.settings, v.openFiles, v.documents, v.reuseCompiled, v.version,
                  v.knownHead, v.knownSimulations, v.command, v.compiledThrough, v.onlyLoops, v.projectFolder);
}
template <Is<CancelRequest> T>
auto members(T &v) {
  return std::tie(v.id);
}
template <Is<CpusRequest> T>
auto members(T &v) {
  return std::tie(v.id, v.triple);
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
template <Is<ResourceUse> T>
auto members(T &v) {
  return std::tie(v.name, v.perIteration);
}
template <Is<Wait> T>
auto members(T &v) {
  return std::tie(v.kind, v.what, v.cycles, v.by);
}
template <Is<ChainLink> T>
auto members(T &v) {
  return std::tie(v.instruction, v.reg, v.cycles, v.iterations);
}
template <Is<Verdict::Unit> T>
auto members(T &v) {
  return std::tie(v.resource, v.number, v.unitsOfResource);
}
template <Is<Verdict::Witness> T>
auto members(T &v) {
  return std::tie(v.instruction, v.text, v.uses, v.wait);
}
template <Is<Verdict> T>
auto members(T &v) {
  return std::tie(v.kind, v.busy, v.cycles, v.units, v.users, v.mnemonic, v.usersOfMnemonic, v.microOps,
                  v.dispatchWidth, v.chain, v.witnesses);
}
template <Is<InstructionDetails> T>
auto members(T &v) {
  return std::tie(v.text, v.microOps, v.latency, v.reciprocalThroughput, v.pressure, v.waits, v.needs, v.loads);
}
template <Is<CpuSummary> T>
auto members(T &v) {
  return std::tie(v.cpu, v.cycles, v.ipc, v.remark, v.simulated);
}
template <Is<TimelineWait> T>
auto members(T &v) {
  return std::tie(v.from, v.to, v.wait);
}
template <Is<TimelineRow> T>
auto members(T &v) {
  return std::tie(v.iteration, v.instruction, v.dispatched, v.issued, v.executed, v.retired, v.waits);
}
template <Is<Simulation> T>
auto members(T &v) {
  return std::tie(v.id, v.instructions, v.cyclesPerIteration, v.ipc, v.iterations, v.cycles, v.microOps,
                  v.dispatchWidth, v.averageIpc, v.averageMicroOpsPerCycle, v.blockReciprocalThroughput, v.pressure,
                  v.verdict, v.loadsAndStores, v.orderedCycles, v.timeline, v.timelineTexts, v.otherCpus, v.body,
                  v.chainCycles, v.chain);
}
template <Is<Caveat> T>
auto members(T &v) {
  return std::tie(v.kind, v.count, v.cycles, v.names);
}
template <Is<Transfer> T>
auto members(T &v) {
  return std::tie(v.kind, v.instruction, v.text, v.at);
}
template <Is<Region> T>
auto members(T &v) {
  return std::tie(v.name, v.variant, v.path, v.kind, v.at, v.anchor, v.rank, v.loop, v.sourceIterations, v.share,
                  v.iterationsPerCall, v.vectorTypes, v.inlined, v.caveats, v.calls, v.transfers, v.listing,
                  v.simulation, v.places);
}
template <Is<BudgetedRegion> T>
auto members(T &v) {
  return std::tie(v.name, v.failure, v.cyclesPerIteration, v.ipc, v.sourceIterations, v.calls, v.caveats, v.region);
}
template <Is<Budget> T>
auto members(T &v) {
  return std::tie(v.what, v.limit, v.written, v.cpu, v.at, v.regions);
}
template <Is<RegionViews> T>
auto members(T &v) {
  return std::tie(v.region, v.text, v.failure);
}
template <Is<ListingRow> T>
auto members(T &v) {
  return std::tie(v.text, v.isLabel, v.hasData, v.latency, v.reciprocalThroughput, v.pressure, v.regions, v.line);
}
template <Is<Listing> T>
auto members(T &v) {
  return std::tie(v.function, v.comment, v.units, v.rows);
}
template <Is<Timeline> T>
auto members(T &v) {
  return std::tie(v.instructions, v.lines, v.rows, v.pressure);
}
template <Is<View> T>
auto members(T &v) {
  return std::tie(v.request, v.problem, v.failure, v.instructions, v.reports, v.listing, v.region, v.timeline);
}
template <Is<TargetSummary> T>
auto members(T &v) {
  return std::tie(v.triple, v.cpu, v.features, v.cpuOrigin, v.modelOrigin, v.commandOrigin, v.commands, v.command);
}
template <Is<Coverage> T>
auto members(T &v) {
  return std::tie(v.loops, v.hinted, v.elsewhere);
}
template <Is<OtherFile> T>
auto members(T &v) {
  return std::tie(v.path, v.loops);
}
template <Is<AnalysisResult> T>
auto members(T &v) {
  return std::tie(v.id, v.status, v.target, v.regions, v.simulations, v.budgets, v.coverage, v.findings, v.views,
                  v.notes, v.compileMicros, v.analysisMicros, v.head, v.otherFiles);
}
template <Is<CpuName> T>
auto members(T &v) {
  return std::tie(v.name, v.model);
}
template <Is<CpusResult> T>
auto members(T &v) {
  return std::tie(v.id, v.triple, v.cpus);
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
struct EnumRange<RegionKind> {
  static constexpr RegionKind first = RegionKind::Marker, last = RegionKind::Path;
};
template <>
struct EnumRange<DocumentKind> {
  static constexpr DocumentKind first = DocumentKind::Report, last = DocumentKind::Timeline;
};
template <>
struct EnumRange<WaitKind> {
  static constexpr WaitKind first = WaitKind::RegisterFile, last = WaitKind::RetireWidth;
};
template <>
struct EnumRange<Verdict::Kind> {
  static constexpr Verdict::Kind first = Verdict::Kind::None, last = Verdict::Kind::Stall;
};
template <>
struct EnumRange<Caveat::Kind> {
  static constexpr Caveat::Kind first = Caveat::Kind::NoPath, last = Caveat::Kind::OtherCpu;
};
template <>
struct EnumRange<Transfer::Kind> {
  static constexpr Transfer::Kind first = Transfer::Kind::Call, last = Transfer::Kind::IndirectJump;
};
template <>
struct EnumRange<Budget::What> {
  static constexpr Budget::What first = Budget::What::Cycles, last = Budget::What::Ipc;
};
template <>
struct EnumRange<View::Problem> {
  static constexpr View::Problem first = View::Problem::None, last = View::Problem::SetAside;
};
template <>
struct EnumRange<Version> {
  static constexpr Version first = Version::Buffer, last = Version::Head;
};
template <>
struct EnumRange<CpuModel> {
  static constexpr CpuModel first = CpuModel::Own, last = CpuModel::None;
};
template <>
struct EnumRange<Status> {
  static constexpr Status first = Status::Finished, last = Status::Cancelled;
};

template <typename T>
concept Struct = requires(T &value) { members(value); };

/// Converts to any member in an aggregate's initialiser.
struct AnyMember {
  template <typename T>
  operator T() const;
};
/// How many members an aggregate has: as many initialisers as it takes.
template <typename T, typename... Initialisers>
constexpr size_t memberCount() {
  if constexpr (requires { T{Initialisers{}..., AnyMember{}}; })
    return memberCount<T, Initialisers..., AnyMember>();
  else
    return sizeof...(Initialisers);
}
template <typename T>
concept Enumeration = std::is_enum_v<T>;

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

template <typename T>
void write(CborWriter &out, const std::vector<T> &values) {
  out.array(values.size());
  for (const T &value : values)
    write(out, value);
}

template <Struct T>
void write(CborWriter &out, const T &value) {
  const auto fields = members(value);
  static_assert(std::tuple_size_v<decltype(fields)> == memberCount<T>(), "members() lists every member");
  out.array(std::tuple_size_v<decltype(fields)>);
  std::apply([&](const auto &...member) { (write(out, member), ...); }, fields);
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
  if (!in.number(number) || number < static_cast<uint64_t>(EnumRange<T>::first) ||
      number > static_cast<uint64_t>(EnumRange<T>::last))
    return false;
  value = static_cast<T>(number);
  return true;
}

bool read(CborReader &in, std::string &value) {
  return in.text(value);
}

template <Struct T>
bool read(CborReader &in, T &value);

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
  const auto fields = members(value);
  size_t size = 0;
  if (!in.array(size) || size != std::tuple_size_v<decltype(fields)>)
    return false;
  return std::apply([&](auto &...member) { return (read(in, member) && ...); }, fields);
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
