// The complete report as JSON: the members of llvm-mca's -json under the same names, plus everything that llvm-mca
// prints only as text or does not have. docs/json.md describes each member.
#pragma once

#include "mca-core/views/json.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <span>

namespace mca {

/// Prints an instruction of the program.
using PrintInstruction = llvm::function_ref<std::string(uint32_t)>;

/// Returns one region: the members of toJson(), some of them extended, and further ones. `region`: the program's
/// instructions in it.
llvm::json::Object toFullJson(const Simulation &simulation, const ViewSelection &views, const std::string &regionName,
                              const Program &program, std::span<const uint32_t> region, PrintInstruction textOf);

/// Returns the CPU, its resources with their members, and the owner of its scheduling model.
llvm::json::Object targetToFullJson(const Target &target, std::span<const ResourceDescription> resources);

/// Returns the diagnostics of the parser and the markers.
llvm::json::Array diagnosticsToJson(const Program &program);

} // namespace mca
