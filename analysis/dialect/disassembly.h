// The listings of disassemblers: `objdump -d` of binutils and LLVM, and `perf annotate --stdio`.
//
//     0000000000401130 <sum>:
//       401136:	48 83 c7 04          	add    $0x4,%rdi
//        75.00 :   40113a:       jne    401136 <sum+0x6>
//
// They are assembly but for what precedes an instruction, and for jumps, whose targets are addresses.
#pragma once

#include "mca-core/assembly/text_edits.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/TargetParser/Triple.h"

#include <string_view>
#include <vector>

namespace analysis {

/// Whether the text is such a listing: two instructions with their bytes are no other assembly; of one without bytes,
/// its own lines tell.
bool isDisassembly(std::string_view text);

/// The instruction in a line of a listing; empty if there is none.
llvm::StringRef listedInstruction(llvm::StringRef line);

/// The edits that make assembly of a listing: labels in place of addresses, symbols in place of targets, and nothing of
/// the lines that hold no instruction. Comments of ours are kept.
std::vector<mca::TextEdit> editsOfDisassembly(std::string_view text, const llvm::Triple &triple);

} // namespace analysis
