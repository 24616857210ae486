// Turns structs into JSON, by the lists of members that json_reader.h reads them by.
#pragma once

#include "lsp/check/json_reader.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>

namespace lsp {

/// Members are in the order of their list. An enumerator is written by the name that settings and messages have for it
/// (analysis/wire/enum_names.h).
template <typename Schema, typename T>
nlohmann::ordered_json toJson(const T &value) {
  if constexpr (std::is_enum_v<T>) {
    return nameOf(value);
  } else if constexpr (std::is_arithmetic_v<T> || std::same_as<T, std::string>) {
    return value;
  } else if constexpr (std::same_as<T, std::optional<double>>) {
    return *value; // an empty one is its default, which is left out
  } else if constexpr (requires { typename T::value_type; }) {
    nlohmann::ordered_json out = nlohmann::ordered_json::array();
    for (const auto &element : value)
      out.push_back(toJson<Schema>(element));
    return out;
  } else {
    nlohmann::ordered_json out = nlohmann::ordered_json::object();
    Schema::members(value, [&]<typename M>(const char *key, const M &member, auto... condition) {
      if constexpr (sizeof...(condition) > 0)
        if (member == M())
          return;
      out[key] = toJson<Schema>(member);
    });
    return out;
  }
}

} // namespace lsp
