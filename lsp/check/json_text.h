// A large result as JSON, in pieces: nlohmann's objects take six times the memory of their text, which has gigabytes
// for a hundred thousand files.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace lsp {

/// A member whose value is a list, empty in the object at hand, and the level of its elements: 2 for a member of the
/// whole.
struct JsonList {
  std::string_view name;
  size_t level;
};

using JsonWriter = std::function<void(std::string_view text)>;
using AddElement = std::function<void(const nlohmann::ordered_json &element)>;

/// Writes the text of `whole`, indented by one blank a level and ended by a line break. `addAll` adds the list's
/// elements one by one, each of which is written at once. A file's name may be any bytes: those that are not UTF-8
/// become U+FFFD.
void writeJson(const nlohmann::ordered_json &whole, const JsonList &list,
               const std::function<void(const AddElement &add)> &addAll, const JsonWriter &write);

} // namespace lsp
