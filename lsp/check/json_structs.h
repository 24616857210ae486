// Writes structs as JSON, and reads JSON straight into structs, member by member. It refuses what does not fit: a value
// of another type, a number out of range, a member that is missing or is given twice. The text comes from anywhere, so
// nothing of it is kept but what a struct has room for: a tree of nlohmann's objects takes sixteen times the memory of
// its text.
//
// A schema has one list of the members of each struct, which serves reading and writing: `Schema::members(v, visit)`
// calls `visit(KEY, MEMBER)` or `visit(KEY, MEMBER, unlessDefault)` for each.
#pragma once

#include "analysis/wire/enum_names.h"
#include "lsp/protocol/json_strings.h"

#include <concepts>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace lsp {

/// A struct to read, or a const one to write.
template <typename T, typename U>
concept Is = std::same_as<std::remove_const_t<T>, U>;

/// A member that is written only if it differs from its type's default, and need not be there.
inline constexpr struct UnlessDefault {
} unlessDefault;

/// A number as it is written.
struct JsonNumber {
  std::optional<uint64_t> natural; ///< empty if it is negative or has a fraction
  double value = 0;
};

struct JsonType;

/// Where a value goes.
struct JsonTarget {
  void *value = nullptr;
  const JsonType *type = nullptr; ///< null: the value is skipped
};

struct JsonMember {
  std::string_view key;
  JsonTarget target;
  bool isRequired = true;
  bool isRead = false;
};

/// How a value of a type is read. The functions for other kinds of values than the type's are null. Those for numbers
/// and strings return whether the value fits.
struct JsonType {
  std::string_view expected; ///< follows "is no": "list", "whole number from 0 to 255"
  void (*boolean)(void *, bool) = nullptr;
  bool (*number)(void *, const JsonNumber &) = nullptr;
  bool (*string)(void *, std::string &) = nullptr;
  JsonTarget (*element)(void *) = nullptr;                      ///< a new one at the end of the list
  void (*members)(void *, std::vector<JsonMember> &) = nullptr; ///< of an object
};

/// What becomes of a member that a struct does not have.
enum class UnknownMembers : uint8_t { Skipped, Refused };

/// Reads the text. Returns what is wrong with it, in words that follow "FILE: "; empty if nothing is. What was read
/// before that is in the target.
std::string readJson(std::string_view text, JsonTarget target, UnknownMembers unknown);

// ---- reading: the types --------------------------------------------------------------------------------------------

template <typename Schema, typename T>
const JsonType *jsonTypeOf();

/// The enumerator of the name that settings and messages have for it (analysis/wire/enum_names.h).
template <typename T>
bool readEnumerator(void *target, std::string &name) {
  constexpr uint8_t kBeyondAllEnumerators = 8; // nameOf() is empty for a number that is none
  for (uint8_t number = 0; number < kBeyondAllEnumerators && !name.empty(); ++number)
    if (name == nameOf(static_cast<T>(number))) {
      *static_cast<T *>(target) = static_cast<T>(number);
      return true;
    }
  return false;
}

template <typename T>
bool readNatural(void *target, const JsonNumber &number) {
  if (!number.natural || *number.natural > std::numeric_limits<T>::max())
    return false;
  *static_cast<T *>(target) = static_cast<T>(*number.natural);
  return true;
}

template <typename T>
std::string_view naturalsOf() {
  static const std::string text = "whole number from 0 to " + std::to_string(std::numeric_limits<T>::max());
  return text;
}

template <typename Schema, typename T>
void addMembers(void *object, std::vector<JsonMember> &list) {
  Schema::members(*static_cast<T *>(object), [&]<typename M>(const char *key, M &&member, auto... condition) {
    static std::remove_cvref_t<M> computed; // follows from other members, so what is read of it is dropped
    auto *place = &computed;
    if constexpr (std::is_lvalue_reference_v<M>)
      place = &member;
    list.push_back({key, {place, jsonTypeOf<Schema, std::remove_cvref_t<M>>()}, sizeof...(condition) == 0});
  });
}

template <typename Schema, typename T>
JsonType makeJsonType() {
  if constexpr (std::is_enum_v<T>)
    return {.expected = "known word", .string = readEnumerator<T>};
  else if constexpr (std::same_as<T, bool>)
    return {.expected = "true or false",
            .boolean = [](void *target, bool value) { *static_cast<bool *>(target) = value; }};
  else if constexpr (std::unsigned_integral<T>)
    return {.expected = naturalsOf<T>(), .number = readNatural<T>};
  else if constexpr (std::same_as<T, double> || std::same_as<T, std::optional<double>>)
    return {.expected = "number", .number = [](void *target, const JsonNumber &number) {
              *static_cast<T *>(target) = number.value;
              return true;
            }};
  else if constexpr (std::same_as<T, std::string>)
    return {.expected = "string", .string = [](void *target, std::string &value) {
              static_cast<std::string *>(target)->swap(value);
              return true;
            }};
  else if constexpr (requires { typename T::value_type; })
    return {.expected = "list", .element = [](void *list) {
              return JsonTarget{&static_cast<T *>(list)->emplace_back(), jsonTypeOf<Schema, typename T::value_type>()};
            }};
  else
    return {.expected = "object", .members = addMembers<Schema, T>};
}

template <typename Schema, typename T>
const JsonType *jsonTypeOf() {
  static const JsonType type = makeJsonType<Schema, T>();
  return &type;
}

template <typename Schema, typename T>
std::string readJson(std::string_view text, T &value, UnknownMembers unknown) {
  return readJson(text, JsonTarget{&value, jsonTypeOf<Schema, T>()}, unknown);
}

// ---- writing -------------------------------------------------------------------------------------------------------

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

/// The text of toJson() without blanks, for a client that shows its strings. No objects are made on the way: those of
/// 10,000 regions take half a second.
template <typename Schema, typename T>
void appendText(std::string &out, const T &value) {
  if constexpr (std::is_enum_v<T>) {
    protocol::appendShown(out, std::string(nameOf(value)));
  } else if constexpr (std::same_as<T, std::string>) {
    protocol::appendShown(out, value);
  } else if constexpr (std::integral<T>) {
    out += std::same_as<T, bool> ? (value ? "true" : "false") : std::to_string(value);
  } else if constexpr (std::same_as<T, double>) {
    out += nlohmann::json(value).dump();
  } else if constexpr (std::same_as<T, std::optional<double>>) {
    out += nlohmann::json(*value).dump(); // an empty one is its default, which is left out
  } else if constexpr (requires { typename T::value_type; }) {
    char separator = '[';
    for (const auto &element : value) {
      out += std::exchange(separator, ',');
      appendText<Schema>(out, element);
    }
    out += value.empty() ? "[]" : "]";
  } else {
    char separator = '{';
    Schema::members(value, [&]<typename M>(const char *key, const M &member, auto... condition) {
      if constexpr (sizeof...(condition) > 0)
        if (member == M())
          return;
      out.append(1, std::exchange(separator, ',')).append(1, '"').append(key).append("\":");
      appendText<Schema>(out, member);
    });
    out += separator == '{' ? "{}" : "}";
  }
}

} // namespace lsp
