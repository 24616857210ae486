#include "lsp/features/analysis_json.h"

#include "analysis/wire/enum_names.h"
#include "analysis/wording/verdict_text.h"

namespace lsp::features {
namespace {

using protocol::Json;

Json toJson(const analysis::wire::TargetSummary &target) {
  return {{"triple", target.triple},           {"cpu", target.cpu},
          {"features", target.features},       {"cpuOrigin", target.cpuOrigin},
          {"modelOrigin", target.modelOrigin}, {"commandOrigin", target.commandOrigin}};
}

Json toJson(const analysis::wire::RegionSummary &region) {
  Json json{{"name", region.name},
            {"kind", nameOf(region.kind)},
            {"line", region.line},
            {"loop", region.loop},
            {"sourceIterations", region.sourceIterations},
            {"instructions", region.instructions},
            {"cyclesPerIteration", region.cyclesPerIteration},
            {"ipc", region.ipc},
            {"iterations", region.iterations},
            {"cycles", region.cycles},
            {"microOps", region.microOps},
            {"dispatchWidth", region.dispatchWidth},
            {"averageIpc", region.averageIpc},
            {"averageMicroOpsPerCycle", region.averageMicroOpsPerCycle},
            {"blockReciprocalThroughput", region.blockReciprocalThroughput},
            {"pressure", Json::object()},
            {"bottleneck", analysis::bottleneckOf(region)},
            {"caveats", region.caveats},
            {"calls", region.calls},
            {"otherCpus", Json::array()}};
  if (region.share >= 0)
    json["share"] = region.share;
  for (const analysis::wire::ResourceUse &use : region.pressure)
    json["pressure"][use.name] = use.perIteration;
  for (const analysis::wire::CpuSummary &cpu : region.otherCpus)
    json["otherCpus"].push_back({{"cpu", cpu.cpu}, {"cycles", cpu.cycles}, {"ipc", cpu.ipc}, {"remark", cpu.remark}});
  return json;
}

Json toJson(const analysis::wire::Finding &finding, const Text &text) {
  Json json{{"line", text.lineOf(finding.at.begin) + 1},
            {"severity", nameOf(finding.severity)},
            {"code", finding.code},
            {"message", finding.message},
            {"related", Json::array()}};
  for (const analysis::wire::RelatedPlace &place : finding.related)
    json["related"].push_back({{"path", place.path},
                               {"line", place.path.empty() ? text.lineOf(place.at.begin) + 1 : place.line},
                               {"message", place.message}});
  return json;
}

} // namespace

Json analysisJson(const Document &document) {
  const lsp::Analysis &known = document.analysis();
  Json json{
      {"path", document.path()},
      {"target", toJson(known.target)},
      {"regions", Json::array()},
      {"findings", Json::array()},
      {"coverage",
       {{"loops", known.coverage.loops}, {"hinted", known.coverage.hinted}, {"elsewhere", known.coverage.elsewhere}}}};
  for (const analysis::wire::RegionSummary &region : known.regions)
    json["regions"].push_back(toJson(region));
  for (const analysis::wire::Finding &finding : known.findings)
    json["findings"].push_back(toJson(finding, document.text()));
  return json;
}

} // namespace lsp::features
