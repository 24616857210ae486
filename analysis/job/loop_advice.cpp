#include "analysis/job/loop_advice.h"

#include "analysis/advice/signature.h"
#include "analysis/regions/function_names.h"

#include "llvm/ADT/STLExtras.h"

namespace analysis {
namespace {

/// The statement of the line's loops; null for a call's line.
const LoopStatement *statementOf(const AdviceSources &sources) {
  for (const wire::Region &region : sources.result.regions) {
    const LoopStatement *statement = region.rank == 0 ? sources.statements.around(region.anchor) : nullptr;
    if (statement && statement->keyword == region.anchor)
      return statement;
  }
  return nullptr;
}

wire::RunnableFunction functionOf(AdviceSources &sources, const LoopStatement &statement) {
  const FunctionExtents &functions = sources.statements.functions();
  wire::RunnableFunction function =
      signatureAt(sources.request.text, sources.request.language, functions, statement.keyword);
  if (!function.refusal.empty())
    return function;
  const FunctionExtent *extent = functions.around(statement.keyword);
  const std::string name = sources.request.text.substr(extent->name.begin, extent->name.end - extent->name.begin);
  const std::string known = shortFunctionName(sources.symbol);
  if (known != name && !llvm::StringRef(known).ends_with("::" + name))
    return {.refusal = "its code is inlined into another function"};
  function.symbol = std::move(sources.symbol);
  function.assembly = std::move(sources.assembly);
  return function;
}

} // namespace

void addAdvice(AdviceSources sources, wire::AdviceFacts &facts) {
  const LoopStatement *const statement = statementOf(sources);
  const LoopText text(sources.request.text, sources.request.language, statement, sources.statements.functions());
  if (sources.request.listCandidates)
    facts.candidates = candidatesFor({.text = text,
                                      .signs = sources.signs,
                                      .command = sources.command,
                                      .compiled = sources.compiled,
                                      .target = sources.target});
  facts.tripCount = sources.tripCount ? sources.tripCount : text.tripCount();
  facts.sourceKept = compilesUnsavedText(sources.command) ? text.kept() : wire::SourceKept::Unreadable;
  if (!statement)
    facts.function.refusal = "its statement is in another file";
  else if (sources.request.listFunction)
    facts.function = functionOf(sources, *statement);
}

} // namespace analysis
