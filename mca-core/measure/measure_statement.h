// The statement `# mca: measure rdi=buffer:4096 rsi=same-line ecx=7 rax=+8`, which sets registers for measuring a
// region.
//
// `buffer` is memory of the register's own, optionally with its size in bytes: that many bytes are walked over at most.
// `same-line` is the cache line of the statement's buffer before it. A number is the register's value, also in 0x form;
// with a plus sign it is added to the value that the register would have.
// A statement inside a region is for that region, one before all regions for each.
#pragma once

#include "mca-core/assembly/markers.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace mca::measure {

struct RegisterSetting {
  enum class Kind : uint8_t { Value, Added, Buffer, SameLine };
  uint32_t generalRegister = 0; ///< as CodeToRun has them
  Kind kind = Kind::Value;
  uint64_t value = 0;  ///< of Value and Added; of the latter at most kMostAdded
  uint64_t bytes = 0;  ///< of Buffer; 0: not given
  uint32_t buffer = 0; ///< of SameLine: the register whose line it is
};

constexpr uint64_t kMostAdded = 4096;

struct MeasureStatement {
  uint32_t offset = 0; ///< in the text
  std::vector<RegisterSetting> settings;
};

struct MeasureStatements {
  std::vector<MeasureStatement> statements;
  std::vector<Diagnostic> diagnostics; ///< a wrong setting is left out
};

/// Finds the statements of a text in AT&T or Intel syntax.
MeasureStatements readMeasureStatements(std::string_view text);

} // namespace mca::measure
