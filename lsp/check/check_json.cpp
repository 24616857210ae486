// The JSON of a run. One list of members for each struct serves both directions, so what is written can be read back.
// The order of a list is the order in the file.
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

template <typename T>
constexpr bool isVector = false;
template <typename T>
constexpr bool isVector<std::vector<T>> = true;

// ---- the members of each struct ------------------------------------------------------------------------------------

void members(Is<CheckPlace> auto &v, auto &visit) {
  visit("line", v.line);
  visit("column", v.column);
  visit("utf16Column", v.utf16Column);
  visit("endLine", v.endLine);
  visit("endColumn", v.endColumn);
  visit("utf16EndColumn", v.utf16EndColumn);
}

void members(Is<CheckRelated> auto &v, auto &visit) {
  visit.unlessDefault("file", v.path);
  members(v.at, visit);
  visit("message", v.message);
}

void members(Is<CheckFinding> auto &v, auto &visit) {
  visit("code", v.code);
  visit("severity", v.severity);
  members(v.at, visit);
  visit("message", v.message);
  visit("related", v.related);
}

void members(Is<CheckHint> auto &v, auto &visit) {
  visit("line", v.line);
  visit("label", v.label);
}

void members(Is<wire::ResourceUse> auto &v, auto &visit) {
  visit("resource", v.name);
  visit("cyclesPerIteration", v.perIteration);
}

void members(Is<wire::CpuSummary> auto &v, auto &visit) {
  visit("cpu", v.cpu);
  visit("cyclesPerIteration", v.cycles);
  visit("ipc", v.ipc);
  visit("remark", v.remark);
}

void members(Is<wording::BudgetResult> auto &v, auto &visit) {
  visit("what", v.what);
  visit("limit", v.limit);
  visit("value", v.value);
  visit("cpu", v.cpu);
  visit("met", v.met);
  visit("checked", v.checked);
}

void members(Is<CheckRegion> auto &v, auto &visit) {
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

void members(Is<wire::TargetSummary> auto &v, auto &visit) {
  visit("triple", v.triple);
  visit("cpu", v.cpu);
  visit("features", v.features);
  visit("cpuOrigin", v.cpuOrigin);
  visit("modelOrigin", v.modelOrigin);
  visit("commandOrigin", v.commandOrigin);
  visit.unlessDefault("command", v.command);
}

void members(Is<wire::Coverage> auto &v, auto &visit) {
  visit("loops", v.loops);
  visit("hinted", v.hinted);
  visit("elsewhere", v.elsewhere);
}

void members(Is<CheckFile> auto &v, auto &visit) {
  visit("file", v.name);
  visit.unlessDefault("through", v.through);
  visit("target", v.target);
  visit("coverage", v.coverage);
  visit("regions", v.regions);
  visit("hints", v.hints);
  visit("findings", v.findings);
  visit("notes", v.notes);
}

void members(Is<CheckShard> auto &v, auto &visit) {
  visit("index", v.index);
  visit("count", v.count);
}

void members(Is<CheckDocument> auto &v, auto &visit) {
  visit("version", v.version);
  visit.unlessDefault("shard", v.shard);
  visit("files", v.files);
}

// ---- writing -------------------------------------------------------------------------------------------------------

template <typename T>
OrderedJson toJson(const T &value);

struct Writer {
  OrderedJson out = OrderedJson::object();

  template <typename T>
  void operator()(const char *key, const T &value) {
    out[key] = toJson(value);
  }
  template <typename T>
  void unlessDefault(const char *key, const T &value) {
    if (value != T())
      out[key] = toJson(value);
  }
  /// A member that follows from others: it spares scripts the division.
  void derived(const char *key, double value) { out[key] = value; }
};

template <typename T>
OrderedJson toJson(const T &value) {
  if constexpr (std::is_enum_v<T>) {
    return nameOf(value);
  } else if constexpr (isVector<T>) {
    OrderedJson out = OrderedJson::array();
    for (const auto &element : value)
      out.push_back(toJson(element));
    return out;
  } else if constexpr (std::same_as<T, std::optional<double>>) {
    return toJson(*value); // which unlessDefault() leaves out if it is empty
  } else if constexpr (std::is_arithmetic_v<T> || std::same_as<T, std::string>) {
    return value;
  } else {
    Writer writer;
    members(value, writer);
    return std::move(writer.out);
  }
}

OrderedJson summaryOf(const CheckCounts &counts) {
  return {{"files", counts.files},       {"regions", counts.regions},         {"errors", counts.errors},
          {"warnings", counts.warnings}, {"information", counts.information}, {"loops", counts.loops},
          {"hinted", counts.hinted},     {"compared", counts.compared}};
}

// ---- reading -------------------------------------------------------------------------------------------------------

template <typename T>
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
  } else if constexpr (isVector<T>) {
    if (!in.is_array())
      return;
    for (const OrderedJson &element : in)
      fromJson(element, value.emplace_back());
  } else if (in.is_object()) {
    Reader reader{in};
    members(value, reader);
  }
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

} // namespace lsp
