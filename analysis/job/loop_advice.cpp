#include "analysis/job/loop_advice.h"

#include "analysis/advice/signature.h"
#include "analysis/regions/function_names.h"

#include "llvm/ADT/STLExtras.h"

namespace analysis {
namespace {

/// The regions of loops on the line, and the statement that they are of; null for a call's line.
struct LoopOfLine {
  std::vector<const wire::Region *> regions;
  const LoopStatement *statement = nullptr;
};

LoopOfLine loopOf(const AdviceSources &sources) {
  LoopOfLine found;
  for (const wire::Region &region : sources.result.regions) {
    found.regions.push_back(&region);
    if (region.rank != 0 || found.statement)
      continue;
    const LoopStatement *statement = sources.statements.around(region.anchor);
    if (statement && statement->keyword == region.anchor)
      found.statement = statement;
  }
  return found;
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

wire::AdviceFacts adviceFor(AdviceSources sources) {
  wire::AdviceFacts facts;
  const LoopOfLine loop = loopOf(sources);
  const LoopText text(sources.request.text, sources.request.language, loop.statement, sources.statements.functions());
  if (sources.request.listCandidates)
    facts.candidates = candidatesFor({.text = text,
                                      .signs = signsOf(sources.result, loop.regions),
                                      .command = sources.command,
                                      .compiled = sources.compiled,
                                      .target = sources.target});
  facts.tripCount = sources.tripCount ? sources.tripCount : text.tripCount();
  if (!loop.statement)
    facts.sourceKept = wire::SourceKept::Elsewhere;
  else if (!compilesUnsavedText(sources.command))
    facts.sourceKept = wire::SourceKept::Unreadable;
  if (!loop.statement)
    facts.function.refusal = "its statement is in another file";
  else if (sources.request.listFunction)
    facts.function = functionOf(sources, *loop.statement);
  return facts;
}

} // namespace analysis
