// Lines are respelled after the first parse, so that no line that LLVM's parser reads can change its meaning.
#include "analysis/dialect/read_assembly.h"

#include "analysis/dialect/disassembly.h"
#include "analysis/dialect/spelling.h"
#include "analysis/dialect/syntax.h"
#include "analysis/text/comment_syntax.h"

#include <algorithm>

namespace analysis {
namespace {

/// LLVM's number of Intel's syntax (X86MCAsmInfo.cpp).
constexpr unsigned kIntel = 1;

std::vector<uint32_t> errorsOf(const mca::Program &program) {
  std::vector<uint32_t> errors;
  for (const mca::Diagnostic &diagnostic : program.diagnostics())
    if (!diagnostic.fromMarker && diagnostic.severity == mca::Diagnostic::Severity::Error)
      errors.push_back(diagnostic.begin);
  std::ranges::sort(errors);
  return errors;
}

std::vector<mca::TextEdit> respellings(const mca::Program &program, const mca::Target &target) {
  if (!program.parserFailed())
    return {};
  return respelled(program.text(), errorsOf(program), target);
}

unsigned syntaxOf(std::string_view text, const mca::Target &target, std::string_view wanted) {
  if (!target.triple().isX86() || wanted == comments::kAttSyntax)
    return 0;
  return wanted == comments::kIntelSyntax || isIntelSyntax(text) ? kIntel : 0;
}

} // namespace

Dialect dialectOf(std::string_view text, const mca::Target &target, std::string_view syntax) {
  Dialect dialect{.isListing = isDisassembly(text)};
  if (!dialect.isListing) {
    dialect.syntax = syntaxOf(text, target, syntax);
    return dialect;
  }
  dialect.edits = editsOfDisassembly(text, target.triple());
  dialect.syntax = syntaxOf(mca::RewrittenText(text, dialect.edits).text(), target, syntax);
  return dialect;
}

std::unique_ptr<mca::Program> readAssembly(std::string text, const mca::Target &target, Dialect dialect,
                                           mca::ParseOptions options) {
  options.syntax = dialect.syntax;
  options.edits = std::move(dialect.edits);
  if (dialect.isListing)
    options.onFunction = nullptr; // places are those of the text only at the end
  std::unique_ptr<mca::Program> program = mca::Program::parse(std::move(text), target, options);
  if (dialect.isListing) // its instructions were respelled before
    return program;
  options.edits = respellings(*program, target);
  if (options.edits.empty())
    return program;
  options.onFunction = nullptr; // it has seen the text
  return mca::Program::parse(program->text(), target, options);
}

bool hasRespellableErrors(const mca::Program &program, const mca::Target &target) {
  return !respellings(program, target).empty();
}

} // namespace analysis
