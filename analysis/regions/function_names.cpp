// LLVM's demangler knows the parts of a name. Text is cut only where the demangler leaves something in: template
// arguments, and the suffixes that compilers append to the names of copies.
#include "analysis/regions/function_names.h"

#include "analysis/regions/rust_names.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCSymbol.h"

#include <algorithm>
#include <cstdlib>

namespace analysis {
namespace {

/// The text of a buffer that the demangler allocated; empty without one.
std::string taken(char *text) {
  const std::string result = text ? text : "";
  std::free(text);
  return result;
}

} // namespace

std::string readableName(std::string_view symbol) {
  if (std::optional<std::string> rust = rustName(symbol))
    return *rust;
  const std::string name(symbol);
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(name.c_str()) || !demangler.isFunction())
    return llvm::demangle(name);
  const std::string result = taken(demangler.getFunctionName(nullptr, nullptr));
  return result.empty() ? name : result;
}

std::string withoutTemplateArguments(llvm::StringRef name) {
  std::string result;
  size_t depth = 0;
  for (llvm::StringRef rest = name; !rest.empty();) {
    llvm::StringRef before = result;
    const bool isOperator = depth == 0 && before.consume_back("operator") &&
                            (before.empty() || !(llvm::isAlnum(before.back()) || before.back() == '_'));
    const size_t symbol = isOperator ? std::min(rest.find_first_not_of("<>=-"), rest.size()) : 0;
    if (symbol) {
      result += rest.take_front(symbol);
      rest = rest.drop_front(symbol);
      continue;
    }
    const char c = rest.front();
    rest = rest.drop_front();
    if (c == '>' && depth-- == 0)
      return name.str();
    depth += c == '<';
    if (c != '<' && c != '>' && depth == 0)
      result += c;
  }
  return depth ? name.str() : llvm::StringRef(result).rtrim().str();
}

std::string shortFunctionName(std::string_view symbol) {
  if (std::optional<std::string> rust = rustName(symbol))
    return *rust;
  for (const std::string_view copy : {".isra.", ".constprop.", ".part.", ".llvm.", ".cold"})
    if (const size_t at = symbol.find(copy); at != std::string_view::npos && at > 0)
      symbol = symbol.substr(0, at);
  const std::string name(symbol);
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(name.c_str()) || !demangler.isFunction())
    return llvm::demangle(name);
  const std::string scope = withoutTemplateArguments(taken(demangler.getFunctionDeclContextName(nullptr, nullptr)));
  return (scope.empty() ? "" : scope + "::") + taken(demangler.getFunctionBaseName(nullptr, nullptr));
}

FunctionNames::FunctionNames(const mca::Program &program) {
  for (const mca::Label &label : program.labels())
    declared_ |= program.isFunction(*label.symbol);
  for (const mca::Label &label : program.labels())
    if (declared_ ? program.isFunction(*label.symbol) : !label.symbol->isTemporary())
      labels_.push_back(&label);
  for (size_t i = 0; i < labels_.size(); ++i)
    indices_[labels_[i]->symbol] = static_cast<int>(i);
}

int FunctionNames::indexOf(const llvm::MCSymbol &symbol) const {
  const auto found = indices_.find(&symbol);
  if (found != indices_.end())
    return found->second;
  // `.set _ZN1CC1Ev, _ZN1CC2Ev`
  const auto *other = symbol.isVariable() ? llvm::dyn_cast<llvm::MCSymbolRefExpr>(symbol.getVariableValue()) : nullptr;
  const auto aliased = other ? indices_.find(&other->getSymbol()) : indices_.end();
  return aliased == indices_.end() ? -1 : aliased->second;
}

int FunctionNames::indexOf(uint32_t instruction) const {
  const auto after = std::ranges::upper_bound(labels_, instruction, {}, &mca::Label::instruction);
  return static_cast<int>(after - labels_.begin()) - 1;
}

uint32_t FunctionNames::startOf(uint32_t instruction) const {
  const int index = indexOf(instruction);
  return index < 0 ? 0 : labels_[index]->instruction;
}

uint32_t FunctionNames::endOf(uint32_t instruction) const {
  const int next = indexOf(instruction) + 1;
  return static_cast<size_t>(next) < labels_.size() ? labels_[next]->instruction : ~0u;
}

std::string FunctionNames::nameOf(uint32_t instruction) const {
  const int index = indexOf(instruction);
  return index < 0 ? std::string() : readableName(labels_[index]->name);
}

std::string FunctionNames::nameAround(const mca::Loop &loop) const {
  const int index = indexOf(loop.instructions.front());
  const auto isLoops = [&](uint32_t at) { return at == loop.instructions.front() || at == loop.header(); };
  if (index < 0 || (!declared_ && isLoops(labels_[index]->instruction)))
    return {};
  return readableName(labels_[index]->name);
}

} // namespace analysis
