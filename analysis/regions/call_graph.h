// Which of the buffer's lines call a function of the assembly, directly or through functions of other files.
//
// Code that the compiler made of a header's template stands in a function of its own unless it was inlined. Its reader
// knows it by the call that the user wrote, so the calls that the text names are followed back to the first that
// belongs to a line of the buffer. Calls through pointers and of virtual functions name no function and are not
// followed.
#pragma once

#include "analysis/regions/function_names.h"
#include "analysis/source_map/source_map.h"
#include "mca-core/assembly/program.h"
#include "mca-core/target/target.h"

#include <map>

namespace analysis {

class CallGraph {
public:
  CallGraph(const mca::Target &target, const mca::Program &program, const SourceMap &map,
            const FunctionNames &functions);

  /// The calls in lines of the buffer that lead to the function around an instruction, ascending: indices of
  /// instructions.
  std::vector<uint32_t> callsTo(uint32_t instruction) const;

private:
  bool isOfBuffer(uint32_t call) const;

  const SourceMap &map_;
  const FunctionNames &functions_;
  std::map<int, std::vector<uint32_t>> callersOf_; ///< the calls of each function, by FunctionNames' index
};

} // namespace analysis
