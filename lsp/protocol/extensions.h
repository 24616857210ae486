// What the server speaks beyond the core of the protocol: commands, virtual documents (workspace/textDocumentContent of
// the protocol's version 3.18, and mca/documentContent for clients without it), timelines and the notification
// mca/status. docs/commands.md describes them for clients.
#pragma once

#include "lsp/protocol/types_features.h"

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

void fromJson(Json &params, ExecuteCommandParams &out);
void fromJson(Json &params, VirtualUriParams &out);
void fromJson(Json &params, TimelineParams &out);

/// For the capabilities.
inline constexpr const char *kCommandNames[] = {
    "mca.showReport", "mca.showAssembly",  "mca.compareCpus",   "mca.setCpu",        "mca.toggleHints",
    "mca.exportJson", "mca.listCpus",      "mca.restartWorker", "mca.showMemory",    "mca.setCommand",
    "mca.nextPath",   "mca.nextPredictor", "mca.importTrace",   "mca.measureRegion", "mca.calibrate"};

// The arguments of commands. An argument of the wrong type throws InvalidParams, and so does a missing one that the
// function requires. Null `arguments` have none.

/// The required `uri` and `position`.
PositionParams placeArguments(const Json &arguments);
std::string requiredTextArgument(const Json &arguments, const char *name);
std::optional<std::string> textArgument(const Json &arguments, const char *name);
std::optional<std::vector<std::string>> textsArgument(const Json &arguments, const char *name);
/// False for a missing one.
bool flagArgument(const Json &arguments, const char *name);

} // namespace lsp::protocol
