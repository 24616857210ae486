// JSON that a person wrote, with the places of its keys, so that a finding about a key can be shown on its line.
//
// Comments are allowed. Text that is not JSON, and text that is nested too deep, is an error with its place.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/protocol/json_rpc.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lsp::protocol {

/// The keys and indices that lead to a value.
using JsonPath = std::vector<std::string>;

struct JsonError {
  uint32_t offset = 0; ///< in bytes
  std::string message; ///< without the place
};

struct LocatedJson {
  Json value; ///< null after an error
  std::map<JsonPath, analysis::wire::ByteRange>
      places; ///< of a member its key, of an element the string, or a character at it
  std::vector<analysis::wire::ByteRange> duplicates; ///< keys that their object has already; the last one counts
  std::optional<JsonError> error;

  /// The place of a value, or of the innermost value around it that has one.
  analysis::wire::ByteRange placeOf(JsonPath path) const;
};

/// Levels of objects and arrays. The functions that read a value call themselves for each.
inline constexpr size_t kDeepestJson = 32;

LocatedJson parseLocatedJson(std::string_view text);

} // namespace lsp::protocol
