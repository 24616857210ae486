#include "lsp/features/timeline_json.h"

namespace lsp::features {
namespace {

using protocol::Json;

Json toJson(const analysis::wire::TimelineInstance &instance) {
  Json waits = Json::array();
  for (const analysis::wire::TimelineWait &wait : instance.waits)
    waits.push_back({{"from", wait.from}, {"to", wait.to}, {"why", wait.why}, {"by", wait.by}});
  return {{"iteration", instance.iteration}, {"instruction", instance.instruction}, {"dispatched", instance.dispatched},
          {"issued", instance.issued},       {"executed", instance.executed},       {"retired", instance.retired},
          {"waits", std::move(waits)}};
}

} // namespace

Json timelineJson(const VirtualText &document, const std::string &uri) {
  const analysis::wire::Timeline &timeline = document.timeline;
  Json json{{"uri", uri},
            {"title", timeline.title},
            {"cpu", timeline.cpu},
            {"cyclesPerIteration", timeline.cyclesPerIteration},
            {"instructions", Json::array()},
            {"instances", Json::array()},
            {"pressure", Json::array()}};
  for (const std::string &text : timeline.instructions)
    json["instructions"].push_back({{"text", text}});
  for (const analysis::wire::LineLink &link : document.links)
    if (link.line < timeline.instructions.size())
      json["instructions"][link.line]["line"] = link.bufferLine;
  for (const analysis::wire::TimelineInstance &instance : timeline.instances)
    json["instances"].push_back(toJson(instance));
  for (const analysis::wire::ResourceUse &use : timeline.pressure)
    json["pressure"].push_back({{"unit", use.name}, {"cycles", use.perIteration}});
  if (!document.text.empty())
    json["problem"] = document.text;
  return json;
}

} // namespace lsp::features
