// A sample is one line:
//
//     prog     250000 cpu-clock:      55ed7d3be263 scale+0x43 (/tmp/prog)
//
// perf prints more fields in front if they are asked for (the thread, the CPU, the time), the fields have no fixed
// columns, and names may contain blanks. So the event is the word that ends with a colon and has a hexadecimal number,
// the address, after it; the period is the number before it. (The colon of the time has another number and the event
// after it.) With call chains, this line ends after the event, the frames follow on lines of their own, the innermost
// first, and an empty line ends the sample. Without an event, the address is the first word.
//
// What makes a recording of gigabytes quick is that equal places have equal texts: from the last three digits of the
// address on, the rest of the line is the key that weights are added by. It is taken apart once for each different one.
#include "analysis/profile/perf_samples.h"

#include "analysis/import/line_feed.h"
#include "analysis/import/record_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

namespace analysis {
namespace {

using llvm::StringRef;

constexpr size_t kPageDigits = 3; // hexadecimal; pages have at least 4 KiB

/// Of an event such as `cycles:u` or `cpu_core/cycles/P`.
ProfileUnit unitOf(StringRef event) {
  if (event.contains("cpu-clock") || event.contains("task-clock"))
    return ProfileUnit::Nanoseconds;
  StringRef name = event.split(':').first;
  if (name.contains('/'))
    name = name.split('/').second.split('/').first;
  if (name == "cycles" || name == "cpu-cycles" || name == "cpu_cycles")
    return ProfileUnit::Cycles;
  return name == "instructions" ? ProfileUnit::Instructions : ProfileUnit::Events;
}

/// The event without modifiers about precision, such as `pppH`. Those about what is counted, `u` and `k`, stay.
std::string eventName(StringRef event) {
  const auto [name, modifiers] = event.rsplit(':');
  if (modifiers.empty() || modifiers.find_first_not_of("ukhpPHGDSIW") != StringRef::npos)
    return event.str();
  std::string kept;
  for (const char c : modifiers)
    if (StringRef("ukh").contains(c))
      kept += c;
  return name.str() + (kept.empty() ? "" : ":" + kept);
}

bool isTime(ProfileUnit unit) {
  return unit == ProfileUnit::Nanoseconds || unit == ProfileUnit::Cycles;
}

bool isHex(StringRef word) {
  return !word.empty() && word.size() <= 16 && llvm::all_of(word, llvm::isHexDigit);
}

class PerfSamples final : public ProfileReader {
public:
  std::optional<ImportError> read(int descriptor, ProfileSink &sink,
                                  const std::function<bool(uint64_t bytes)> &onChunk) override;

private:
  /// What stands in front of a sample's place.
  struct Head {
    StringRef event;
    uint64_t period = 1;
    bool hasPeriod = false;
    StringRef place; ///< from the address on; empty if it is on the next line
  };

  std::optional<ImportError> readLine(StringRef line);
  std::optional<ImportError> readHead(StringRef line, Head &head) const;
  std::optional<ImportError> readPlace(StringRef place, uint64_t weight);
  bool counts(const Head &head);
  void emit(ProfileSink &sink) const;

  LineOfText line_;
  std::string event_; ///< that counts, as written; empty until the first sample
  ProfileUnit unit_ = ProfileUnit::Events;
  std::string ignoredEvent_;
  bool inChain_ = false;     ///< the frames of a sample follow
  uint64_t chainWeight_ = 0; ///< of its innermost frame; 0 if that was read
  bool afterSample_ = false; ///< further fields of a sample may follow, indented
  llvm::StringMap<RecordedWeight> places_;
  RecordedWeight kernel_;
};

std::optional<ImportError> PerfSamples::read(int descriptor, ProfileSink &sink,
                                             const std::function<bool(uint64_t bytes)> &onChunk) {
  const OnRecordingLine onLine = [&](std::string_view line) {
    line_.enter(line);
    return readLine(line_.text());
  };
  if (auto error = feedLines(descriptor, onLine, onChunk))
    return error;
  if (places_.empty() && kernel_.samples == 0)
    return errorInFile("no samples: was it written by `perf script -F comm,ip,sym,symoff,dso,event,period`?");
  emit(sink);
  return {};
}

std::optional<ImportError> PerfSamples::readLine(StringRef line) {
  const StringRef text = line.trim(kBlanks);
  if (line_.number() == 1 && text.starts_with("PERFILE2"))
    return errorInFile("this is perf's own file: give the output of `perf script` instead");
  if (text.empty()) {
    inChain_ = afterSample_ = false;
    return {};
  }
  if (text.starts_with("#") || text.contains("PERF_RECORD_"))
    return {};
  StringRef first = text;
  if (inChain_ && isHex(takeWord(first))) {
    const uint64_t weight = std::exchange(chainWeight_, 0);
    return weight ? readPlace(text, weight) : std::nullopt;
  }
  Head head;
  if (auto error = readHead(text, head))
    return afterSample_ && kBlanks.contains(line.front()) ? std::nullopt : error;
  const bool isWanted = counts(head);
  inChain_ = head.place.empty();
  afterSample_ = true;
  chainWeight_ = inChain_ && isWanted ? head.period : 0;
  return isWanted && !inChain_ ? readPlace(head.place, head.period) : std::nullopt;
}

std::optional<ImportError> PerfSamples::readHead(StringRef line, Head &head) const {
  StringRef rest = line, previous, event;
  StringRef word = takeWord(rest);
  const bool startsWithAddress = isHex(word) && !rest.empty();
  for (; !word.empty(); previous = word, word = takeWord(rest)) {
    StringRef after = rest;
    const StringRef next = takeWord(after);
    if (!event.empty() && isHex(word) && !next.ends_with(":")) {
      head.place = StringRef(word.begin(), static_cast<size_t>(line.end() - word.begin()));
      return {};
    }
    if (!word.ends_with(":"))
      continue;
    event = head.event = word.drop_back();
    head.hasPeriod = !previous.getAsInteger(10, head.period) && head.period > 0;
    if (!head.hasPeriod)
      head.period = 1;
    if (next.empty())
      return {};
  }
  if (event.empty() && startsWithAddress) {
    head.place = line;
    return {};
  }
  return line_.unexpected(line, "a sample such as `prog 250000 cpu-clock: 401263 f+0x43 (/tmp/prog)`");
}

/// Whether a sample's event is the one that is counted.
bool PerfSamples::counts(const Head &head) {
  const StringRef event = head.event.empty() ? StringRef("samples") : head.event;
  if (event == event_)
    return true;
  const ProfileUnit unit = head.hasPeriod ? unitOf(event) : ProfileUnit::Events;
  if (event_.empty()) {
    event_ = event.str();
    unit_ = unit;
    return true;
  }
  if (unit == unit_ && isTime(unit))
    return true;
  ignoredEvent_ = event.str();
  return false;
}

std::optional<ImportError> PerfSamples::readPlace(StringRef place, uint64_t weight) {
  StringRef rest = place;
  const StringRef address = takeWord(rest);
  RecordedWeight *entry = &kernel_;
  // The kernel has the upper half of the address space.
  if (address.size() < 16 || llvm::hexDigitValue(address.front()) < 8) {
    if (rest.trim(kBlanks).empty())
      return line_.errorAt(address, "the symbol and the module of the address are missing: use `perf script -F "
                                    "comm,ip,sym,symoff,dso,event,period`");
    // Other fields may stand after the module.
    const size_t end = place.rfind(')');
    const char *const begin = address.end() - std::min(kPageDigits, address.size());
    const StringRef key(begin,
                        static_cast<size_t>((end == StringRef::npos ? place.end() : place.begin() + end + 1) - begin));
    entry = &places_[key];
    if (places_.size() > kMaxProfiledPlaces)
      return line_.errorAt(address, "there are too many different addresses");
  }
  if (weight > Profile::kMaxWeight - entry->weight)
    return line_.errorAt(address, "the periods add up to too much");
  entry->weight += weight;
  ++entry->samples;
  return {};
}

/// Takes `263 scale+0x43 (/tmp/prog)` apart.
RecordedPlace placeOf(StringRef key) {
  StringRef rest = key;
  const StringRef digits = takeWord(rest);
  RecordedPlace place;
  uint32_t inPage = 0;
  if (digits.size() == kPageDigits && !digits.getAsInteger(16, inPage))
    place.inPage = inPage;
  rest = rest.trim(kBlanks);
  rest.consume_back(")");
  const size_t open = rest.rfind("(/");
  const size_t other = open == StringRef::npos ? rest.rfind('(') : open;
  if (other == StringRef::npos || other == 0 || !kBlanks.contains(rest[other - 1]))
    return place;
  StringRef module = rest.drop_front(other + 1);
  module.consume_back(" (deleted)");
  StringRef symbol = rest.take_front(other).trim(kBlanks);
  if (!module.starts_with("/")) // [vdso], [unknown], and the kernel's where it has no upper half
    return place.by = module.starts_with("[kernel") ? RecordedPlace::By::Kernel : RecordedPlace::By::Unknown, place;
  place.module = module;
  const auto [name, offset] = symbol.rsplit("+0x");
  place.by =
      offset.empty() || offset.getAsInteger(16, place.address) ? RecordedPlace::By::Module : RecordedPlace::By::Symbol;
  place.symbol = name;
  return place;
}

void PerfSamples::emit(ProfileSink &sink) const {
  sink.event(eventName(event_), unit_);
  if (!ignoredEvent_.empty())
    sink.note("only the samples of " + event_ + " are used: the recording has those of " + ignoredEvent_ + ", too");
  for (const auto &place : places_)
    sink.sampled(placeOf(place.getKey()), place.getValue());
  if (kernel_.samples)
    sink.sampled({.by = RecordedPlace::By::Kernel}, kernel_);
}

} // namespace

std::unique_ptr<ProfileReader> createPerfSampleReader() {
  return std::make_unique<PerfSamples>();
}

} // namespace analysis
