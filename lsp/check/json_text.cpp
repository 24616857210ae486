// Strings in JSON have no raw line ends, so a line break is always one between values, and a line that begins with a
// member's indentation and name is that member.
#include "lsp/check/json_text.h"

#include "lsp/check/terminal.h"

#include <nlohmann/json.hpp>
#include <string>

namespace lsp {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// Without the handler nlohmann throws for bytes that are not UTF-8.
std::string textOf(const OrderedJson &json) {
  return displayJson(json.dump(1, ' ', false, OrderedJson::error_handler_t::replace));
}

std::string newLine(size_t level) {
  return "\n" + std::string(level, ' ');
}

/// With the line break before it.
std::string textOfElement(const OrderedJson &element, size_t level) {
  std::string text = newLine(level);
  for (const char c : textOf(element)) {
    if (c == '\n')
      text += newLine(level);
    else
      text += c;
  }
  return text;
}

} // namespace

void writeJson(const OrderedJson &whole, const JsonList &list, const std::function<void(const AddElement &add)> &addAll,
               const JsonWriter &write) {
  const std::string text = textOf(whole);
  const std::string head = newLine(list.level - 1) + "\"" + std::string(list.name) + "\": [";
  const size_t place = text.find(head) + head.size();
  write(text.substr(0, place));
  bool isFirst = true;
  addAll([&](const OrderedJson &element) {
    write((isFirst ? "" : ",") + textOfElement(element, list.level));
    isFirst = false;
  });
  write((isFirst ? "" : newLine(list.level - 1)) + text.substr(place) + "\n");
}

} // namespace lsp
