// The whole report as JSON: what llvm-mca's -json holds, under the same names, and beside it everything that llvm-mca
// prints as text only or does not know. docs/json.md says what each member means.
#pragma once

#include "mca-core/views/json.h"

#include <span>

namespace mca {

/// Where an instruction stands in the input, 1-based.
struct SourcePosition {
  uint32_t line = 0;
  uint32_t column = 0;    ///< in bytes
  bool fromMacro = false; ///< then the position is that of the call
};
SourcePosition findPosition(const Program &program, uint32_t instruction);

/// An instruction that the report is without, and why.
struct OmittedInstruction {
  SourcePosition position;
  std::string text;
  std::string message;
};

/// One region: the members of toJson(), some of them with more in them, and others. `positions` are those of the
/// report's instructions.
llvm::json::Object toFullJson(const Report &report, const ViewSelection &views, const std::string &regionName,
                              std::span<const SourcePosition> positions, std::span<const OmittedInstruction> omitted);

/// The CPU, its resources with their members, and whose scheduling model it has.
llvm::json::Object targetToFullJson(const Target &target, std::span<const ResourceDescription> resources);

/// What the parser and the markers had to say of the input.
llvm::json::Array diagnosticsToJson(const Program &program);

} // namespace mca
