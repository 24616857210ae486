// The checks of extensions.h. Their messages speak of arguments, as docs/commands.md does, and not of members of
// params.
#include "lsp/protocol/extensions.h"

#include "lsp/protocol/reading.h"

#include <algorithm>

namespace lsp::protocol {
namespace {

/// The member, or null.
const Json &argument(const Json &arguments, const char *name) {
  static const Json none;
  if (arguments.is_null())
    return none;
  if (!arguments.is_object())
    throw InvalidParams("the argument is not an object");
  const auto found = arguments.find(name);
  return found == arguments.end() ? none : *found;
}

uint32_t coordinate(const Json &position, const char *name) {
  const std::optional<uint32_t> number = naturalOf(argument(position, name));
  if (!number)
    throw InvalidParams(std::string("the argument position.") + name + " is not a natural number");
  return *number;
}

Position positionArgument(const Json &arguments) {
  const Json &position = argument(arguments, "position");
  if (!position.is_object())
    throw InvalidParams("the argument position is missing");
  return {coordinate(position, "line"), coordinate(position, "character")};
}

/// No value for a missing one, as for the next two.
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
  const auto isText = [](const Json &element) { return element.is_string(); };
  if (!list.is_array() || !std::all_of(list.begin(), list.end(), isText))
    throw InvalidParams(std::string("the argument ") + name + " is not an array of strings");
  return list.get<std::vector<std::string>>();
}

/// False for a missing one.
bool flagArgument(const Json &arguments, const char *name) {
  const Json &flag = argument(arguments, name);
  if (!flag.is_null() && !flag.is_boolean())
    throw InvalidParams(std::string("the argument ") + name + " is not true or false");
  return flag.is_boolean() && flag.get<bool>();
}

std::string requiredTextArgument(const Json &arguments, const char *name) {
  std::optional<std::string> text = textArgument(arguments, name);
  if (!text)
    throw InvalidParams(std::string("the argument ") + name + " is missing");
  return std::move(*text);
}

std::string choiceArgument(const Json &arguments, const char *name) {
  std::optional<std::string> choice = textArgument(arguments, name);
  if (!choice)
    throw InvalidParams(std::string("the argument ") + name + " is missing; an empty one takes the choice back");
  return std::move(*choice);
}

std::string pathArgument(const Json &arguments, const char *name) {
  std::string path = requiredTextArgument(arguments, name);
  if (!path.starts_with("/"))
    throw InvalidParams(std::string("the argument ") + name + " is no absolute path");
  return path;
}

} // namespace

void fromJson(Json &params, ExecuteCommandParams &out) {
  out.command = requiredTextArgument(params, "command");
  const Json &arguments = argument(params, "arguments");
  if (!arguments.is_null() && !arguments.is_array())
    throw InvalidParams("arguments is not an array");
  if (!arguments.empty())
    out.arguments = arguments.front();
}

void fromJson(Json &params, UriParams &out) {
  out.uri = requiredTextArgument(params, "uri");
}

void fromJson(Json &params, TimelineParams &out) {
  const Json &document = argument(params, "textDocument");
  out.uri = requiredTextArgument(document.is_null() ? params : document, "uri");
  if (!document.is_null())
    out.position = positionArgument(params);
}

void fromJson(Json &params, PlaceArguments &out) {
  out.uri = requiredTextArgument(params, "uri");
  out.position = positionArgument(params);
}

void fromJson(Json &params, CompareCpusArguments &out) {
  fromJson(params, static_cast<PlaceArguments &>(out));
  out.cpus = textsArgument(params, "cpus");
}

void fromJson(Json &params, SetCpuArguments &out) {
  out.uri = textArgument(params, "uri").value_or("");
  out.cpu = choiceArgument(params, "cpu");
}

void fromJson(Json &params, SetCommandArguments &out) {
  out.uri = requiredTextArgument(params, "uri");
  out.command = choiceArgument(params, "command");
}

void fromJson(Json &params, ListCpusArguments &out) {
  out.uri = textArgument(params, "uri");
}

void fromJson(Json &params, ImportTraceArguments &out) {
  out.file = pathArgument(params, "file");
  out.kind = requiredTextArgument(params, "kind");
  out.program = pathArgument(params, "program");
  out.assembly = pathArgument(params, "assembly");
  out.functions = textsArgument(params, "functions").value_or(std::vector<std::string>());
  if (textArgument(params, "output"))
    out.output = pathArgument(params, "output");
}

void fromJson(Json &params, ImportProfileArguments &out) {
  out.file = pathArgument(params, "file");
  out.kind = requiredTextArgument(params, "kind");
  out.programs = textsArgument(params, "programs").value_or(std::vector<std::string>());
  if (std::ranges::any_of(out.programs, [](const std::string &path) { return !path.starts_with('/'); }))
    throw InvalidParams("the argument programs has a path that is not absolute");
  out.output = pathArgument(params, "output");
}

void fromJson(Json &params, MeasureRegionArguments &out) {
  fromJson(params, static_cast<PlaceArguments &>(out));
  out.trusted = flagArgument(params, "trusted");
}

void fromJson(Json &params, AdviseArguments &out) {
  fromJson(params, static_cast<MeasureRegionArguments &>(out));
  out.measured = flagArgument(params, "measured");
}

void fromJson(Json &params, CalibrateArguments &out) {
  out.resume = flagArgument(params, "resume");
}

} // namespace lsp::protocol
