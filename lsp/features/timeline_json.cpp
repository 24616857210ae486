// The reasons of waits cross the wire as data, and the editor's picture shows them as words.
#include "lsp/features/features.h"

#include "lsp/wording/words.h"

namespace lsp::features {
namespace {

using protocol::Json;

Json toJson(const wire::TimelineRow &row) {
  Json waits = Json::array();
  for (const wire::TimelineWait &wait : row.waits)
    waits.push_back(
        {{"from", wait.from}, {"to", wait.to}, {"why", wording::phraseOf(wait.wait)}, {"by", wait.wait.by}});
  return {{"iteration", row.iteration}, {"instruction", row.instruction}, {"dispatched", row.dispatched},
          {"issued", row.issued},       {"executed", row.executed},       {"retired", row.retired},
          {"waits", std::move(waits)}};
}

Json toJson(const wire::TraceRow &row) {
  Json json = toJson(row.row);
  if (row.isMispredicted)
    json["mispredicted"] = true;
  if (row.resumed)
    json["resumed"] = row.resumed;
  if (row.path)
    json["path"] = row.path - 1;
  return json;
}

/// `first`: the line of the first one in the links. Those whose line was edited since have no link.
Json instructionsJson(const std::vector<std::string> &instructions, const std::vector<LineLink> &links, size_t first) {
  Json json = Json::array();
  for (const std::string &text : instructions)
    json.push_back({{"text", text}});
  for (const LineLink &link : links)
    if (link.line >= first && link.line - first < instructions.size())
      json[link.line - first]["line"] = link.bufferLine;
  return json;
}

Json traceJson(const VirtualText &document) {
  const TimelinePicture &picture = document.picture;
  Json json{{"name", picture.traceName},
            {"cyclesPerIteration", picture.traceCycles},
            {"instructions",
             instructionsJson(picture.trace.instructions, document.links, picture.timeline.instructions.size())},
            {"instances", Json::array()},
            {"paths", picture.trace.paths}};
  for (const wire::TraceRow &row : picture.trace.rows)
    json["instances"].push_back(toJson(row));
  return json;
}

} // namespace

Json timelineJson(const VirtualText &document, const std::string &uri) {
  const TimelinePicture &picture = document.picture;
  const wire::Timeline &timeline = picture.timeline;
  Json json{{"uri", uri},
            {"title", picture.title},
            {"cpu", picture.cpu},
            {"cyclesPerIteration", picture.cyclesPerIteration},
            {"instructions", instructionsJson(timeline.instructions, document.links, 0)},
            {"instances", Json::array()},
            {"pressure", Json::array()}};
  for (const wire::TimelineRow &row : timeline.rows)
    json["instances"].push_back(toJson(row));
  for (const wire::ResourceUse &use : timeline.pressure)
    json["pressure"].push_back({{"unit", use.name}, {"cycles", use.perIteration}});
  if (!picture.trace.rows.empty())
    json["trace"] = traceJson(document);
  // A timeline has a text only if it cannot be drawn, as the one of a region that is too long.
  if (!document.text.empty())
    json["problem"] = document.text;
  return json;
}

} // namespace lsp::features
