// The JSON of a run. One list of members for each struct serves both directions (json_structs.h), so what
// is written can be read back. The order of a list is the order in the file.
//
// A merged run has to give the same bytes as one without shards. It does, because nlohmann writes a double with as many
// digits as are needed to read the same double back (the Grisu2 algorithm), and nothing is rounded before.
#include "lsp/check/check_json.h"

#include "lsp/check/check_file.h"
#include "lsp/check/check_files.h"
#include "lsp/check/json_structs.h"

namespace lsp {
namespace {

namespace wire = analysis::wire;
constexpr const char *kSchema = "mca-lsp-check";

// ---- the members of each struct ------------------------------------------------------------------------------------

void members(Is<CheckPlace> auto &v, const auto &visit) {
  visit("line", v.line);
  visit("column", v.column);
  visit("utf16Column", v.utf16Column);
  visit("endLine", v.endLine);
  visit("endColumn", v.endColumn);
  visit("utf16EndColumn", v.utf16EndColumn);
}

/// A place's members stand beside those of its owner, so that a script finds `line` in a finding.
void members(Is<CheckRelated> auto &v, const auto &visit) {
  visit("file", v.path, unlessDefault);
  members(v.at, visit);
  visit("message", v.message);
}

void members(Is<CheckFinding> auto &v, const auto &visit) {
  visit("code", v.code);
  visit("severity", v.severity);
  members(v.at, visit);
  visit("message", v.message);
  visit("related", v.related);
}

void members(Is<CheckHint> auto &v, const auto &visit) {
  visit("line", v.line);
  visit("label", v.label);
}

void members(Is<wire::ResourceUse> auto &v, const auto &visit) {
  visit("resource", v.name);
  visit("cyclesPerIteration", v.perIteration);
}

void members(Is<wire::CpuSummary> auto &v, const auto &visit) {
  visit("cpu", v.cpu);
  visit("cyclesPerIteration", v.cycles);
  visit("ipc", v.ipc);
  visit("remark", v.remark);
  visit("lowerBound", v.isLowerBound, unlessDefault);
}

void members(Is<wire::CalibratedNumbers> auto &v, const auto &visit) {
  visit("llvmCyclesPerIteration", v.llvmCycles); // of the machine code
  visit("llvmIpc", v.llvmIpc);
  visit("fromLlvm", v.fromLlvm);
  visit("bounds", v.bounds);
  visit("unalignedCyclesPerIteration", v.unalignedCycles, unlessDefault);
}

void members(Is<wire::CalibrationSummary> auto &v, const auto &visit) {
  visit("source", v.source);
  visit("cpu", v.cpu);
  visit("date", v.date);
  visit("file", v.file);
  visit("id", v.id);
}

void members(Is<wire::ProfileSummary> auto &v, const auto &visit) {
  visit("file", v.file);
  visit("event", v.event);
  visit("isTime", v.isTime);
  visit("samples", v.samples);
  visit("hasCode", v.hasCode);
  visit("share", v.inText);
}

void members(Is<CheckProfile> auto &v, const auto &visit) {
  visit("share", v.share);
  visit("cyclesPerIteration", v.cyclesPerIteration);
  visit("byLines", v.isByLines, unlessDefault);
  visit("outsideOfCore", v.isOutsideOfCore, unlessDefault);
  visit("change", v.change, unlessDefault);
}

void members(Is<wording::BudgetResult> auto &v, const auto &visit) {
  visit("what", v.what);
  visit("limit", v.limit);
  visit("value", v.value);
  visit("cpu", v.cpu);
  visit("met", v.met);
  visit("checked", v.checked);
}

void members(Is<CheckBranch> auto &v, const auto &visit) {
  auto &cost = v.cost;
  visit("line", v.line);
  visit("text", cost.text);
  visit("isIndirect", cost.isIndirect);
  visit("executions", cost.executions);
  visit("taken", cost.taken);
  visit("missed", cost.missed);
  visit("wait", cost.wait);
  visit("cost", cost.cost);
  visit("cyclesPerIteration", cost.cyclesPerIteration);
  visit("load", cost.load);
  visit("loadLine", v.loadLine);
}

void members(Is<CheckFlow> auto &v, const auto &visit) {
  auto &numbers = v.numbers;
  visit("source", numbers.source);
  visit("file", numbers.file);
  visit("statement", numbers.statement);
  visit("predictor", numbers.predictor);
  visit("mispredictPenalty", numbers.mispredictPenalty);
  visit("iterations", numbers.iterations);
  visit("instructions", numbers.instructions);
  visit("cyclesPerIteration", numbers.cycles);
  visit("perfectCyclesPerIteration", numbers.perfectCycles);
  visit("missesPerThousand", numbers.missesPerThousand);
  visit("isBarelyTrained", numbers.isBarelyTrained);
  visit("calls", numbers.calls);
  visit("branches", v.branches);
}

void members(Is<CheckEdit> auto &v, const auto &visit) {
  visit("range", v.range);
  visit("newText", v.newText);
}

void members(Is<CheckChange> auto &v, const auto &visit) {
  visit("kind", v.kind);
  visit("edits", v.edits, unlessDefault);
  visit("add", v.add, unlessDefault);
  visit("remove", v.remove, unlessDefault);
}

void members(Is<CheckAdvice> auto &v, const auto &visit) {
  visit("id", v.id);
  visit("label", v.label);
  visit("words", v.words);
  visit("limit", v.limit, unlessDefault);
  visit("cyclesPerIteration", v.cycles);
  visit("factor", v.factor);
  visit("fromIterations", v.from, unlessDefault);
  visit("lowerBound", v.isLowerBound, unlessDefault);
  visit("ifRandom", v.ifRandom, unlessDefault);
  visit("ifPredicted", v.ifPredicted, unlessDefault);
  visit("unalignedFactor", v.unaligned, unlessDefault);
  visit("stillBlocked", v.stillBlocked, unlessDefault);
  visit("checked", v.checked);
  visit("measured", v.measured, unlessDefault);
  visit("edit", v.edit);
}

void members(Is<CheckRemarkPlace> auto &v, const auto &visit) {
  visit("file", v.path, unlessDefault);
  visit("line", v.line);
  visit("column", v.column);
  visit("what", v.what, unlessDefault);
}

void members(Is<CheckReason> auto &v, const auto &visit) {
  visit("pass", v.pass);
  visit("name", v.name);
  visit("words", v.words);
  visit("at", v.at, unlessDefault);
  visit("related", v.related, unlessDefault);
}

void members(Is<CheckFate> auto &v, const auto &visit) {
  visit("line", v.line);
  visit("words", v.words);
}

void members(Is<CheckRegion> auto &v, const auto &visit) {
  auto &numbers = v.numbers;
  visit("name", v.name);
  visit("instance", v.instance);
  visit("kind", v.kind);
  visit("line", v.line);
  visit("firstLine", v.firstLine);
  visit("lastLine", v.lastLine);
  visit("loop", v.loop);
  visit("cyclesPerIteration", cyclesOf(v)); // spares scripts the division; reading it changes a temporary
  visit("baselineCyclesPerIteration", v.baseline, unlessDefault);
  visit("machineCyclesPerIteration", numbers.cyclesPerIteration);
  visit("ipc", numbers.ipc);
  visit("calibrated", numbers.calibrated, unlessDefault);
  visit("iterations", numbers.iterations);
  visit("instructions", numbers.instructions);
  visit("cycles", numbers.cycles);
  visit("microOps", numbers.microOps);
  visit("dispatchWidth", numbers.dispatchWidth);
  visit("averageIpc", numbers.averageIpc);
  visit("averageMicroOpsPerCycle", numbers.averageMicroOpsPerCycle);
  visit("blockReciprocalThroughput", numbers.blockReciprocalThroughput);
  visit("sourceIterations", v.sourceIterations);
  visit("share", v.share);
  visit("iterationsPerCall", v.iterationsPerCall);
  visit("profile", v.profile, unlessDefault);
  visit("pressure", numbers.pressure);
  visit("code", v.code, unlessDefault);
  visit("bottleneck", v.bottleneck);
  visit("caveats", v.caveats);
  visit("corrections", v.corrections, unlessDefault);
  visit("uncorrectedCyclesPerIteration", numbers.uncorrectedCycles, unlessDefault);
  visit("calls", v.calls);
  visit("leftOut", v.leftOut, unlessDefault);
  visit("lowerBound", isLowerBound(v)); // as cyclesPerIteration
  visit("otherCpus", numbers.otherCpus);
  visit("budgets", v.budgets);
  visit("whyNot", v.whyNot, unlessDefault);
  visit("flow", v.flow, unlessDefault);
  visit("listing", v.listing, unlessDefault);
  visit("advised", v.isAdvised, unlessDefault);
  visit("advice", v.advice, unlessDefault);
  visit("tried", v.tried, unlessDefault);
  visit("through", v.through, unlessDefault);
  visit("alike", v.alike, unlessDefault);
  visit("different", v.different, unlessDefault);
}

void members(Is<wire::TargetSummary> auto &v, const auto &visit) {
  visit("triple", v.triple);
  visit("cpu", v.cpu);
  visit("features", v.features);
  visit("cpuOrigin", v.cpuOrigin);
  visit("modelOrigin", v.modelOrigin);
  visit("commandOrigin", v.commandOrigin);
  visit("command", v.command, unlessDefault);
  visit("calibration", v.calibration, unlessDefault);
  visit("profile", v.profile, unlessDefault);
}

void members(Is<CheckCoverage> auto &v, const auto &visit) {
  visit("loops", v.loops);
  visit("hinted", v.hinted);
  visit("elsewhere", v.elsewhere);
  visit("vanished", v.vanished, unlessDefault);
  visit("fates", v.fates, unlessDefault);
}

void members(Is<CheckFile> auto &v, const auto &visit) {
  visit("file", v.name);
  visit("through", v.through, unlessDefault);
  visit("target", v.target);
  visit("coverage", v.coverage);
  visit("regions", v.regions);
  visit("hints", v.hints);
  visit("findings", v.findings);
  visit("notes", v.notes);
}

void members(Is<CheckShard> auto &v, const auto &visit) {
  visit("index", v.index);
  visit("count", v.count);
}

void members(Is<CheckDocument> auto &v, const auto &visit) {
  visit("version", v.version);
  visit("shard", v.shard, unlessDefault);
  visit("unit", v.isUnit, unlessDefault);
  visit("files", v.files);
}

/// What the text is, beside the members of the document.
struct Head {
  std::string schema;
  uint32_t schemaVersion = 0;
};

void members(Is<Head> auto &v, const auto &visit) {
  visit("schema", v.schema);
  visit("schemaVersion", v.schemaVersion);
}

struct WholeText {
  Head head;
  CheckDocument document;
};

void members(Is<WholeText> auto &v, const auto &visit) {
  members(v.head, visit);
  members(v.document, visit);
}

struct Schema {
  static void members(auto &v, const auto &visit) { lsp::members(v, visit); }
};

bool isHexadecimal(const std::string &text) {
  constexpr size_t kDigits = 16; // of a 64-bit number
  return text.size() <= kDigits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// What no type rules out; empty if all is well.
std::string problemOf(const CheckDocument &document) {
  const CheckShard &shard = document.shard;
  if (shard.count < 1 || shard.count > kMaxShards || shard.index < 1 || shard.index > shard.count)
    return "shard is no index from 1 to its count, which is at most " + std::to_string(kMaxShards);
  for (const CheckFile &file : document.files)
    for (const CheckRegion &region : file.regions)
      if (!isHexadecimal(region.code))
        return "the code of a region of " + file.name + " is no hexadecimal number";
  return "";
}

/// All but the files.
nlohmann::ordered_json headOf(const CheckDocument &document) {
  nlohmann::ordered_json json = {{"schema", kSchema}, {"schemaVersion", kCheckSchemaVersion}, {"tool", "mca-lsp"}};
  json.update(toJson<Schema>(CheckDocument{document.version, document.shard, {}, document.isUnit}));
  // Follows from the files, and is not read back.
  const CheckCounts counts = countsOf(document.files);
  json["summary"] = {{"files", counts.files},       {"regions", counts.regions},         {"errors", counts.errors},
                     {"warnings", counts.warnings}, {"information", counts.information}, {"loops", counts.loops},
                     {"hinted", counts.hinted},     {"compared", counts.compared}};
  return json;
}

} // namespace

void checkJson(const CheckDocument &document, const JsonWriter &write) {
  const auto addFiles = [&](const AddElement &add) {
    for (const CheckFile &file : document.files)
      add(toJson<Schema>(file));
  };
  writeJson(headOf(document), {"files", 2}, addFiles, write);
}

std::string analysisText(const Document &document) {
  CheckDocument whole{.version = MCA_VERSION};
  whole.files.push_back(checkFile(document.path(), document.text(), document.analysis(), {}, "/"));
  nlohmann::ordered_json head = headOf(whole);
  head.erase("files");
  constexpr size_t kUsualBytes = 2000; // of a region with its hint
  std::string text;
  text.reserve(whole.files.front().regions.size() * kUsualBytes);
  text += head.dump();
  text.back() = ',';
  text += "\"files\":";
  appendText<Schema>(text, whole.files);
  text += '}';
  return text;
}

ReadCheckDocument readCheckJson(std::string_view text) {
  WholeText whole;
  std::string error = readJson<Schema>(text, whole, UnknownMembers::Skipped); // those of a newer version
  // What a text of another kind or version lacks is no error of its own. Its members may be in any order.
  if (!error.empty())
    readJson<Schema>(text, whole.head = {}, UnknownMembers::Skipped);
  if (whole.head.schema != kSchema)
    return {std::nullopt, "is no JSON of mca-lsp --check"};
  if (whole.head.schemaVersion < kOldestCheckSchema || whole.head.schemaVersion > kCheckSchemaVersion)
    return {std::nullopt, "was written by another version of mca-lsp: its schemaVersion is " +
                              std::to_string(whole.head.schemaVersion) + ", and this program reads " +
                              std::to_string(kOldestCheckSchema) + " to " + std::to_string(kCheckSchemaVersion)};
  if (error.empty())
    error = problemOf(whole.document);
  if (!error.empty())
    return {std::nullopt, std::move(error)};
  return {std::move(whole.document), ""};
}

} // namespace lsp
