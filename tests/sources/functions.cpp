#include "tests/sources/functions.h"

#include "analysis/source_map/text_lines.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "clang/Tooling/Tooling.h"

#include <algorithm>

namespace sources {
namespace {

using analysis::Shown;
using analysis::ShownRegion;
using analysis::TextLines;
using analysis::wire::ByteRange;
using analysis::wire::RegionKind;

class Visitor : public clang::RecursiveASTVisitor<Visitor> {
public:
  Visitor(const clang::ASTContext &context, std::vector<Function> &functions)
      : sources_(context.getSourceManager()), functions_(functions) {}

  /// The members that the compiler makes stand at their class.
  bool shouldVisitImplicitCode() const { return true; }
  bool VisitFunctionDecl(clang::FunctionDecl *function) {
    if (function->doesThisDeclarationHaveABody())
      add(function->getNameInfo().getAsString(), function->getSourceRange());
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr *lambda) {
    add("operator()", lambda->getSourceRange());
    return true;
  }
  bool VisitVarDecl(clang::VarDecl *variable) {
    if (variable->isFileVarDecl() && variable->hasInit())
      add("", variable->getSourceRange());
    return true;
  }

private:
  void add(std::string name, clang::SourceRange range) {
    const clang::SourceLocation begin = sources_.getExpansionLoc(range.getBegin());
    if (!sources_.isInMainFile(begin))
      return;
    const clang::SourceLocation end = sources_.getExpansionRange(range.getEnd()).getEnd();
    functions_.push_back(
        {std::move(name), sources_.getExpansionLineNumber(begin), sources_.getExpansionLineNumber(end)});
  }

  const clang::SourceManager &sources_;
  std::vector<Function> &functions_;
};

/// "operator()" of "f(int)::{lambda(int, int)#1}::operator()<int>, vector body ×8": the last word of the function's
/// name at the begin of a text. Tags ("[abi:cxx11]") and parts ("(.resume)") are no words of it.
std::string lastWord(std::string_view text) {
  std::string word;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool isOperator = word.ends_with("operator") || word.ends_with("operator(");
    const bool opens = std::string_view("<({[").find(text[i]) != std::string_view::npos,
               closes = std::string_view(">)}]").find(text[i]) != std::string_view::npos;
    if (isOperator && (opens || closes)) {
      word += text[i];
    } else if (opens) {
      ++depth;
    } else if (closes) {
      depth = std::max(depth - 1, 0);
    } else if (!depth && (text[i] == ',' || text[i] == '.' || text.substr(i).starts_with(" at line "))) {
      break; // what follows the name: the path, `.part.0`
    } else if (!depth) {
      word = text[i] == ':' ? "" : word + text[i];
    }
  }
  return word.substr(0, word.find_last_not_of(' ') + 1);
}

class Check {
public:
  Check(const std::string &text, const std::vector<Function> &functions) : lines_(text), functions_(functions) {}

  std::vector<std::string> run(const Shown &result) {
    for (const ShownRegion &region : result.regions)
      if (region.kind == RegionKind::Loop || region.kind == RegionKind::Path)
        checkLoop(region);
    for (const analysis::ShownHover &hover : result.hovers)
      if (const auto [first, last] = linesOf(hover.at);
          first != last && !isMarked(result, first) && !around("", first, last))
        report("a hover", first, last, "reaches over several functions");
    return std::move(strays_);
  }

private:
  using Lines = std::pair<uint32_t, uint32_t>;

  Lines linesOf(ByteRange at) const { return {lines_.lineOf(at.begin) + 1, lines_.lineOf(at.end) + 1}; }

  static bool isMarked(const Shown &result, uint32_t line) {
    return std::any_of(result.regions.begin(), result.regions.end(), [&](const ShownRegion &region) {
      return region.kind == RegionKind::Marker && region.line == line;
    });
  }

  /// The innermost function of the name (of any, if that is empty) that holds the lines.
  const Function *around(const std::string &name, uint32_t first, uint32_t last) const {
    const Function *best = nullptr;
    for (const Function &one : functions_)
      if ((name.empty() || one.name == name || (one.name.empty() && name.starts_with("_"))) && one.firstLine <= first &&
          last <= one.lastLine && (!best || best->firstLine < one.firstLine))
        best = &one;
    return best;
  }

  void report(const std::string &what, uint32_t first, uint32_t last, const std::string &why) {
    strays_.push_back("lines " + std::to_string(first) + "-" + std::to_string(last) + ": " + what + " " + why);
  }

  void checkLoop(const ShownRegion &region) {
    const auto [first, last] = linesOf(region.at);
    const std::string_view name = region.name;
    if (name.ends_with("called here") || name.find(", called here, ") != name.npos) {
      if (first != region.line || last != region.line)
        report(region.name, first, last, "is more than its call");
      return;
    }
    std::string function;
    for (const std::string_view prefix : {"loop in ", "loop of the call in ", "loop inlined into "})
      if (name.starts_with(prefix))
        function = lastWord(name.substr(prefix.size()));
    const size_t at = name.find(" at line ");
    if (name.starts_with("loop inlined into ")) {
      const auto line = static_cast<uint32_t>(at == name.npos ? 0 : std::stoul(std::string(name.substr(at + 9))));
      if (line && !around(function, line, line))
        report(region.name, line, line, "is a call outside of " + function);
      function.clear();
    }
    const Function *own = around(function, std::min(first, region.line), std::max(last, region.line));
    if (!own)
      return report(region.name, first, last, "stands outside of " + (function.empty() ? "any function" : function));
    // What a function of a header calls back may be any function of the file.
    const bool callsBack = name.starts_with("inlined loop in ");
    for (const analysis::ShownInstruction &instruction : region.body)
      if (instruction.at.begin != instruction.at.end)
        if (const auto [from, to] = linesOf(instruction.at);
            (from < own->firstLine || to > own->lastLine) && !(callsBack && around("", from, to)))
          return report(region.name, from, to, "has an instruction outside of " + own->name);
  }

  TextLines lines_;
  const std::vector<Function> &functions_;
  std::vector<std::string> strays_;
};

} // namespace

std::vector<Function> functionsOf(const std::string &path, const std::vector<std::string> &flags) {
  std::vector<std::string> arguments = flags;
  arguments.insert(arguments.end(), {"-w", "-Qunused-arguments", "-resource-dir", SOURCES_CLANG_RESOURCES});
  const clang::tooling::FixedCompilationDatabase database(".", arguments);
  clang::tooling::ClangTool tool(database, {path});
  clang::IgnoringDiagConsumer quiet;
  tool.setDiagnosticConsumer(&quiet);
  std::vector<std::unique_ptr<clang::ASTUnit>> units;
  tool.buildASTs(units);
  std::vector<Function> functions;
  for (const std::unique_ptr<clang::ASTUnit> &unit : units)
    Visitor(unit->getASTContext(), functions).TraverseDecl(unit->getASTContext().getTranslationUnitDecl());
  return functions;
}

std::vector<std::string> strays(const Shown &result, const std::string &text, const std::vector<Function> &functions) {
  return Check(text, functions).run(result);
}

} // namespace sources
