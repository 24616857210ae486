// LLVM's names are the mnemonics in upper case, followed by the operands' sizes and kinds: VMREAD64rm, SYSRET64, IN8ri.
#include "mca-core/measure/forbidden.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace mca::measure {
namespace {

using llvm::StringRef;

struct Group {
  const char *reason;
  std::initializer_list<StringRef> mnemonics;
};

/// What the processor refuses by itself, as hlt and in, is not among them.
const Group kGroups[] = {
    {"it calls the hypervisor",
     {"VMCALL",    "VMMCALL",   "VMFUNC",   "VMLAUNCH",  "VMRESUME", "VMXON",    "VMXOFF",  "VMCLEAR",
      "VMPTRLD",   "VMPTRST",   "VMREAD",   "VMWRITE",   "VMRUN",    "VMLOAD",   "VMSAVE",  "INVEPT",
      "INVVPID",   "STGI",      "CLGI",     "SKINIT",    "INVLPGA",  "INVLPGB",  "TLBSYNC", "PSMASH",
      "PVALIDATE", "RMPADJUST", "RMPQUERY", "RMPUPDATE", "TDCALL",   "SEAMCALL", "SEAMOPS", "SEAMRET",
      "GETSEC",    "ENCLS",     "ENCLU",    "ENCLV",     "PCONFIG"}},
    {"it makes a system call", {"SYSCALL", "SYSENTER", "INT", "INTO"}},
    {"it jumps to where no instruction was checked", {"FARJMP", "FARCALL", "LRET", "LRETI", "IRET", "UIRET"}},
    {"it waits for an event", {"MWAIT", "MWAITX", "MONITOR", "MONITORX", "UMWAIT", "UMONITOR", "TPAUSE"}},
    {"it sends a command to a device", {"ENQCMD", "ENQCMDS"}},
    {"it causes or directs interrupts", {"SENDUIPI", "STUI", "CLUI", "LLWPCB", "SLWPCB", "LWPINS", "LWPVAL"}},
    {"it changes which memory may be used", {"WRPKRU"}},
    {"it begins a transaction, whose faults are not seen", {"XBEGIN", "XABORT", "XEND"}},
};

} // namespace

std::optional<std::string> whyForbidden(StringRef opcode) {
  // Breakpoints are refused when they are executed.
  if (opcode == "INT3")
    return std::nullopt;
  const StringRef mnemonic = opcode.take_while(llvm::isUpper);
  for (const Group &group : kGroups)
    if (llvm::is_contained(group.mnemonics, mnemonic))
      return group.reason;
  return std::nullopt;
}

} // namespace mca::measure
