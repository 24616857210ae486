// Our own parser for `.file` and `.loc`.
//
// LLVM's parser enters them into a DWARF line table and rejects gcc 12's output, in which `.file 0` and `.file 1` name
// one file (LLVM issue 72027). We need only the file and line of each instruction, so a parser extension handles both
// directives before LLVM does. It accepts every form that clang and gcc write, and ignores the options at the end of a
// `.loc` (views, discriminators, statement flags).
#pragma once

#include "mca-core/assembly/program.h"

#include "llvm/MC/MCParser/MCAsmParserExtension.h"

namespace mca {

class LineDirectives final : public llvm::MCAsmParserExtension {
public:
  using Offset = std::function<uint32_t(llvm::SMLoc)>;
  explicit LineDirectives(Offset offsetOf) : offsetOf_(std::move(offsetOf)) {}

  void Initialize(llvm::MCAsmParser &parser) override;

  /// Returns the index of the current `.loc`; kNone before the first.
  uint32_t current() const { return lines.empty() ? kNone : static_cast<uint32_t>(lines.size() - 1); }

  std::vector<LineEntry> lines;
  std::vector<LineFile> files;

private:
  bool parseFile(llvm::StringRef directive, llvm::SMLoc loc);
  bool parseLoc(llvm::StringRef directive, llvm::SMLoc loc);

  Offset offsetOf_;
};

} // namespace mca
