// Our own parser for `.file` and `.loc`.
//
// LLVM's parser enters them into a DWARF line table and rejects gcc 12's output, in which `.file 0` and `.file 1` name
// one file (LLVM issue 72027). We need only the file and line of each instruction, so a parser extension handles both
// directives before LLVM does. It accepts every form that clang and gcc write, and ignores the options at the end of a
// `.loc` (views, discriminators, statement flags).
#pragma once

#include "mca-core/assembly/program.h"

#include "llvm/MC/MCParser/AsmLexer.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCAsmParserExtension.h"

namespace mca {

/// Errors are the parser's: they cost the directive's line.
class LineDirectives final : public llvm::MCAsmParserExtension {
public:
  explicit LineDirectives(std::function<uint32_t(llvm::SMLoc)> offsetOf) : offsetOf_(std::move(offsetOf)) {}

  void Initialize(llvm::MCAsmParser &parser) override {
    MCAsmParserExtension::Initialize(parser);
    parser.addDirectiveHandler(".file", {this, HandleDirective<LineDirectives, &LineDirectives::parseFile>});
    parser.addDirectiveHandler(".loc", {this, HandleDirective<LineDirectives, &LineDirectives::parseLoc>});
  }

  /// Returns the index of the current `.loc`; kNone before the first.
  uint32_t current() const { return lines.empty() ? kNone : static_cast<uint32_t>(lines.size() - 1); }

  // Moved into the program after the parse.
  std::vector<LineEntry> lines;
  std::vector<LineFile> files;

private:
  /// `.file "name"`, `.file N "name"`, `.file N "directory" "name" [md5 …] [source …]`.
  bool parseFile(llvm::StringRef, llvm::SMLoc loc) {
    LineFile file;
    const bool numbered = getLexer().is(llvm::AsmToken::Integer);
    if (numbered) {
      const int64_t number = getTok().getIntVal();
      if (number < 0 || number > UINT32_MAX)
        return getParser().Error(loc, "file number out of range");
      file.number = static_cast<uint32_t>(number);
      Lex();
    }
    if (getLexer().isNot(llvm::AsmToken::String))
      return getParser().TokError("unexpected token in '.file' directive");
    if (getParser().parseEscapedString(file.name))
      return true;
    if (numbered && getLexer().is(llvm::AsmToken::String)) {
      file.directory = std::move(file.name);
      if (getParser().parseEscapedString(file.name))
        return true;
    }
    getParser().eatToEndOfStatement();
    // Without a number, the directive names the source for the symbol table, which no instruction refers to.
    if (numbered)
      files.push_back(std::move(file));
    return false;
  }

  /// `.loc FILE LINE [COLUMN] [flags …]`.
  bool parseLoc(llvm::StringRef, llvm::SMLoc loc) {
    uint32_t numbers[3] = {};
    unsigned count = 0;
    for (; count < 3 && getLexer().is(llvm::AsmToken::Integer); ++count) {
      const int64_t number = getTok().getIntVal();
      if (number < 0 || number > UINT32_MAX)
        return getParser().TokError("number out of range in '.loc' directive");
      numbers[count] = static_cast<uint32_t>(number);
      Lex();
    }
    if (count == 0)
      return getParser().TokError("unexpected token in '.loc' directive");
    getParser().eatToEndOfStatement();
    lines.push_back({numbers[0], numbers[1], numbers[2], offsetOf_(loc)});
    return false;
  }

  std::function<uint32_t(llvm::SMLoc)> offsetOf_;
};

} // namespace mca
