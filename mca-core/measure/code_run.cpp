// Codes are run in batches: as many as fit into one image, in one child. After a refusal, another child runs the rest.
// The first code of each batch is empty; its time is the cost of entering and leaving, which is subtracted.
#include "mca-core/measure/code_run.h"

#include "mca-core/measure/child.h"
#include "mca-core/measure/fault_reason.h"
#include "mca-core/measure/harness.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

namespace mca::measure {
namespace {

using Kind = CodeRefusal::Kind;

constexpr uint8_t kBreakpoint = 0xcc; ///< fills what is no code
constexpr size_t kJumpBytes = 5;
constexpr uint32_t kEmptyRepetitions = 64;
constexpr uint64_t kMaxGranularity = 64;          ///< ticks
constexpr uint64_t kRounding = 2;                 ///< ticks
constexpr uint64_t kMaxTicks = uint64_t{1} << 36; ///< more than the time limit

constexpr std::string_view kChangedReason = "it changes memory outside of its own";

unsigned vectorBitsOfCpu() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") ? 512 : __builtin_cpu_supports("avx") ? 256 : 128;
#else
  return 0;
#endif
}

std::optional<CodeRefusal> findUnsuitable(const CodeToRun &code) {
  const auto refuse = [](std::string reason) { return CodeRefusal{Kind::Unsuitable, std::move(reason)}; };
  if (code.code.size() > CodeToRun::kMaxBytes)
    return refuse("it has more than " + std::to_string(CodeToRun::kMaxBytes) + " bytes of code");
  const auto isField = [&](const CodeToRun::RelativeField &field) {
    return field.offset + sizeof(int32_t) <= code.code.size() && field.address >> 31 == 0;
  };
  if (!llvm::all_of(code.relative, isField))
    return refuse("a relative address is out of range");
  if (!code.repetitions || code.repetitions > CodeToRun::kMaxRepetitions)
    return refuse("it needs 1 to " + std::to_string(CodeToRun::kMaxRepetitions) + " repetitions");
  if (code.vectorBits != 128 && code.vectorBits != 256 && code.vectorBits != 512)
    return refuse("vector registers have 128, 256 or 512 bits");
  if (code.vectorBits > vectorBitsOfCpu())
    return refuse("this CPU has no vectors of " + std::to_string(code.vectorBits) + " bits");
  if (code.extraPages.size() > CodeToRun::kMaxExtraPages)
    return refuse("it needs more than " + std::to_string(CodeToRun::kMaxExtraPages) + " pages of memory");
  if (!llvm::all_of(code.extraPages, CodeRunner::mayMap))
    return refuse("it needs memory at an address that no memory can have");
  return std::nullopt;
}

/// What the child left, of one code: its times, if they are complete.
std::optional<CodeTimes> readTimes(const volatile Control &control, size_t first, uint32_t count) {
  CodeTimes times{.ticks = std::vector<uint64_t>(count), .canaries = std::vector<uint64_t>(count)};
  for (uint32_t i = 0; i < count; ++i) {
    times.ticks[i] = control.repetitions[first + i].code;
    times.canaries[i] = control.repetitions[first + i].canary;
    if (!times.ticks[i] || times.ticks[i] > kMaxTicks)
      return std::nullopt;
  }
  return times;
}

/// The smallest step between two times. A virtual machine scales the counter, so that equal steps differ by rounding.
uint64_t granularityOf(std::vector<uint64_t> ticks) {
  std::ranges::sort(ticks);
  uint64_t least = 0;
  for (size_t i = 1; i < ticks.size(); ++i)
    if (const uint64_t step = ticks[i] - ticks[i - 1]; step > kRounding && (!least || step < least))
      least = step;
  return std::clamp<uint64_t>(least, 1, kMaxGranularity);
}

} // namespace

uint64_t CodeTimes::least() const {
  assert(!ticks.empty());
  return *std::ranges::min_element(ticks);
}

double CodeTimes::center() const {
  const uint64_t most = least() + granularity + kRounding;
  double sum = 0;
  uint64_t count = 0;
  for (const uint64_t one : ticks)
    if (one <= most) {
      sum += static_cast<double>(one);
      ++count;
    }
  return sum / static_cast<double>(count);
}

/// The layout of one batch, and the results of the codes in it.
struct CodeRunner::Parts {
  explicit Parts(ChildMemory mapped) : memory(std::move(mapped)), wrapper(harness()) {
    Image &image = memory.image();
    assert(wrapper.code.size() <= Image::kMaxHarness);
    std::ranges::copy(wrapper.code, image.harness);
    image.hasAvx = vectorBitsOfCpu() >= 256;
  }

  /// Runs codes from the front of `codes`. Returns the results of at least one of them. If one of them changed the
  /// results of others, each runs alone.
  std::vector<CodeResult> run(std::span<const CodeToRun> codes, std::chrono::milliseconds limit);

private:
  std::vector<CodeResult> runBatch(std::span<const CodeToRun> codes, std::chrono::milliseconds limit);
  void begin(std::span<const uint64_t> extraPages);
  bool add(const CodeToRun &code);
  std::vector<CodeResult> judge(std::span<const CodeToRun> codes, const ChildEnd &end) const;

  ChildMemory memory;
  Harness wrapper;
  size_t codeBytes = 0;   ///< of Image::code that the batch uses
  size_t repetitions = 0; ///< of Control::repetitions
};

void CodeRunner::Parts::begin(std::span<const uint64_t> extraPages) {
  Image &image = memory.image();
  // Nothing of an earlier batch stays executable.
  std::memset(image.code, kBreakpoint, codeBytes);
  codeBytes = repetitions = 0;
  image.codeCount = 0;
  std::ranges::copy(extraPages, image.extraPages);
  image.extraPageCount = extraPages.size();
}

/// Returns false if the image is full.
bool CodeRunner::Parts::add(const CodeToRun &code) {
  Image &image = memory.image();
  const size_t pages = llvm::alignTo<kPageSize>(code.code.size() + kJumpBytes);
  if (image.codeCount == Image::kMaxCodes || codeBytes + pages > Image::kCodeBytes ||
      repetitions + code.repetitions > Control::kRepetitions)
    return false;
  uint8_t *const at = image.code + codeBytes;
  std::ranges::copy(code.code, at);
  std::memset(at + code.code.size(), kBreakpoint, pages - code.code.size());
  for (const CodeToRun::RelativeField &field : code.relative) {
    const auto distance = static_cast<int32_t>(field.address - reinterpret_cast<uint64_t>(at + field.offset));
    std::memcpy(at + field.offset, &distance, sizeof(distance));
  }
  // jmp to the harness.
  uint8_t *const jump = at + code.code.size();
  const auto distance = static_cast<int32_t>((image.harness + wrapper.left) - (jump + kJumpBytes));
  *jump = 0xe9;
  std::memcpy(jump + 1, &distance, sizeof(distance));

  CodeDescriptor &descriptor = image.codes[image.codeCount++];
  descriptor = {.entry = reinterpret_cast<uint64_t>(at),
                .ticks = kControlAddress + offsetof(Control, repetitions) + repetitions * sizeof(TimedRepetition),
                .repetitions = code.repetitions,
                .vectorBits = code.vectorBits,
                .memoryFill = code.memoryFill};
  std::ranges::copy(code.registers, descriptor.registers);
  std::ranges::copy(code.vectors, descriptor.vectors);
  codeBytes += pages;
  repetitions += code.repetitions;
  return true;
}

std::vector<CodeResult> CodeRunner::Parts::run(std::span<const CodeToRun> codes, std::chrono::milliseconds limit) {
  std::vector<CodeResult> results = runBatch(codes, limit);
  const auto isUnclear = [](const CodeResult &one) {
    const auto *refusal = std::get_if<CodeRefusal>(&one);
    return refusal && refusal->reason == kChangedReason;
  };
  return codes.size() > 1 && llvm::any_of(results, isUnclear) ? runBatch(codes.first(1), limit) : results;
}

std::vector<CodeResult> CodeRunner::Parts::runBatch(std::span<const CodeToRun> codes, std::chrono::milliseconds limit) {
  if (auto refusal = findUnsuitable(codes.front()))
    return {std::move(*refusal)};
  const std::vector<uint64_t> &pages = codes.front().extraPages;
  begin(pages);
  add({.repetitions = kEmptyRepetitions});
  size_t count = 0;
  while (count < codes.size() && codes[count].extraPages == pages && !findUnsuitable(codes[count]) && add(codes[count]))
    ++count;
  const auto end = memory.run(wrapper.handler, limit);
  if (!end)
    return {CodeRefusal{Kind::Unsuitable, end.message()}};
  return judge(codes.first(count), *end);
}

/// The child's own numbers are only believed as far as they agree: codes count as run up to the first without all its
/// times.
std::vector<CodeResult> CodeRunner::Parts::judge(std::span<const CodeToRun> codes, const ChildEnd &end) const {
  const volatile Control &control = memory.control();
  auto empty = readTimes(control, 0, kEmptyRepetitions);
  if (!control.isPrepared && !end.isTimedOut && !end.isSignalled && end.status == kUnpreparedStatus)
    return {CodeRefusal{Kind::Unsuitable, "this system does not allow the isolation that measured code needs"}};
  if (!empty)
    return {CodeRefusal{Kind::Changed, std::string(kChangedReason)}};
  empty->granularity = granularityOf(empty->ticks);
  const auto cost = static_cast<uint64_t>(std::lround(empty->center()));
  const uint64_t current = control.current;
  const size_t completed = std::min<uint64_t>(current ? current - 1 : 0, codes.size());
  const bool isWhole = !end.isTimedOut && !end.isSignalled && end.status == 0;

  std::vector<CodeResult> results;
  size_t first = kEmptyRepetitions;
  for (const CodeToRun &code : codes.first(completed)) {
    auto times = readTimes(control, first, code.repetitions);
    if (!times) {
      results.push_back(CodeRefusal{Kind::Changed, std::string(kChangedReason)});
      return results;
    }
    for (uint64_t &one : times->ticks)
      one -= std::min(one, cost);
    times->note = control.notes[results.size() + 1];
    times->granularity = empty->granularity;
    results.push_back(std::move(*times));
    first += code.repetitions;
  }
  if (completed == codes.size()) {
    if (!isWhole && !results.empty())
      results.back() = CodeRefusal{Kind::Changed, std::string(kChangedReason)};
    return results;
  }
  const uint64_t entry = memory.image().codes[completed + 1].entry; // the first is the empty one
  results.push_back(describeEnd(end, control, codes[completed].code, entry));
  return results;
}

CodeRunner::CodeRunner(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
CodeRunner::~CodeRunner() = default;

Result<std::unique_ptr<CodeRunner>> CodeRunner::create() {
  auto mapped = ChildMemory::create();
  if (!mapped)
    return Failure{mapped.message()};
  std::unique_ptr<CodeRunner> runner(new CodeRunner(std::make_unique<Parts>(std::move(*mapped))));
  const CodeToRun nothing;
  const std::vector<CodeResult> results = runner->run({&nothing, 1});
  if (const auto *refusal = std::get_if<CodeRefusal>(&results.front()))
    return Failure{refusal->reason};
  return runner;
}

MeasureMemory CodeRunner::memory() const {
  return {.begin = kMemoryAddress, .size = kMemoryBytes};
}

bool CodeRunner::mayMap(uint64_t page) {
  const auto isClear = [&](uint64_t begin, size_t size) { return page + kPageSize <= begin || page >= begin + size; };
  return page % kPageSize == 0 && page >= (64 << 10) && page < kAddressEnd && isClear(kImageAddress, sizeof(Image)) &&
         isClear(kControlAddress, sizeof(Control)) && isClear(kMemoryAddress, kMemoryBytes);
}

uint64_t CodeRunner::noteAddress() {
  return kControlAddress + offsetof(Control, note);
}

std::vector<CodeResult> CodeRunner::run(std::span<const CodeToRun> codes, std::chrono::milliseconds limit) {
  std::vector<CodeResult> results;
  results.reserve(codes.size());
  while (results.size() < codes.size())
    llvm::append_range(results, parts_->run(codes.subspan(results.size()), limit));
  return results;
}

} // namespace mca::measure
