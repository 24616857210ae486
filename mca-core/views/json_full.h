// The complete report as JSON: the members of llvm-mca's -json under the same names, plus everything that llvm-mca
// prints only as text or does not have. docs/json.md describes each member.
#pragma once

#include "mca-core/views/json.h"

#include <span>

namespace mca {

/// A position in the input, 1-based.
struct SourcePosition {
  uint32_t line = 0;
  uint32_t column = 0;    ///< in bytes
  bool fromMacro = false; ///< the position is that of the call
};
SourcePosition findPosition(const Program &program, uint32_t instruction);

/// An instruction that the report omits, and the reason.
struct OmittedInstruction {
  SourcePosition position;
  std::string text;
  std::string message;
};

/// Returns one region: the members of toJson(), some of them extended, and further ones. `positions`: of the report's
/// instructions.
llvm::json::Object toFullJson(const Report &report, const ViewSelection &views, const std::string &regionName,
                              std::span<const SourcePosition> positions, std::span<const OmittedInstruction> omitted);

/// Returns the CPU, its resources with their members, and the owner of its scheduling model.
llvm::json::Object targetToFullJson(const Target &target, std::span<const ResourceDescription> resources);

/// Returns the diagnostics of the parser and the markers.
llvm::json::Array diagnosticsToJson(const Program &program);

} // namespace mca
