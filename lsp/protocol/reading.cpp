// Every check happens before the access: the library throws errors of its own, which would reach the client as an
// internal error (-32603) instead of invalid parameters (-32602).
#include "lsp/protocol/reading.h"

#include <algorithm>
#include <limits>

namespace lsp::protocol {
namespace {

std::string placeOf(const char *name, const std::string &path) {
  return path.empty() ? name : path + "." + name;
}

uint32_t numberMember(Json &object, const char *name, const std::string &path) {
  const std::optional<uint32_t> number = naturalOf(member(object, name, path));
  if (!number)
    throw InvalidParams(placeOf(name, path) + " is not a natural number");
  return *number;
}

} // namespace

Json &member(Json &object, const char *name, const std::string &path) {
  if (!object.is_object())
    throw InvalidParams((path.empty() ? "params" : path) + " is not an object");
  const auto found = object.find(name);
  if (found == object.end())
    throw InvalidParams(placeOf(name, path) + " is missing");
  return *found;
}

Json &arrayMember(Json &object, const char *name) {
  Json &value = member(object, name);
  if (!value.is_array())
    throw InvalidParams(std::string(name) + " is not an array");
  return value;
}

std::string stringMember(Json &object, const char *name, const std::string &path) {
  Json &value = member(object, name, path);
  if (!value.is_string())
    throw InvalidParams(placeOf(name, path) + " is not a string");
  return std::move(value.get_ref<std::string &>());
}

Position positionMember(Json &object, const char *name, const std::string &path) {
  Json &position = member(object, name, path);
  const std::string place = placeOf(name, path);
  return {numberMember(position, "line", place), numberMember(position, "character", place)};
}

Range rangeMember(Json &object, const char *name, const std::string &path) {
  Json &json = member(object, name, path);
  const std::string place = placeOf(name, path);
  const Range range{positionMember(json, "start", place), positionMember(json, "end", place)};
  if (range.end < range.start)
    throw InvalidParams(place + " ends before it starts");
  return range;
}

std::optional<int64_t> versionMember(Json &document) {
  const auto found = document.find("version");
  if (found == document.end() || found->is_null())
    return std::nullopt;
  if (!found->is_number_integer())
    throw InvalidParams("textDocument.version is not a number");
  return found->get<int64_t>();
}

std::string uriMember(Json &params) {
  return stringMember(member(params, "textDocument"), "uri", "textDocument");
}

const Json &at(const Json &json, const char *pointer) {
  static const Json null;
  const Json::json_pointer where(pointer);
  return json.contains(where) ? json.at(where) : null;
}

std::optional<std::string> textAt(const Json &json, const char *pointer) {
  const Json &text = at(json, pointer);
  return text.is_string() ? std::optional(text.get<std::string>()) : std::nullopt;
}

const Json &arrayAt(const Json &json, const char *pointer) {
  static const Json empty = Json::array();
  const Json &array = at(json, pointer);
  return array.is_array() ? array : empty;
}

std::optional<uint32_t> naturalOf(const Json &value) {
  if (!value.is_number_unsigned())
    return std::nullopt;
  return static_cast<uint32_t>(std::min<uint64_t>(value.get<uint64_t>(), std::numeric_limits<uint32_t>::max()));
}

} // namespace lsp::protocol
