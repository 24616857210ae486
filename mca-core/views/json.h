// Reports as JSON: llvm-mca 22.1's -json, with the same members, order and number formats.
#pragma once

#include "mca-core/report/simulator.h"
#include "mca-core/views/text.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"

#include <span>

namespace mca {

// llvm::json sorts members by name when it prints them, so the order in which they are added is free.

/// Returns the array of `toJson(element)`, or of `toJson(index, element)`.
template <typename List, typename ToJson>
llvm::json::Array toArray(const List &list, ToJson toJson) {
  llvm::json::Array array;
  for (const auto &element : list) {
    if constexpr (std::is_invocable_v<ToJson, size_t, decltype(element)>)
      array.push_back(toJson(array.size(), element));
    else
      array.push_back(toJson(element));
  }
  return array;
}

/// Returns one region's report, an element of llvm-mca's "CodeRegions". As in llvm-mca, it omits the statistics of
/// schedulers, retirement and register files.
llvm::json::Object toJson(const Report &report, const ViewSelection &views, const std::string &regionName);

/// Returns the CPU and its resource units.
llvm::json::Object targetToJson(const Target &target);

/// Returns the options that affect the simulation, except those with their default value.
llvm::json::Object parametersToJson(const Target &target, const SimulationOptions &options);

// The complete report: the members of llvm-mca's -json under the same names, plus everything that llvm-mca prints only
// as text or does not have. docs/json.md describes each member.

/// Prints an instruction of the program.
using PrintInstruction = llvm::function_ref<std::string(uint32_t)>;

/// Returns one region: the members of toJson(), some of them extended, and further ones. `region`: the program's
/// instructions in it.
llvm::json::Object toFullJson(const Simulation &simulation, const ViewSelection &views, const std::string &regionName,
                              const Program &program, std::span<const uint32_t> region, PrintInstruction textOf);

/// Returns the CPU, its resources with their members, and the owner of its scheduling model.
llvm::json::Object targetToFullJson(const Target &target, std::span<const ResourceDescription> resources);

// Parts of it that a trace's window has as well.
/// Returns the waits of each instruction, with their reasons.
llvm::json::Array instructionWaitsToJson(const Waits &waits);
llvm::json::Array segmentsToJson(std::span<const WaitSegment> segments);
/// Returns the counts of "BottleneckAnalysis" in one region, even if dispatch never stalled.
llvm::json::Object pressureToFullJson(const Bottlenecks &found);

/// Returns the diagnostics of the parser and the markers.
llvm::json::Array diagnosticsToJson(const Program &program);

} // namespace mca
