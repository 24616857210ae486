// Whether x86 assembly without a directive is in Intel's syntax.
//
// GNU as and LLVM read AT&T's syntax until `.intel_syntax` says otherwise. What people paste, and what rustc and
// disassemblers print, has often no directive: read as AT&T, some of its lines are errors, and in others registers
// become symbols in silence.
#pragma once

#include <string_view>

namespace analysis {

/// Whether the text is in Intel's syntax beyond doubt: several lines have what only this syntax has, none has an
/// operand of AT&T's, and no directive chooses a syntax.
bool isIntelSyntax(std::string_view text);

} // namespace analysis
