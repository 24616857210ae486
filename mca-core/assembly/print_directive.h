// Our own parser for `.print`.
//
// LLVM's writes the text to the standard output at once, which belongs to the program that uses this library: a
// protocol, JSON, a path that another program reads.
#pragma once

#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCParser/AsmLexer.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCAsmParserExtension.h"

#include <string>
#include <vector>

namespace mca {

/// Collects the texts. Errors are those of LLVM 22 (AsmParser::parseDirectivePrint), and cost the directive's line.
class PrintDirective final : public llvm::MCAsmParserExtension {
public:
  explicit PrintDirective(std::vector<std::string> &printed) : printed_(printed) {}

  /// LLVM compares the names of its own directives without regard to case, and those of extensions letter by letter.
  void Initialize(llvm::MCAsmParser &parser) override {
    MCAsmParserExtension::Initialize(parser);
    constexpr llvm::StringLiteral kName = ".print";
    for (unsigned upper = 0; upper < 1u << (kName.size() - 1); ++upper) {
      std::string name = kName.str();
      for (size_t i = 1; i < name.size(); ++i)
        if (upper >> (i - 1) & 1)
          name[i] = llvm::toUpper(name[i]);
      parser.addDirectiveHandler(name, {this, HandleDirective<PrintDirective, &PrintDirective::parse>});
    }
  }

private:
  bool parse(llvm::StringRef, llvm::SMLoc loc) {
    const llvm::AsmToken text = getTok();
    Lex();
    if (text.isNot(llvm::AsmToken::String) || text.getString().front() != '"')
      return getParser().Error(loc, "expected double quoted string after .print");
    if (getParser().parseEOL())
      return true;
    printed_.push_back(text.getStringContents().str());
    return false;
  }

  std::vector<std::string> &printed_;
};

} // namespace mca
