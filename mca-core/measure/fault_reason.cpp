// The numbers of exceptions and the bits of their error codes are x86's (Intel SDM volume 3, chapter 6).
#include "mca-core/measure/fault_reason.h"

#include "llvm/ADT/StringExtras.h"

#include <csignal>

namespace mca::measure {
namespace {

using Kind = CodeRefusal::Kind;

enum Trap : uint64_t {
  kDivide = 0,
  kStep = 1,
  kBreakpoint = 3,
  kInvalidOpcode = 6,
  kDeviceMissing = 7,
  kStackSegment = 12,
  kProtection = 13,
  kPageFault = 14,
  kX87 = 16,
  kAlignment = 17,
  kVectorArithmetic = 19
};
constexpr uint64_t kErrorWrite = 2, kErrorFetch = 16, kErrorKey = 32;

std::string hex(uint64_t value) {
  return "0x" + llvm::utohexstr(value, /*LowerCase=*/true);
}

bool isPrefix(uint8_t byte) {
  constexpr uint8_t kPrefixes[] = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67, 0xf0, 0xf2, 0xf3};
  return llvm::is_contained(kPrefixes, byte) || (byte & 0xf0) == 0x40;
}

/// Whether user code may never execute the instruction. Only said of one that has failed already.
bool isPrivileged(std::span<const uint8_t> bytes) {
  while (!bytes.empty() && isPrefix(bytes[0]))
    bytes = bytes.subspan(1);
  if (bytes.empty())
    return false;
  const uint8_t first = bytes[0];
  // hlt, cli, sti; in and out; their string forms; iret; int
  if (first == 0xf4 || first == 0xfa || first == 0xfb || (first & 0xf4) == 0xe4 || (first & 0xfc) == 0x6c ||
      first == 0xcf || first == 0xcd)
    return true;
  if (first != 0x0f || bytes.size() < 2)
    return false;
  const uint8_t second = bytes[1];
  // lldt and ltr; lgdt, invlpg and the like; clts, sysret, invd, wbinvd; control and debug registers; wrmsr, rdmsr,
  // rdpmc; sysexit
  return second <= 0x01 || (second >= 0x06 && second <= 0x09) || (second >= 0x20 && second <= 0x23) || second == 0x30 ||
         second == 0x32 || second == 0x33 || second == 0x35;
}

CodeRefusal describePageFault(const Fault &fault) {
  if (fault.error & kErrorFetch)
    return {.kind = Kind::Jump,
            .reason = "it jumps to address " + hex(fault.address) + ", which holds no code",
            .address = fault.address};
  const bool isWrite = fault.error & kErrorWrite;
  CodeRefusal refusal{.kind = Kind::Access, .address = fault.address};
  refusal.reason = (isWrite ? "it writes to address " : "it reads address ") + hex(fault.address);
  if (fault.error & kErrorKey)
    refusal.reason += ", which a protection key of its own forbids";
  else if (fault.address >= kImageAddress && fault.address < kImageAddress + sizeof(Image))
    refusal.reason += ", which holds code";
  else
    refusal.reason += ", which is not its own memory";
  return refusal;
}

/// `bytes`: from the instruction that failed; empty if it is not the code's.
CodeRefusal describeTrap(const Fault &fault, std::span<const uint8_t> bytes) {
  switch (fault.trap) {
  case kDivide:
    return {Kind::Arithmetic, "it divides by zero, or a quotient is too large for its register"};
  case kStep:
    return {Kind::Trap, "it sets the trap flag or executes a debugger's instruction"};
  case kBreakpoint:
    return {Kind::Trap, "it executes a breakpoint"};
  case kInvalidOpcode:
    return {Kind::Illegal, "it executes an instruction that this CPU does not have"};
  case kDeviceMissing:
    return {Kind::Illegal, "it uses a part of the CPU that the system has not enabled"};
  case kProtection:
    if (isPrivileged(bytes))
      return {Kind::Protection, "it executes an instruction that only the system may execute"};
    return {Kind::Protection, "it uses an address that is not canonical, a vector in memory that is not aligned, or a "
                              "value that the instruction does not accept"};
  case kStackSegment:
    return {Kind::Protection, "its stack pointer is no valid address"};
  case kPageFault:
    return describePageFault(fault);
  case kX87:
  case kVectorArithmetic:
    return {Kind::Arithmetic, "it unmasks a floating-point exception, which is then raised"};
  case kAlignment:
    return {Kind::Changed, "it turns alignment checks on"};
  default:
    return {Kind::Trap, "the processor stopped it (exception " + std::to_string(fault.trap) + ")"};
  }
}

Fault readFault(const volatile Control &control) {
  return {.signal = control.fault.signal,
          .code = control.fault.code,
          .address = control.fault.address,
          .instruction = control.fault.instruction,
          .trap = control.fault.trap,
          .error = control.fault.error,
          .systemCall = control.fault.systemCall};
}

} // namespace

CodeRefusal describeFault(const Fault &fault, std::span<const uint8_t> code, uint64_t entry) {
  // The instruction pointer is that of the next instruction after a breakpoint or a system call (2 bytes), and that of
  // the instruction that failed otherwise.
  const bool isCall = fault.signal == SIGSYS;
  const uint64_t at = fault.instruction - (isCall ? 2 : fault.signal == SIGTRAP && fault.trap == kBreakpoint);
  const bool isInside = at >= entry && at - entry < code.size();
  const auto offset = static_cast<uint32_t>(isInside ? at - entry : 0);
  if (isCall)
    return {.kind = Kind::SystemCall,
            .reason = "it makes a system call (number " + std::to_string(fault.systemCall) + ")",
            .offset = isInside ? std::optional(offset) : std::nullopt};
  const bool isStateChange = fault.trap == kStep || fault.trap == kAlignment || (fault.error & kErrorKey);
  if (!isInside && fault.trap != kPageFault && !isStateChange)
    return {Kind::Jump, "it jumps to address " + hex(at) + ", outside of its own code"};
  CodeRefusal refusal = describeTrap(fault, isInside ? code.subspan(offset) : code.first(0));
  if (isInside)
    refusal.offset = offset;
  return refusal;
}

CodeRefusal describeEnd(const ChildEnd &end, const volatile Control &control, std::span<const uint8_t> code,
                        uint64_t entry) {
  if (end.isTimedOut || (end.isSignalled && (end.status == SIGXCPU || end.status == SIGKILL)))
    return {Kind::TimeLimit, "it does not end within the time limit"};
  if (end.isSignalled)
    return {Kind::Changed, "it destroys the stack on which faults are handled"};
  switch (end.status) {
  case kFaultStatus:
    return describeFault(readFault(control), code, entry);
  case kStrayFlagsStatus:
    return {Kind::Changed, "it leaves the direction flag or another flag of the system set"};
  default:
    return {Kind::SystemCall, "it ends the process"};
  }
}

} // namespace mca::measure
