#include "lsp/features/timeline_json.h"

#include "lsp/wording/words.h"

namespace lsp::features {
namespace {

using protocol::Json;

Json toJson(const analysis::wire::TimelineRow &row) {
  Json waits = Json::array();
  for (const analysis::wire::TimelineWait &wait : row.waits)
    waits.push_back(
        {{"from", wait.from}, {"to", wait.to}, {"why", wording::phraseOf(wait.wait)}, {"by", wait.wait.by}});
  return {{"iteration", row.iteration}, {"instruction", row.instruction}, {"dispatched", row.dispatched},
          {"issued", row.issued},       {"executed", row.executed},       {"retired", row.retired},
          {"waits", std::move(waits)}};
}

} // namespace

Json timelineJson(const VirtualText &document, const std::string &uri) {
  const TimelinePicture &picture = document.picture;
  const analysis::wire::Timeline &timeline = picture.timeline;
  Json json{{"uri", uri},
            {"title", picture.title},
            {"cpu", picture.cpu},
            {"cyclesPerIteration", picture.cyclesPerIteration},
            {"instructions", Json::array()},
            {"instances", Json::array()},
            {"pressure", Json::array()}};
  for (const std::string &text : timeline.instructions)
    json["instructions"].push_back({{"text", text}});
  for (const LineLink &link : document.links)
    if (link.line < timeline.instructions.size())
      json["instructions"][link.line]["line"] = link.bufferLine;
  for (const analysis::wire::TimelineRow &row : timeline.rows)
    json["instances"].push_back(toJson(row));
  for (const analysis::wire::ResourceUse &use : timeline.pressure)
    json["pressure"].push_back({{"unit", use.name}, {"cycles", use.perIteration}});
  if (!document.text.empty())
    json["problem"] = document.text;
  return json;
}

} // namespace lsp::features
