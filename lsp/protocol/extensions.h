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

/// workspace/textDocumentContent, mca/documentContent and mca/links of a virtual document, and the commands that are
/// about a whole document.
struct UriParams {
  std::string uri;
};

/// mca/timeline: of the line of a position, or again what an earlier reply named.
struct TimelineParams {
  std::string uri; ///< of the document; with no position, the timeline's own
  std::optional<Position> position;
};

// The arguments of commands, each a member of the one object that a command takes. Those that may be missing are
// optional, or have the value of a missing one.

/// mca.showReport, mca.showAssembly, mca.nextPath
struct PlaceArguments {
  std::string uri;
  Position position;
};

/// mca.compareCpus
struct CompareCpusArguments : PlaceArguments {
  std::optional<std::vector<std::string>> cpus;
};

/// mca.setCpu
struct SetCpuArguments {
  std::string cpu; ///< empty: takes the choice back
  std::string uri; ///< empty: for all documents
};

/// mca.setCommand
struct SetCommandArguments {
  std::string uri;
  std::string command; ///< empty: takes the choice back
};

/// mca.listCpus
struct ListCpusArguments {
  std::optional<std::string> uri;
};

/// mca.importTrace. The paths are absolute, as the folder that the server runs in means nothing to a client.
struct ImportTraceArguments {
  std::string kind;
  std::string file;
  std::string program;
  std::string assembly;
  std::vector<std::string> functions;
  std::optional<std::string> output;
};

/// mca.importProfile. The paths are absolute.
struct ImportProfileArguments {
  std::string kind;
  std::string file;
  std::vector<std::string> programs; ///< empty: those that the recording names
  std::string output;
};

/// mca.measureRegion
struct MeasureRegionArguments : PlaceArguments {
  bool trusted = false;
};

/// mca.advise
struct AdviseArguments : MeasureRegionArguments {
  bool measured = false; ///< time what is found
};

/// mca.calibrate
struct CalibrateArguments {
  bool resume = false;
};

// An argument that is missing or has the wrong type throws InvalidParams. Null `params` have none.
void fromJson(Json &params, ExecuteCommandParams &out);
void fromJson(Json &params, UriParams &out);
void fromJson(Json &params, TimelineParams &out);
void fromJson(Json &params, PlaceArguments &out);
void fromJson(Json &params, CompareCpusArguments &out);
void fromJson(Json &params, SetCpuArguments &out);
void fromJson(Json &params, SetCommandArguments &out);
void fromJson(Json &params, ListCpusArguments &out);
void fromJson(Json &params, ImportTraceArguments &out);
void fromJson(Json &params, ImportProfileArguments &out);
void fromJson(Json &params, MeasureRegionArguments &out);
void fromJson(Json &params, AdviseArguments &out);
void fromJson(Json &params, CalibrateArguments &out);

/// For the capabilities.
inline constexpr const char *kCommandNames[] = {
    "mca.showReport", "mca.showAssembly",  "mca.compareCpus",   "mca.setCpu",        "mca.toggleHints",
    "mca.exportJson", "mca.listCpus",      "mca.restartWorker", "mca.showMemory",    "mca.setCommand",
    "mca.nextPath",   "mca.nextPredictor", "mca.importTrace",   "mca.measureRegion", "mca.calibrate",
    "mca.advise",     "mca.importProfile", "mca.showHotLoops"};

} // namespace lsp::protocol
