#include "lsp/protocol/extensions.h"

#include "lsp/protocol/conversions.h"

#include <limits>

namespace lsp::protocol {
namespace {

/// The member, or null when there is none. Throws when there can be none.
const Json &argument(const Json &arguments, const char *name) {
  static const Json none;
  if (arguments.is_null())
    return none;
  if (!arguments.is_object())
    throw InvalidParams("the argument is not an object");
  const auto found = arguments.find(name);
  return found == arguments.end() ? none : *found;
}

std::string requiredText(const Json &object, const char *name) {
  const std::optional<std::string> text = textArgument(object, name);
  if (!text)
    throw InvalidParams(std::string("the argument ") + name + " is missing");
  return *text;
}

uint32_t coordinate(const Json &position, const char *name) {
  const Json &number = argument(position, name);
  if (!number.is_number_unsigned())
    throw InvalidParams(std::string("the argument position.") + name + " is not a natural number");
  return static_cast<uint32_t>(std::min<uint64_t>(number.get<uint64_t>(), std::numeric_limits<uint32_t>::max()));
}

} // namespace

void fromJson(Json &params, ExecuteCommandParams &out) {
  out.command = requiredText(params, "command");
  const Json &arguments = argument(params, "arguments");
  if (!arguments.is_null() && !arguments.is_array())
    throw InvalidParams("arguments is not an array");
  if (arguments.is_array() && !arguments.empty())
    out.arguments = arguments.front();
}

void fromJson(Json &params, VirtualUriParams &out) {
  out.uri = requiredText(params, "uri");
}

void fromJson(Json &params, TimelineParams &out) {
  const Json &document = argument(params, "textDocument");
  if (document.is_null()) {
    out.uri = requiredText(params, "uri");
    return;
  }
  const PlaceArguments place =
      placeArguments({{"uri", requiredText(document, "uri")}, {"position", argument(params, "position")}});
  out = {place.uri, place.position};
}

Json toJson(const JsonResult &result) {
  return result.value;
}

const std::vector<std::string> &commandNames() {
  static const std::vector<std::string> names{
      "mca.showReport", "mca.showAssembly", "mca.compareCpus",   "mca.setCpu",     "mca.toggleHints",
      "mca.exportJson", "mca.listCpus",     "mca.restartWorker", "mca.showMemory", "mca.setCommand"};
  return names;
}

PlaceArguments placeArguments(const Json &arguments) {
  PlaceArguments place{.uri = requiredText(arguments, "uri"), .position = {}};
  const Json &position = argument(arguments, "position");
  if (!position.is_object())
    throw InvalidParams("the argument position is missing");
  place.position = {coordinate(position, "line"), coordinate(position, "character")};
  return place;
}

std::optional<std::string> textArgument(const Json &arguments, const char *name) {
  const Json &text = argument(arguments, name);
  if (text.is_null())
    return std::nullopt;
  if (!text.is_string())
    throw InvalidParams(std::string("the argument ") + name + " is not a string");
  return text.get<std::string>();
}

std::optional<std::vector<std::string>> textsArgument(const Json &arguments, const char *name) {
  const Json &list = argument(arguments, name);
  if (list.is_null())
    return std::nullopt;
  std::vector<std::string> texts;
  for (const Json &text : list.is_array() ? list : Json::array({nullptr})) {
    if (!text.is_string())
      throw InvalidParams(std::string("the argument ") + name + " is not an array of strings");
    texts.push_back(text.get<std::string>());
  }
  return texts;
}

} // namespace lsp::protocol
