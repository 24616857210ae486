// Where the instructions of a program stand in its text, and what they read there.
#pragma once

#include "analysis/wire/messages.h"
#include "mca-core/assembly/program.h"
#include "mca-core/target/target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCAsmInfo.h"

#include <algorithm>
#include <array>
#include <string>

namespace analysis {

/// The places of instructions in the assembly, without comments and other statements on the same line. Instructions of
/// a macro have the place of its call.
class InstructionTexts {
public:
  InstructionTexts(const mca::Program &program, const mca::Target &target)
      : program_(program),
        ends_{target.asmInfo().getCommentString(), target.asmInfo().getSeparatorString(), "/*", "//", "\n", "\r"} {
    for (const llvm::StringRef end : ends_)
      if (!end.empty())
        mayEnd_[static_cast<uint8_t>(end.front())] = true;
  }

  wire::ByteRange rangeOf(uint32_t instruction) const {
    const uint32_t offset = program_.instructions()[instruction].offset;
    const llvm::StringRef rest = llvm::StringRef(program_.text()).drop_front(offset);
    size_t size = 0;
    while (size < rest.size() && !(mayEnd_[static_cast<uint8_t>(rest[size])] && isEnd(rest.drop_front(size))))
      ++size;
    return {offset, offset + static_cast<uint32_t>(rest.take_front(size).rtrim().size())};
  }

  std::string textOf(uint32_t instruction) const {
    const wire::ByteRange at = rangeOf(instruction);
    std::string text = program_.text().substr(at.begin, at.end - at.begin);
    std::replace(text.begin(), text.end(), '\t', ' ');
    return text;
  }

private:
  bool isEnd(llvm::StringRef text) const {
    return llvm::any_of(ends_, [&](llvm::StringRef end) { return !end.empty() && text.starts_with(end); });
  }

  const mca::Program &program_;
  std::array<llvm::StringRef, 6> ends_;
  std::array<bool, 256> mayEnd_{}; ///< the characters that an end begins with
};

} // namespace analysis
