// The members are written out one by one: programs read them, and renaming a field of the wire must not change them.
#include "lsp/features/analysis_json.h"

#include "analysis/wire/enum_names.h"
#include "lsp/wording/caveat_text.h"
#include "lsp/wording/verdict_text.h"
#include "lsp/workspace/region_numbers.h"

namespace lsp::features {
namespace {

using protocol::Json;

/// `calibration` is missing without one.
Json toJson(const wire::TargetSummary &target) {
  Json json{{"triple", target.triple},           {"cpu", target.cpu},
            {"features", target.features},       {"cpuOrigin", target.cpuOrigin},
            {"modelOrigin", target.modelOrigin}, {"commandOrigin", target.commandOrigin}};
  const wire::CalibrationSummary &calibration = target.calibration;
  if (calibration.source != wire::CalibrationSummary::Source::None)
    json["calibration"] = {{"source", nameOf(calibration.source)},
                           {"cpu", calibration.cpu},
                           {"date", calibration.date},
                           {"file", calibration.file},
                           {"id", calibration.id}};
  return json;
}

Json toJson(const wire::CalibratedNumbers &calibrated) {
  Json json{{"llvmCyclesPerIteration", calibrated.llvmCycles},
            {"llvmIpc", calibrated.llvmIpc},
            {"fromLlvm", calibrated.fromLlvm},
            {"bounds", Json::array()}};
  for (const wire::ResourceUse &bound : calibrated.bounds)
    json["bounds"].push_back({{"resource", bound.name}, {"cyclesPerIteration", bound.perIteration}});
  return json;
}

/// Lines are 0 for what has no place in the buffer.
Json flowJson(const AnalysedRegion &analysed, const Text &text) {
  const wire::ControlFlow &flow = *analysed.flow;
  const auto lineOf = [&](wire::ByteRange at) { return at.begin < at.end ? text.lineOf(at.begin) + 1 : 0; };
  Json json{{"source", nameOf(flow.source)},
            {"file", flow.file},
            {"statement", flow.statement},
            {"predictor", flow.predictor},
            {"mispredictPenalty", flow.mispredictPenalty},
            {"iterations", flow.iterations},
            {"instructions", flow.instructions},
            {"cyclesPerIteration", flow.cycles},
            {"perfectCyclesPerIteration", flow.perfectCycles},
            {"missesPerThousand", flow.missesPerThousand},
            {"isBarelyTrained", flow.isBarelyTrained},
            {"calls", flow.calls},
            {"branches", Json::array()}};
  for (size_t i = 0; i < flow.branches.size(); ++i) {
    const wire::BranchCost &branch = flow.branches[i];
    json["branches"].push_back({{"line", lineOf(analysed.branches[i].branch)},
                                {"text", branch.text},
                                {"isIndirect", branch.isIndirect},
                                {"executions", branch.executions},
                                {"taken", branch.taken},
                                {"missed", branch.missed},
                                {"wait", branch.wait},
                                {"cost", branch.cost},
                                {"cyclesPerIteration", branch.cyclesPerIteration},
                                {"load", branch.load},
                                {"loadLine", lineOf(analysed.branches[i].load)}});
  }
  return json;
}

/// Members without a value are empty, not missing. Only `share`, `flow` and `calibrated` are missing if there is none.
Json toJson(const AnalysedRegion &analysed, const Text &text) {
  const wire::Region &region = analysed.region;
  const wire::Simulation &numbers = *analysed.simulation;
  Json json{{"name", fullName(region)},
            {"kind", nameOf(region.kind)},
            {"line", text.lineOf(region.anchor) + 1},
            {"loop", region.loop},
            {"sourceIterations", region.sourceIterations},
            {"instructions", numbers.instructions},
            {"cyclesPerIteration", numbers.cyclesPerIteration},
            {"ipc", numbers.ipc},
            {"iterations", numbers.iterations},
            {"cycles", numbers.cycles},
            {"microOps", numbers.microOps},
            {"dispatchWidth", numbers.dispatchWidth},
            {"averageIpc", numbers.averageIpc},
            {"averageMicroOpsPerCycle", numbers.averageMicroOpsPerCycle},
            {"blockReciprocalThroughput", numbers.blockReciprocalThroughput},
            {"pressure", Json::object()},
            {"bottleneck", wording::bottleneckOf(analysed)},
            {"caveats", Json::array()},
            {"calls", region.calls},
            {"isLowerBound", isLowerBound(region)},
            {"otherCpus", Json::array()}};
  if (region.share >= 0)
    json["share"] = region.share;
  if (isCalibrated(numbers))
    json["calibrated"] = toJson(numbers.calibrated);
  if (analysed.flow)
    json["flow"] = flowJson(analysed, text);
  for (const wire::ResourceUse &use : numbers.pressure)
    json["pressure"][use.name] = use.perIteration;
  for (const wire::Caveat &caveat : region.caveats)
    json["caveats"].push_back(wording::inWords(caveat));
  for (const wire::CpuSummary &cpu : numbers.otherCpus)
    json["otherCpus"].push_back({{"cpu", cpu.cpu},
                                 {"cycles", cyclesPerSourceIteration(cpu.cycles, region.sourceIterations)},
                                 {"ipc", cpu.ipc},
                                 {"isLowerBound", cpu.isLowerBound || isLowerBound(region)},
                                 {"remark", cpu.remark}});
  return json;
}

/// A related place without a path is in the document itself.
Json toJson(const wire::Finding &finding, const Text &text) {
  Json json{{"line", text.lineOf(finding.at.begin) + 1},
            {"severity", nameOf(finding.severity)},
            {"code", finding.code},
            {"message", finding.message},
            {"related", Json::array()}};
  for (const wire::RelatedPlace &place : finding.related)
    json["related"].push_back({{"path", place.path},
                               {"line", place.path.empty() ? text.lineOf(place.at.begin) + 1 : place.line},
                               {"message", place.message}});
  return json;
}

} // namespace

Json analysisJson(const Document &document) {
  const Analysis &known = document.analysis();
  const wire::Coverage &coverage = known.coverage;
  Json json{{"path", document.path()},
            {"target", toJson(known.target)},
            {"coverage",
             {{"loops", coverage.loops},
              {"hinted", coverage.hinted},
              {"elsewhere", coverage.elsewhere},
              {"vanished", Json::array()}}},
            {"regions", Json::array()},
            {"findings", Json::array()}};
  for (const wire::ByteRange &line : known.vanishedLoops)
    json["coverage"]["vanished"].push_back(document.text().lineOf(line.begin) + 1);
  for (const AnalysedRegion &region : known.regions)
    json["regions"].push_back(toJson(region, document.text()));
  for (const wire::Finding &finding : known.findings)
    json["findings"].push_back(toJson(finding, document.text()));
  return json;
}

} // namespace lsp::features
