// `.file` and `.loc`, read by ourselves.
//
// LLVM's parser feeds these to a DWARF line table, and refuses gcc 12's output, in which `.file 0` and `.file 1` name
// one file (LLVM issue 72027). We need no table, only which file and line each instruction belongs to, so a parser
// extension takes both directives before LLVM's own code sees them. Every form that clang and gcc write is accepted;
// what is not understood in the tail of a `.loc` (views, discriminators, statement flags) is passed over.
#pragma once

#include "mca-core/assembly/program.h"

#include "llvm/MC/MCParser/MCAsmParserExtension.h"

namespace mca {

class LineDirectives final : public llvm::MCAsmParserExtension {
public:
  using Offset = std::function<uint32_t(llvm::SMLoc)>;
  explicit LineDirectives(Offset offsetOf) : offsetOf_(std::move(offsetOf)) {}

  void Initialize(llvm::MCAsmParser &parser) override;

  /// Index of the `.loc` in force, kNone before the first.
  uint32_t current() const { return lines.empty() ? kNone : static_cast<uint32_t>(lines.size() - 1); }

  std::vector<LineEntry> lines;
  std::vector<LineFile> files;

private:
  bool parseFile(llvm::StringRef directive, llvm::SMLoc loc);
  bool parseLoc(llvm::StringRef directive, llvm::SMLoc loc);

  Offset offsetOf_;
};

} // namespace mca
