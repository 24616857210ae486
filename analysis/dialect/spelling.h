// Spellings that other assemblers accept, and LLVM's parser refuses, though it knows the instruction.
//
// A line is respelled only after LLVM's parser has refused it, so that what it reads keeps its meaning. The source of
// each rule is what a compiler or a disassembler prints; docs/features/assembly-dialects.md lists them.
#pragma once

#include "mca-core/assembly/text_edits.h"
#include "mca-core/target/target.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace analysis {

/// A part of a line, as a view into the text, and what replaces it.
struct Respelling {
  llvm::StringRef part;
  std::string text;
};

/// How an instruction of x86, without label and comment, has to be written. Empty if no rule applies.
llvm::SmallVector<Respelling, 2> respellX86(llvm::StringRef instruction);

/// The edits for the lines of a text that LLVM's parser refused. `errors`: offsets in these lines, ascending.
std::vector<mca::TextEdit> respelled(std::string_view text, std::span<const uint32_t> errors,
                                     const mca::Target &target);

} // namespace analysis
