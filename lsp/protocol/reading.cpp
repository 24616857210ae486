// The checks of reading.h.
#include "lsp/protocol/reading.h"

#include <algorithm>
#include <limits>

namespace lsp::protocol {

Json &member(Json &object, const char *name, const std::string &path) {
  if (!object.is_object())
    throw InvalidParams((path.empty() ? "params" : path) + " is not an object");
  const auto found = object.find(name);
  if (found == object.end())
    throw InvalidParams((path.empty() ? "" : path + ".") + name + " is missing");
  return *found;
}

std::string stringMember(Json &object, const char *name, const std::string &path) {
  Json &value = member(object, name, path);
  if (!value.is_string())
    throw InvalidParams(path + "." + name + " is not a string");
  return std::move(value.get_ref<std::string &>());
}

uint32_t numberMember(Json &object, const char *name, const std::string &path) {
  const Json &value = member(object, name, path);
  if (!value.is_number_unsigned())
    throw InvalidParams(path + "." + name + " is not a natural number");
  const auto number = value.get<uint64_t>();
  return static_cast<uint32_t>(std::min<uint64_t>(number, std::numeric_limits<uint32_t>::max()));
}

std::optional<int64_t> versionMember(Json &document) {
  const auto found = document.find("version");
  if (found == document.end() || found->is_null())
    return std::nullopt;
  if (!found->is_number_integer())
    throw InvalidParams("textDocument.version is not a number");
  return found->get<int64_t>();
}

Position readPosition(Json &json, const std::string &path) {
  return {numberMember(json, "line", path), numberMember(json, "character", path)};
}

Range readRange(Json &json, const std::string &path) {
  const Range range{readPosition(member(json, "start", path), path + ".start"),
                    readPosition(member(json, "end", path), path + ".end")};
  if (range.end < range.start)
    throw InvalidParams(path + " ends before it starts");
  return range;
}

std::string readUri(Json &params) {
  return stringMember(member(params, "textDocument", ""), "uri", "textDocument");
}

const Json &at(const Json &json, const char *pointer) {
  static const Json null;
  const Json::json_pointer where(pointer);
  return json.contains(where) ? json.at(where) : null;
}

bool flag(const Json &json, const char *pointer) {
  return at(json, pointer) == Json(true);
}

} // namespace lsp::protocol
