// The search for callers visits each function once, so that it ends for functions that call each other.
#include "analysis/regions/call_graph.h"

#include "mca-core/program/branch.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace analysis {

// Calls of a function by itself are left out: they lead to no further caller.
CallGraph::CallGraph(const mca::Target &target, const mca::Program &program, const SourceMap &map,
                     const FunctionNames &functions)
    : map_(map), functions_(functions) {
  for (uint32_t i = 0; i < program.instructions().size(); ++i) {
    const llvm::MCInst &inst = program.instructions()[i].inst;
    const llvm::MCInstrDesc &description = target.instructions().get(inst.getOpcode());
    // A call at the end of a function is a jump.
    const llvm::MCSymbol *symbol = description.isCall() || description.isBranch() ? mca::symbolOf(inst) : nullptr;
    const int called = symbol ? functions.indexOf(*symbol) : -1;
    if (called >= 0 && called != functions.indexOf(i))
      callersOf_[called].push_back(i);
  }
}

/// Whether it belongs to a line of the buffer. gcc does not always say what it inlined: in a function of another file
/// the call's own line may be that of code which was inlined there.
bool CallGraph::isOfBuffer(uint32_t call) const {
  return map_.placeOf(call) && !(map_.isOfOtherFile(functions_.startOf(call)) && map_.outermost(call).inBuffer.line);
}

std::vector<uint32_t> CallGraph::callsTo(uint32_t instruction) const {
  std::vector<uint32_t> calls;
  std::vector<int> work{functions_.indexOf(instruction)};
  std::set<int> seen(work.begin(), work.end());
  while (!work.empty()) {
    const auto callers = callersOf_.find(work.back());
    work.pop_back();
    if (callers == callersOf_.end())
      continue;
    for (const uint32_t call : callers->second)
      if (isOfBuffer(call))
        calls.push_back(call);
      else if (const int caller = functions_.indexOf(call); seen.insert(caller).second)
        work.push_back(caller);
  }
  llvm::sort(calls);
  return calls;
}

} // namespace analysis
