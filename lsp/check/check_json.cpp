// The JSON of a run. One list of members for each struct serves both directions, so what is written can be read back.
// The order of a list is the order in the file.
//
// A merged run has to give the same bytes as one without shards. It does, because nlohmann writes a double with as many
// digits as are needed to read the same double back (the Grisu2 algorithm), and nothing is rounded before.
#include "lsp/check/check_json.h"

#include "analysis/wire/enum_names.h"

#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

namespace lsp {
namespace {

namespace wire = analysis::wire;
using OrderedJson = nlohmann::ordered_json;

constexpr const char *kSchema = "mca-lsp-check";

/// A struct to read, or a const one to write.
template <typename T, typename U>
concept Is = std::same_as<std::remove_const_t<T>, U>;

/// A member that is written only if it differs from its type's default.
constexpr struct UnlessDefault {
} unlessDefault;

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
}

void members(Is<wire::CalibratedNumbers> auto &v, const auto &visit) {
  visit("llvmCyclesPerIteration", v.llvmCycles); // of the machine code
  visit("llvmIpc", v.llvmIpc);
  visit("fromLlvm", v.fromLlvm);
  visit("bounds", v.bounds);
}

void members(Is<wire::CalibrationSummary> auto &v, const auto &visit) {
  visit("source", v.source);
  visit("cpu", v.cpu);
  visit("date", v.date);
  visit("file", v.file);
  visit("id", v.id);
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
  visit("pressure", numbers.pressure);
  visit("bottleneck", v.bottleneck);
  visit("caveats", v.caveats);
  visit("calls", v.calls);
  visit("otherCpus", numbers.otherCpus);
  visit("budgets", v.budgets);
  visit("flow", v.flow, unlessDefault);
  visit("listing", v.listing, unlessDefault);
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
}

void members(Is<wire::Coverage> auto &v, const auto &visit) {
  visit("loops", v.loops);
  visit("hinted", v.hinted);
  visit("elsewhere", v.elsewhere);
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

// ---- both directions -----------------------------------------------------------------------------------------------

/// An enumerator is written by the name that settings and messages have for it (analysis/wire/enum_names.h).
template <typename T>
OrderedJson toJson(const T &value) {
  if constexpr (std::is_enum_v<T>) {
    return nameOf(value);
  } else if constexpr (std::is_arithmetic_v<T> || std::same_as<T, std::string>) {
    return value;
  } else if constexpr (std::same_as<T, std::optional<double>>) {
    return *value; // an empty one is its default, which is left out
  } else if constexpr (requires { typename T::value_type; }) {
    OrderedJson out = OrderedJson::array();
    for (const auto &element : value)
      out.push_back(toJson(element));
    return out;
  } else {
    OrderedJson out = OrderedJson::object();
    members(value, [&]<typename M>(const char *key, const M &member, auto... condition) {
      if constexpr (sizeof...(condition) > 0)
        if (member == M())
          return;
      out[key] = toJson(member);
    });
    return out;
  }
}

// A member that is missing keeps its default, so a document of an older version with fewer members can be read.

/// The enumerator that wire::nameOf() gives this name; otherwise `value` is unchanged.
template <typename T>
void readName(const std::string &name, T &value) {
  constexpr uint8_t kBeyondAllEnumerators = 8; // nameOf() is empty for a number that is none
  for (uint8_t number = 0; number < kBeyondAllEnumerators && !name.empty(); ++number)
    if (name == nameOf(static_cast<T>(number)))
      value = static_cast<T>(number);
}

/// nlohmann's own conversions throw for a value of another type, and wrap a number that is out of range. Here both
/// leave `value` as it was: shards may come from anywhere.
template <typename T>
void fromJson(const OrderedJson &in, T &value) {
  if constexpr (std::is_enum_v<T>) {
    if (in.is_string())
      readName(in.get_ref<const std::string &>(), value);
  } else if constexpr (std::same_as<T, bool>) {
    if (in.is_boolean())
      value = in.get<bool>();
  } else if constexpr (std::unsigned_integral<T>) {
    if (in.is_number_unsigned() && in.get<uint64_t>() <= std::numeric_limits<T>::max())
      value = in.get<T>();
  } else if constexpr (std::same_as<T, double> || std::same_as<T, std::optional<double>>) {
    if (in.is_number())
      value = in.get<double>();
  } else if constexpr (std::same_as<T, std::string>) {
    if (in.is_string())
      value = in.get<std::string>();
  } else if constexpr (requires { typename T::value_type; }) {
    if (!in.is_array())
      return;
    for (const OrderedJson &element : in)
      fromJson(element, value.emplace_back());
  } else if (in.is_object()) {
    members(value, [&](const char *key, auto &&member, auto...) {
      if (const auto found = in.find(key); found != in.end())
        fromJson(*found, member);
    });
  }
}

} // namespace

void checkJson(const CheckDocument &document, const JsonWriter &write) {
  OrderedJson json = {{"schema", kSchema}, {"schemaVersion", kCheckSchemaVersion}, {"tool", "mca-lsp"}};
  json.update(toJson(CheckDocument{document.version, document.shard, {}, document.isUnit}));
  // Follows from the files, and is not read back.
  const CheckCounts counts = countsOf(document.files);
  json["summary"] = {{"files", counts.files},       {"regions", counts.regions},         {"errors", counts.errors},
                     {"warnings", counts.warnings}, {"information", counts.information}, {"loops", counts.loops},
                     {"hinted", counts.hinted},     {"compared", counts.compared}};
  const auto addFiles = [&](const AddElement &add) {
    for (const CheckFile &file : document.files)
      add(toJson(file));
  };
  writeJson(json, {"files", 2}, addFiles, write);
}

ReadCheckDocument readCheckJson(std::string_view text) {
  const OrderedJson json = OrderedJson::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || json.value("schema", OrderedJson()) != kSchema || !json.contains("files"))
    return {std::nullopt, "is no JSON of mca-lsp --check"};
  if (json.value("schemaVersion", OrderedJson()) != kCheckSchemaVersion)
    return {std::nullopt, "was written by another version of mca-lsp: its schema is not version " +
                              std::to_string(kCheckSchemaVersion)};
  ReadCheckDocument read;
  fromJson(json, read.document.emplace());
  return read;
}

} // namespace lsp
