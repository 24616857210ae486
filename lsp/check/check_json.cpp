// One list of members for each struct serves both directions, so that what is written can be read back.
#include "lsp/check/check_json.h"

#include "analysis/wire/enum_names.h"

#include <array>
#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

namespace lsp::protocol {
namespace {

namespace wire = analysis::wire;
/// Keeps the order of the lists below.
using OrderedJson = nlohmann::ordered_json;

constexpr const char *kSchema = "mca-lsp-check";

template <typename T, typename U>
concept Is = std::same_as<std::remove_const_t<T>, U>;

// ---- the members of each struct ------------------------------------------------------------------------------------

template <Is<CheckPlace> T, class Visitor>
void members(T &v, Visitor &visit) {
  visit("line", v.line);
  visit("column", v.column);
  visit("utf16Column", v.utf16Column);
  visit("endLine", v.endLine);
  visit("endColumn", v.endColumn);
  visit("utf16EndColumn", v.utf16EndColumn);
}

template <Is<CheckRelated> T, class Visitor>
void members(T &v, Visitor &visit) {
  visit.unlessDefault("file", v.path);
  members(v.at, visit);
  visit("message", v.message);
}

template <Is<CheckFinding> T, class Visitor>
void members(T &v, Visitor &visit) {
  visit("code", v.code);
  visit("severity", v.severity);
  members(v.at, visit);
  visit("message", v.message);
  visit("related", v.related);
}

template <Is<CheckHint> T, class Visitor>
void members(T &v, Visitor &visit) {
  visit("line", v.line);
  visit("label", v.label);
}

template <Is<wire::ResourceUse> T, class Visitor>
void members(T &v, Visitor &visit) {
  visit("resource", v.name);
  visit("cyclesPerIteration", v.perIteration);
}

template <Is<wire::CpuSummary> T, class Visitor>
void members(T &v, Visitor &visit) {
  visit("cpu", v.cpu);
  visit("cyclesPerIteration", v.cycles);
  visit("ipc", v.ipc);
  visit("remark", v.remark);
}

template <Is<wording::BudgetResult> T, class Visitor>
void members(T &v, Visitor &visit) {
  visit("what", v.what);
  visit("limit", v.limit);
  visit("value", v.value);
  visit("cpu", v.cpu);
  visit("met", v.met);
  visit("checked", v.checked);
}

template <Is<CheckRegion> T, class Visitor>
void members(T &v, Visitor &visit) {
  auto &numbers = v.numbers;
  visit("name", v.name);
  visit("instance", v.instance);
  visit("kind", v.kind);
  visit("line", v.line);
  visit("firstLine", v.firstLine);
  visit("lastLine", v.lastLine);
  visit("loop", v.loop);
  visit.derived("cyclesPerIteration", cyclesOf(v));
  visit.unlessDefault("baselineCyclesPerIteration", v.baseline);
  visit("machineCyclesPerIteration", numbers.cyclesPerIteration);
  visit("ipc", numbers.ipc);
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
  visit.unlessDefault("listing", v.listing);
  visit.unlessDefault("through", v.through);
  visit.unlessDefault("alike", v.alike);
  visit.unlessDefault("different", v.different);
}

template <Is<wire::TargetSummary> T, class Visitor>
void members(T &v, Visitor &visit) {
  visit("triple", v.triple);
  visit("cpu", v.cpu);
  visit("features", v.features);
  visit("cpuOrigin", v.cpuOrigin);
  visit("modelOrigin", v.modelOrigin);
  visit("commandOrigin", v.commandOrigin);
  visit.unlessDefault("command", v.command);
}

template <Is<wire::Coverage> T, class Visitor>
void members(T &v, Visitor &visit) {
  visit("loops", v.loops);
  visit("hinted", v.hinted);
  visit("elsewhere", v.elsewhere);
}

template <Is<CheckFile> T, class Visitor>
void members(T &v, Visitor &visit) {
  visit("file", v.name);
  visit.unlessDefault("through", v.through);
  visit("target", v.target);
  visit("coverage", v.coverage);
  visit("regions", v.regions);
  visit("hints", v.hints);
  visit("findings", v.findings);
  visit("notes", v.notes);
}

template <Is<CheckShard> T, class Visitor>
void members(T &v, Visitor &visit) {
  visit("index", v.index);
  visit("count", v.count);
}

template <Is<CheckDocument> T, class Visitor>
void members(T &v, Visitor &visit) {
  visit("version", v.version);
  visit.unlessDefault("shard", v.shard);
  visit("files", v.files);
}

const auto &namesOf(wire::Severity) {
  return wire::kSeverityNames;
}
const auto &namesOf(wire::RegionKind) {
  return wire::kRegionKindNames;
}
constexpr int firstOf(wire::Severity) {
  return static_cast<int>(wire::Severity::Error);
}
constexpr int firstOf(wire::RegionKind) {
  return 0;
}

template <typename T>
concept Enumeration = std::is_enum_v<T>;

struct Writer;
template <typename T>
concept Struct = std::is_class_v<T> && requires(const T &value, Writer &writer) { members(value, writer); };

// ---- writing -------------------------------------------------------------------------------------------------------

template <Enumeration T>
OrderedJson toJson(T value) {
  return namesOf(value)[static_cast<size_t>(static_cast<int>(value) - firstOf(value))];
}
template <typename T>
  requires(std::is_arithmetic_v<T> || std::same_as<T, std::string>)
OrderedJson toJson(const T &value) {
  return value;
}
OrderedJson toJson(const std::optional<double> &value) {
  return value ? OrderedJson(*value) : OrderedJson();
}
template <typename T>
OrderedJson toJson(const std::vector<T> &values);
template <Struct T>
OrderedJson toJson(const T &value);

struct Writer {
  OrderedJson out = OrderedJson::object();

  template <typename T>
  void operator()(const char *key, const T &value) {
    out[key] = toJson(value);
  }
  template <typename T>
  void unlessDefault(const char *key, const T &value) {
    if (!(value == T()))
      out[key] = toJson(value);
  }
  /// What follows from other members, for the reader's convenience.
  void derived(const char *key, double value) { out[key] = value; }
};

template <typename T>
OrderedJson toJson(const std::vector<T> &values) {
  OrderedJson out = OrderedJson::array();
  for (const T &value : values)
    out.push_back(toJson(value));
  return out;
}
template <Struct T>
OrderedJson toJson(const T &value) {
  Writer writer;
  members(value, writer);
  return std::move(writer.out);
}

OrderedJson summaryOf(const CheckCounts &counts) {
  return {{"files", counts.files},       {"regions", counts.regions},         {"errors", counts.errors},
          {"warnings", counts.warnings}, {"information", counts.information}, {"loops", counts.loops},
          {"hinted", counts.hinted},     {"compared", counts.compared}};
}

// ---- reading -------------------------------------------------------------------------------------------------------

template <Enumeration T>
void fromJson(const OrderedJson &in, T &value) {
  for (size_t i = 0; i < namesOf(value).size(); ++i)
    if (in.is_string() && in.get_ref<const std::string &>() == namesOf(value)[i])
      value = static_cast<T>(static_cast<int>(i) + firstOf(value));
}
void fromJson(const OrderedJson &in, bool &value) {
  if (in.is_boolean())
    value = in.get<bool>();
}
void fromJson(const OrderedJson &in, std::string &value) {
  if (in.is_string())
    value = in.get<std::string>();
}
void fromJson(const OrderedJson &in, double &value) {
  if (in.is_number())
    value = in.get<double>();
}
void fromJson(const OrderedJson &in, std::optional<double> &value) {
  if (in.is_number())
    value = in.get<double>();
}
template <std::unsigned_integral T>
void fromJson(const OrderedJson &in, T &value) {
  if (in.is_number_unsigned() && in.get<uint64_t>() <= std::numeric_limits<T>::max())
    value = in.get<T>();
}
template <typename T>
void fromJson(const OrderedJson &in, std::vector<T> &values);
template <Struct T>
void fromJson(const OrderedJson &in, T &value);

struct Reader {
  const OrderedJson &in;

  template <typename T>
  void operator()(const char *key, T &value) {
    if (const auto found = in.find(key); found != in.end())
      fromJson(*found, value);
  }
  template <typename T>
  void unlessDefault(const char *key, T &value) {
    (*this)(key, value);
  }
  void derived(const char *, double) {}
};

template <typename T>
void fromJson(const OrderedJson &in, std::vector<T> &values) {
  if (!in.is_array())
    return;
  for (const OrderedJson &element : in)
    fromJson(element, values.emplace_back());
}
template <Struct T>
void fromJson(const OrderedJson &in, T &value) {
  Reader reader{in};
  if (in.is_object())
    members(value, reader);
}

} // namespace

std::string checkJson(const CheckDocument &document) {
  OrderedJson json = {{"schema", kSchema}, {"schemaVersion", kCheckSchemaVersion}, {"tool", "mca-lsp"}};
  json.update(toJson(document));
  json["summary"] = summaryOf(countsOf(document.files));
  return json.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
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

} // namespace lsp::protocol
