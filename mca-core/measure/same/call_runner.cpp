#include "mca-core/measure/same/call_runner.h"

#include "mca-core/measure/fault_reason.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace mca::measure {
namespace {

constexpr uint64_t kStackTop = kMemoryAddress + kMemoryBytes - 64;
constexpr uint8_t kBreakpoint = 0xcc;
constexpr uint32_t kRecordRegister = 12, kStackRegister = 4;
constexpr size_t kIntegerWords = 6;
static_assert(kDataAddress >= kMemoryAddress && kDataAddress + LinkedText::kMaxDataBytes < kStackTop - (256 << 10));

unsigned vectorBitsOfCpu() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx") ? 256 : 128;
#else
  return 0;
#endif
}

} // namespace

Result<CallRunner> CallRunner::create(SharedCells cells) {
  assert(cells.bytes >= sizeof(CallRecord));
  ++cells.count;
  auto mapped = ChildMemory::create(cells);
  if (!mapped)
    return Failure{mapped.message()};
  CallRunner runner(std::move(*mapped));
  Image &image = runner.memory_.image();
  std::ranges::copy(runner.wrapper_.code, image.harness);
  image.hasAvx = vectorBitsOfCpu() >= 256;
  image.extraPageCount = 0;
  return runner;
}

std::span<uint8_t> CallRunner::cell(size_t index) const {
  const SharedCells &cells = memory_.cells();
  assert(index < cellCount());
  return {reinterpret_cast<uint8_t *>(cells.addressOf(index + 1)), cells.bytes}; // NOLINT(performance-no-int-to-ptr)
}

/// The first cell.
CallRecord *CallRunner::records() const {
  return reinterpret_cast<CallRecord *>(memory_.cells().addressOf(0)); // NOLINT(performance-no-int-to-ptr)
}

void CallRunner::write(CallRecord &record, const LinkedText &text, const CallArguments &call) const {
  assert(call.words.size() <= kIntegerWords + CallRecord::kMaxStackWords);
  assert(call.vectors.size() <= std::size(record.vectors));
  record = {.function = text.function};
  if (call.dataCell != CallArguments::kNoCell) {
    record.data = memory_.cells().addressOf(call.dataCell + 1);
    record.dataBytes = text.data.size();
  }
  const size_t inRegisters = std::min(call.words.size(), kIntegerWords);
  std::copy_n(call.words.begin(), inRegisters, record.integers);
  std::copy(call.words.begin() + static_cast<ptrdiff_t>(inRegisters), call.words.end(), record.stack);
  record.stackWords = llvm::alignTo<2>(call.words.size() - inRegisters);
  std::ranges::copy(call.vectors, record.vectors);
}

std::vector<CallResult> CallRunner::run(const LinkedText &text, std::span<const CallArguments> calls,
                                        std::chrono::milliseconds limit) {
  calls = calls.first(std::min({calls.size(), Image::kMaxCodes, memory_.cells().bytes / sizeof(CallRecord)}));
  Image &image = memory_.image();
  // Nothing of an earlier text stays executable.
  std::memset(image.code, kBreakpoint, codeBytes_);
  std::ranges::copy(text.code, image.code);
  codeBytes_ = text.code.size();
  image.codeCount = calls.size();
  for (size_t i = 0; i < calls.size(); ++i) {
    write(records()[i], text, calls[i]);
    CodeDescriptor &descriptor = image.codes[i];
    descriptor = {.entry = text.entry,
                  .ticks = kControlAddress + offsetof(Control, repetitions) + i * sizeof(TimedRepetition),
                  .repetitions = 1};
    descriptor.registers[kRecordRegister] = memory_.cells().addressOf(0) + i * sizeof(CallRecord);
    descriptor.registers[kStackRegister] = kStackTop;
  }
  const auto ended = memory_.run(wrapper_.handler, limit);
  if (!ended)
    return {CodeRefusal{CodeRefusal::Kind::Unsuitable, ended.message()}};
  const ChildEnd &end = *ended;

  const volatile Control &control = memory_.control();
  if (!control.isPrepared && !end.isTimedOut && !end.isSignalled && end.status == kUnpreparedStatus)
    return {CodeRefusal{CodeRefusal::Kind::Unsuitable,
                        "this system does not allow the isolation that code needs to run in"}};
  const uint64_t current = control.current;
  const size_t completed = std::min<uint64_t>(current, calls.size());
  const bool isWhole = !end.isTimedOut && !end.isSignalled && end.status == 0;
  std::vector<CallResult> results;
  for (size_t i = 0; i < completed; ++i)
    results.push_back(CallReturn{records()[i].integerResult, records()[i].vectorResult});
  if (completed < calls.size())
    results.push_back(describeEnd(end, control, text.code, kImageAddress + offsetof(Image, code)));
  else if (!isWhole)
    results.back() = CodeRefusal{CodeRefusal::Kind::Changed, "it changes memory outside of its own"};
  return results;
}

} // namespace mca::measure
