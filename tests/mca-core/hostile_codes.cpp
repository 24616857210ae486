// The bytes are written by hand where an assembler would refuse them; LLVM's encoder makes those of its own opcodes.
#include "tests/mca-core/hostile_codes.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCFixup.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/TargetRegistry.h"

#include <array>
#include <cstring>
#include <optional>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hostile {
namespace {

using Bytes = std::vector<uint8_t>;

void append(Bytes &bytes, const Bytes &others) {
  bytes.insert(bytes.end(), others.begin(), others.end());
}

Bytes number(uint64_t value, unsigned size) {
  Bytes bytes;
  for (unsigned i = 0; i < size; ++i)
    bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
  return bytes;
}

Bytes joined(std::initializer_list<Bytes> parts) {
  Bytes bytes;
  for (const Bytes &part : parts)
    append(bytes, part);
  return bytes;
}

/// movabs $value, %rcx
Bytes toRcx(uint64_t value) {
  return joined({{0x48, 0xb9}, number(value, 8)});
}

/// mov $value, %eax
Bytes toEax(uint32_t value) {
  return joined({{0xb8}, number(value, 4)});
}

llvm::MCRegister registerNamed(const mca::Target &target, llvm::StringRef name) {
  for (unsigned reg = 1; reg < target.registers().getNumRegs(); ++reg)
    if (target.registers().getName(reg) == name)
      return reg;
  return {};
}

/// The opcode with any registers, with rdi as its address and 1 as its immediate. Nothing if that is no instruction.
std::optional<llvm::MCInst> instance(const mca::Target &target, unsigned opcode, llvm::MCRegister base) {
  const llvm::MCInstrDesc &description = target.instructions().get(opcode);
  llvm::MCInst inst;
  inst.setOpcode(opcode);
  for (unsigned i = 0; i < description.getNumOperands(); ++i) {
    const llvm::MCOperandInfo &operand = description.operands()[i];
    const int id = target.instructions().getOpRegClassID(operand, target.subtarget().getHwMode());
    if (operand.OperandType == llvm::MCOI::OPERAND_MEMORY) {
      const bool isWhole = i + 5 <= description.getNumOperands() &&
                           description.operands()[i + 4].OperandType == llvm::MCOI::OPERAND_MEMORY;
      if (!isWhole)
        return std::nullopt; // of a string instruction
      inst.addOperand(llvm::MCOperand::createReg(base));
      inst.addOperand(llvm::MCOperand::createImm(1));
      inst.addOperand(llvm::MCOperand::createReg({}));
      inst.addOperand(llvm::MCOperand::createImm(0));
      inst.addOperand(llvm::MCOperand::createReg({}));
      i += 4;
    } else if (id >= 0) {
      inst.addOperand(llvm::MCOperand::createReg(*target.registers().getRegClass(id).begin()));
    } else {
      inst.addOperand(llvm::MCOperand::createImm(1));
    }
  }
  return inst;
}

/// What a process may never do.
bool isPrivileged(llvm::StringRef opcode) {
  static const llvm::StringSet<> kNames{
      "HLT",       "CLI",      "STI",     "CLTS",    "INVD",      "WBINVD",   "LGDT64m",  "LIDT64m",  "LLDT16r",
      "LTRr",      "RDMSR",    "WRMSR",   "INVLPG",  "SWAPGS",    "SYSRET",   "SYSRET64", "SYSEXIT",  "SYSEXIT64",
      "IN8ri",     "IN8rr",    "IN32rr",  "OUT8ir",  "OUT8rr",    "OUT32rr",  "MOV64rc",  "MOV64cr",  "MOV64rd",
      "MOV64dr",   "XSETBV",   "LMSW16r", "SYSCALL", "SYSENTER",  "INT3",     "RSM",      "VMXOFF",   "ENCLS",
      "INVLPGA64", "VMLAUNCH", "VMRUN64", "SKINIT",  "INVPCID64", "INVEPT64", "WBNOINVD", "XSAVES64", "XRSTORS64"};
  return kNames.contains(opcode);
}

constexpr unsigned kSystemCall = 0x80;

/// Whether a process may execute the interrupt on this system: guests of a hypervisor may have one for their own use.
/// Texts with interrupts are refused before they run (measure/forbidden.h).
bool isAllowedHere(uint8_t vector) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit none{};
    setrlimit(RLIMIT_CORE, &none);
    const std::array<uint8_t, 3> code{0xcd, vector, 0xc3}; // int; ret
    void *const memory =
        mmap(nullptr, code.size(), PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    std::memcpy(memory, code.data(), code.size());
    reinterpret_cast<void (*)()>(memory)();
    _exit(0);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status);
}

} // namespace

std::vector<Code> systemCalls() {
  constexpr uint32_t kNumbers = 470; // of Linux 6.12
  // Linux lets uprobe(), which is for its own probes, pass all filters. Outside of a probe it does nothing.
  constexpr uint32_t kUprobe = 336;
  const std::pair<const char *, Bytes> kinds[] = {{"syscall", {0x0f, 0x05}}, {"int80", {0xcd, 0x80}}};
  std::vector<Code> codes;
  for (const auto &[kind, bytes] : kinds)
    for (uint32_t call = 0; call < kNumbers; ++call)
      codes.push_back({kind + std::to_string(call), joined({toEax(call), bytes}), call != kUprobe});
  for (const uint32_t call : {1u, 2u, 11u})
    codes.push_back({"sysenter" + std::to_string(call), joined({toEax(call), {0x0f, 0x34}}), true});
  return codes;
}

std::vector<Code> systemInstructions(const mca::Target &target) {
  const llvm::MCRegister base = registerNamed(target, "RDI");
  llvm::MCContext context(target.triple(), &target.asmInfo(), &target.registers(), &target.subtarget());
  const std::unique_ptr<llvm::MCCodeEmitter> emitter(
      target.backend().createMCCodeEmitter(target.instructions(), context));
  constexpr uint64_t kForm = 127; // of TSFlags: how an instruction is encoded; 0: not at all
  std::vector<Code> codes;
  for (unsigned opcode = 0; opcode < target.instructions().getNumOpcodes(); ++opcode) {
    const llvm::MCInstrDesc &description = target.instructions().get(opcode);
    if (!description.hasUnmodeledSideEffects() || description.isPseudo() || !(description.TSFlags & kForm))
      continue;
    const std::optional<llvm::MCInst> inst = instance(target, opcode, base);
    if (!inst)
      continue;
    llvm::SmallVector<char, 16> bytes;
    llvm::SmallVector<llvm::MCFixup, 2> fixups;
    emitter->encodeInstruction(*inst, bytes, fixups, target.subtarget());
    const llvm::StringRef name = target.instructions().getName(opcode);
    const bool mustBeRefused = isPrivileged(name);
    for (const bool hasZeros : {false, true})
      codes.push_back(
          {name.str() + (hasZeros ? " of zeros" : ""), Bytes(bytes.begin(), bytes.end()), mustBeRefused, hasZeros});
  }
  for (unsigned vector = 0; vector < 256; ++vector)
    codes.push_back({"int " + std::to_string(vector),
                     {0xcd, static_cast<uint8_t>(vector)},
                     vector == kSystemCall || !isAllowedHere(static_cast<uint8_t>(vector))});
  return codes;
}

std::vector<Code> accesses(std::span<const Address> addresses) {
  struct Access {
    const char *name;
    Bytes bytes; // rcx: the address
  };
  const Access kinds[] = {{"load byte", {0x8a, 0x01}},
                          {"load", {0x48, 0x8b, 0x01}},
                          {"load vector", {0x0f, 0x10, 0x01}},
                          {"load aligned vector", {0x0f, 0x28, 0x01}},
                          {"store byte", {0x88, 0x01}},
                          {"store", {0x48, 0x89, 0x01}},
                          {"store vector", {0x0f, 0x11, 0x01}},
                          {"store past the cache", {0x48, 0x0f, 0xc3, 0x01}},
                          {"exchange", {0x48, 0x87, 0x01}},
                          {"locked increment", {0xf0, 0x48, 0xff, 0x01}},
                          {"cmpxchg16b", {0x48, 0x0f, 0xc7, 0x09}},
                          {"fxsave", {0x0f, 0xae, 0x01}},
                          {"fxrstor", {0x0f, 0xae, 0x09}},
                          {"xsave", {0x0f, 0xae, 0x21}},
                          {"clflush", {0x0f, 0xae, 0x39}},
                          {"rep stosb", {0x48, 0x89, 0xcf, 0xb9, 0x00, 0x10, 0x00, 0x00, 0xf3, 0xaa}},
                          {"rep movsb", {0x48, 0x89, 0xcf, 0xb9, 0x00, 0x10, 0x00, 0x00, 0xf3, 0xa4}},
                          {"push there", {0x48, 0x89, 0xcc, 0x50}},
                          {"pop there", {0x48, 0x89, 0xcc, 0x58}},
                          {"call", {0xff, 0xd1}},
                          {"jump", {0xff, 0xe1}},
                          {"jump through", {0xff, 0x21}},
                          {"far jump", {0xff, 0x29}},
                          {"return", {0x51, 0xc3}},
                          {"red zone there", {0x48, 0x89, 0xcc, 0x48, 0x89, 0x44, 0x24, 0x80}}};
  std::vector<Code> codes;
  for (const Address &address : addresses)
    for (const Access &kind : kinds)
      codes.push_back(
          {std::string(kind.name) + " at " + address.name, joined({toRcx(address.value), kind.bytes}), !address.isOwn});
  return codes;
}

std::vector<Code> opcodeSweep() {
  std::vector<Code> codes;
  const Bytes operands{0x07, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  for (unsigned opcode = 0; opcode < 256; ++opcode) {
    const auto byte = static_cast<uint8_t>(opcode);
    const std::string name = std::to_string(opcode);
    codes.push_back({"opcode " + name, joined({{byte}, operands})});
    codes.push_back({"opcode 0f " + name, joined({{0x0f, byte}, operands})});
    codes.push_back({"locked opcode " + name, joined({{0xf0, byte}, operands})});
  }
  for (const uint8_t prefix : {0x66, 0x67, 0xf2, 0xf3, 0x2e, 0x48})
    for (size_t count = 1; count <= 20; ++count) {
      const std::string name = std::to_string(count) + " of prefix " + std::to_string(prefix);
      codes.push_back({name + ", ud2", joined({Bytes(count, prefix), {0x0f, 0x0b}}), true});
      codes.push_back({name + ", nop", joined({Bytes(count, prefix), {0x90}}), false});
      codes.push_back({name + ", syscall", joined({Bytes(count, prefix), {0x0f, 0x05}}), true});
    }
  // What can be locked has memory as its destination.
  for (const Bytes &bytes :
       {Bytes{0x90}, Bytes{0x01, 0xc8}, Bytes{0x8b, 0x07}, Bytes{0x8d, 0x07}, Bytes{0x0f, 0xaf, 0x07}})
    codes.push_back({"lock on what cannot be", joined({{0xf0}, bytes}), true});
  return codes;
}

std::vector<Code> processorState() {
  std::vector<Code> codes;
  constexpr uint32_t kTrap = 8, kDirection = 10, kNested = 14, kAlignment = 18;
  for (uint32_t flag = 0; flag < 22; ++flag)
    // pushfq; orl $FLAG, (%rsp); popfq; nop
    codes.push_back({"flag " + std::to_string(flag),
                     joined({{0x9c, 0x81, 0x0c, 0x24}, number(1u << flag, 4), {0x9d, 0x90}}),
                     flag == kTrap || flag == kDirection || flag == kNested || flag == kAlignment});
  // mov %ax, SEGMENT: es, cs, ss, ds, fs, gs
  for (uint8_t segment = 0; segment < 6; ++segment)
    for (const uint32_t selector : {0u, 1u, 3u, 0x10u, 0x23u, 0x2bu, 0x33u, 0xffffu})
      codes.push_back({"segment " + std::to_string(segment) + " = " + std::to_string(selector),
                       joined({toEax(selector), {0x8e, static_cast<uint8_t>(0xc0 | segment << 3)}}), segment == 1});
  // movl $CONTROL, (%rdi); ldmxcsr (%rdi); then 0/0, 1/0, 1/3, the root of -1
  const Bytes arithmetic{0x0f, 0x57, 0xc0, 0xf3, 0x0f, 0x5e, 0xc0, 0xb8, 0x01, 0,    0,    0,    0xf3, 0x0f, 0x2a, 0xc8,
                         0xf3, 0x0f, 0x5e, 0xc8, 0xb8, 0x03, 0,    0,    0,    0xf3, 0x0f, 0x2a, 0xd0, 0xf3, 0x0f, 0x5e,
                         0xca, 0xb8, 0xff, 0xff, 0xff, 0xff, 0xf3, 0x0f, 0x2a, 0xc0, 0xf3, 0x0f, 0x51, 0xc0};
  for (uint32_t exception = 0; exception < 6; ++exception) {
    const bool isRaised = exception == 0; // the others depend on what the divisions left
    const uint32_t control = 0x1f80 & ~(0x80u << exception);
    codes.push_back({"unmasked vector exception " + std::to_string(exception),
                     joined({{0xc7, 0x07}, number(control, 4), {0x0f, 0xae, 0x17}, arithmetic}), isRaised});
    // movw $CONTROL, (%rdi); fldcw (%rdi); fldz; fldz; fdivp; fld1; fldz; fdivp; fwait
    codes.push_back(
        {"unmasked x87 exception " + std::to_string(exception),
         joined({{0x66, 0xc7, 0x07},
                 number(0x037f & ~(1u << exception), 2),
                 {0xd9, 0x2f, 0xd9, 0xee, 0xd9, 0xee, 0xde, 0xf9, 0xd9, 0xe8, 0xd9, 0xee, 0xde, 0xf9, 0x9b}}),
         isRaised});
  }
  // Bit 17, AMD's, allows vectors that are not aligned.
  for (uint32_t control = 0; control < 32; ++control)
    codes.push_back({"mxcsr with bit " + std::to_string(control),
                     joined({{0xc7, 0x07}, number(0x1f80 ^ (1u << control), 4), {0x0f, 0xae, 0x17}}),
                     control == 16 || control > 17});
  const std::pair<const char *, Bytes> states[] = {
      {"upper halves left", {0xc5, 0xfd, 0x76, 0xc0}},        // vpcmpeqd %ymm0, %ymm0, %ymm0
      {"512 bits", {0x62, 0xf1, 0x7d, 0x48, 0xef, 0xc0}},     // vpxord %zmm0, %zmm0, %zmm0
      {"masks", {0xc5, 0xf8, 0x47, 0xc0}},                    // kxorw %k0, %k0, %k0
      {"tile configuration", {0xc4, 0xe2, 0x78, 0x49, 0x07}}, // ldtilecfg (%rdi)
      {"tile zero", {0xc4, 0xe2, 0x7b, 0x49, 0xc0}},          // tilezero %tmm0
      {"x87 stack full",
       {0xd9, 0xe8, 0xd9, 0xe8, 0xd9, 0xe8, 0xd9, 0xe8, 0xd9, 0xe8, 0xd9, 0xe8, 0xd9, 0xe8, 0xd9, 0xe8}},
      {"mmx left", {0x0f, 0x76, 0xc0}}, // pcmpeqd %mm0, %mm0
      {"xrstor of garbage", {0xb8, 0xff, 0xff, 0xff, 0xff, 0x89, 0xc2, 0x0f, 0xae, 0x2f}},
      {"vzeroall", {0xc5, 0xfc, 0x77}},
      {"fninit", {0xdb, 0xe3}},
      {"fs base", {0xf3, 0x48, 0x0f, 0xae, 0xd0}}, // wrfsbase %rax
      {"gs base", {0xf3, 0x48, 0x0f, 0xae, 0xd8}},
      {"protection keys", {0x31, 0xc9, 0x31, 0xd2, 0xb8, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x01, 0xef}}, // wrpkru
      {"no stack", {0x31, 0xe4}},
      {"stack of ones", {0x48, 0x83, 0xcc, 0xff}},
      {"leave to nowhere", {0x31, 0xed, 0xc9}},
      {"deep frame", {0xc8, 0xff, 0xff, 0x1f}}, // enter $0xffff, $31
      {"iret", {0x48, 0xcf}},
      {"self-modification", {0xc6, 0x05, 0xf9, 0xff, 0xff, 0xff, 0x90}}}; // movb $0x90, -7(%rip)
  for (const auto &[name, bytes] : states)
    codes.push_back({name, bytes});
  return codes;
}

std::vector<Code> endless() {
  return {{"jump to itself", {0xeb, 0xfe}, true},
          {"pause", {0xf3, 0x90, 0xeb, 0xfc}, true},
          {"time stamps", {0x0f, 0x31, 0xeb, 0xfc}, true},
          {"cpuid", {0x0f, 0xa2, 0xeb, 0xfc}, true},
          {"fences", {0x0f, 0xae, 0xf0, 0xeb, 0xfb}, true},
          {"locked increments", {0xf0, 0x48, 0xff, 0x07, 0xeb, 0xfa}, true},
          {"cache line flushes", {0x0f, 0xae, 0x3f, 0xeb, 0xfb}, true},
          {"loop of 2^64", {0x48, 0x31, 0xc9, 0xe2, 0xfe}, true},
          {"call of itself", {0xe8, 0xfb, 0xff, 0xff, 0xff}, true},
          {"random numbers", {0x0f, 0xc7, 0xf0, 0xeb, 0xfb}, true},
          {"divisions", {0x31, 0xd2, 0x48, 0xf7, 0xf1, 0xeb, 0xf9}, true},
          {"square roots", {0x66, 0x0f, 0x51, 0xc0, 0xeb, 0xfa}, true}};
}

} // namespace hostile
