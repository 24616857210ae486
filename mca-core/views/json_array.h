// Turns a list into a JSON array; both JSON views consist mostly of such lists.
#pragma once

#include "llvm/Support/JSON.h"

#include <cstddef>
#include <type_traits>
#include <utility>

namespace mca {

/// Returns the array of `toJson(element)`, or of `toJson(index, element)`.
template <typename List, typename ToJson>
llvm::json::Array toArray(const List &list, ToJson toJson) {
  llvm::json::Array array;
  size_t index = 0;
  for (const auto &element : list) {
    if constexpr (std::is_invocable_v<ToJson, size_t, decltype(element)>)
      array.push_back(toJson(index++, element));
    else
      array.push_back(toJson(element));
  }
  return array;
}

} // namespace mca
