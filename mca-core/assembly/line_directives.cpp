// Reads the directives' tokens from LLVM's lexer.
#include "mca-core/assembly/line_directives.h"

#include "llvm/MC/MCParser/AsmLexer.h"
#include "llvm/MC/MCParser/MCAsmParser.h"

namespace mca {

void LineDirectives::Initialize(llvm::MCAsmParser &parser) {
  MCAsmParserExtension::Initialize(parser);
  parser.addDirectiveHandler(".file", {this, HandleDirective<LineDirectives, &LineDirectives::parseFile>});
  parser.addDirectiveHandler(".loc", {this, HandleDirective<LineDirectives, &LineDirectives::parseLoc>});
}

/// `.file "name"`, `.file N "name"`, `.file N "directory" "name" [md5 …] [source …]`.
bool LineDirectives::parseFile(llvm::StringRef, llvm::SMLoc loc) {
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
  if (numbered)
    files.push_back(std::move(file));
  return false;
}

/// `.loc FILE LINE [COLUMN] [flags …]`.
bool LineDirectives::parseLoc(llvm::StringRef, llvm::SMLoc loc) {
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

} // namespace mca
