// The reasons of waits cross the wire as data, and the editor's picture shows them as words.
#include "lsp/features/timeline_json.h"

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

} // namespace

Json timelineJson(const VirtualText &document, const std::string &uri) {
  const TimelinePicture &picture = document.picture;
  const wire::Timeline &timeline = picture.timeline;
  Json json{{"uri", uri},
            {"title", picture.title},
            {"cpu", picture.cpu},
            {"cyclesPerIteration", picture.cyclesPerIteration},
            {"instructions", Json::array()},
            {"instances", Json::array()},
            {"pressure", Json::array()}};
  for (const std::string &text : timeline.instructions)
    json["instructions"].push_back({{"text", text}});
  // In the links of a timeline, lines are positions of instructions. Those whose line was edited since have no link.
  for (const LineLink &link : document.links)
    if (link.line < timeline.instructions.size())
      json["instructions"][link.line]["line"] = link.bufferLine;
  for (const wire::TimelineRow &row : timeline.rows)
    json["instances"].push_back(toJson(row));
  for (const wire::ResourceUse &use : timeline.pressure)
    json["pressure"].push_back({{"unit", use.name}, {"cycles", use.perIteration}});
  // A timeline has a text only if it cannot be drawn, as the one of a region that is too long.
  if (!document.text.empty())
    json["problem"] = document.text;
  return json;
}

} // namespace lsp::features
