// What the server speaks beyond the core of the protocol: commands, virtual documents (workspace/textDocumentContent of
// the protocol's version 3.18, and mca/documentContent for clients without it), timelines and the notification
// mca/status.
#pragma once

#include "lsp/protocol/types.h"

#include <optional>
#include <string>
#include <vector>

namespace lsp::protocol {

/// workspace/executeCommand. `arguments` is the first of them, or null; the commands take an object or nothing.
struct ExecuteCommandParams {
  std::string command;
  Json arguments;
};

/// workspace/textDocumentContent, mca/documentContent and mca/links.
struct VirtualUriParams {
  std::string uri;
};

/// mca/timeline: of the line of a position, or again what an earlier reply named.
struct TimelineParams {
  std::string uri; ///< of the document; with no position, the timeline's own
  std::optional<Position> position;
};

/// A result whose shape is the method's own.
struct JsonResult {
  Json value;
};

void fromJson(Json &params, ExecuteCommandParams &out);
void fromJson(Json &params, VirtualUriParams &out);
void fromJson(Json &params, TimelineParams &out);
Json toJson(const JsonResult &result);

/// The names of the commands, for the capabilities.
const std::vector<std::string> &commandNames();

// ---- arguments of commands; what is wrong with them is thrown as InvalidParams
// ---------------------------------------

struct PlaceArguments {
  std::string uri;
  Position position;
};

PlaceArguments placeArguments(const Json &arguments);
/// No value when it is left out.
std::optional<std::string> textArgument(const Json &arguments, const char *name);
/// No value when it is left out.
std::optional<std::vector<std::string>> textsArgument(const Json &arguments, const char *name);

} // namespace lsp::protocol
