// Writes calibrations: the statements in a fixed order, the numbers as short as they can be without a change.
#include "mca-core/calibration/calibration_file.h"
#include "mca-core/calibration/calibration_lines.h"
#include "mca-core/calibration/form.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace mca {
namespace {

using calibration::textOf;

class Writer {
public:
  std::string write(const Calibration &calibration);

private:
  void write(const CpuIdentity &cpu);
  void writeProfile(const Calibration &calibration);
  void write(const DocumentedSource &source);
  void write(const CalibrationCheck &check);
  void write(const FactRow &row, const Calibration &calibration);
  void write(const RuleRow &row, const Calibration &calibration);
  void write(const CalibratedForm &form, const std::vector<CalibratedResource> &resources);

  void begin(std::string_view keyword) { text_ += keyword; }
  void name(std::string_view name) { text_.append(" ").append(name); }
  void item(std::string_view name, std::string_view value) { text_.append(" ").append(name).append("=").append(value); }
  void item(std::string_view name, uint32_t value) { item(name, std::to_string(value)); }
  void item(std::string_view name, double value) { item(name, textOf(value)); }
  void text(std::string_view name, const std::string &value);
  void from(const Provenance &from);
  void end() { text_ += '\n'; }

  std::string text_;
  bool isProfile_ = false;
};

/// Leaves out an empty one.
void Writer::text(std::string_view name, const std::string &value) {
  if (!value.empty())
    item(name, llvm::all_of(value, calibration::isNameCharacter) ? value : '"' + value + '"');
}

void Writer::from(const Provenance &from) {
  if (from == Provenance{})
    return;
  item("from", from.probe + (isProfile_ ? "" : ":" + textOf(from.spread) + ":" + std::to_string(from.passes)));
}

void Writer::write(const CpuIdentity &cpu) {
  begin("cpu");
  item("vendor", cpu.vendor);
  item("family", cpu.family);
  item("model", cpu.model);
  item("stepping", cpu.stepping);
  text("microcode", cpu.microcode);
  text("brand", cpu.brand);
  item("llvm", cpu.llvmName);
  end();
}

void Writer::writeProfile(const Calibration &calibration) {
  begin("profile");
  text("brand", calibration.cpu.brand);
  item("llvm", llvm::join(calibration.profiled, ","));
  end();
}

void Writer::write(const DocumentedSource &source) {
  begin("source");
  name(source.name);
  text("text", source.text);
  end();
}

void Writer::write(const CalibrationCheck &check) {
  begin("check");
  name(check.blocks);
  item("count", check.count);
  item("mean", check.calibrated.mean);
  item("median", check.calibrated.median);
  item("tau", check.calibrated.tau);
  item("llvm-mean", check.llvm.mean);
  item("llvm-median", check.llvm.median);
  item("llvm-tau", check.llvm.tau);
  end();
}

/// Leaves out a fact that is missing, or has its initial value without having been measured.
void Writer::write(const FactRow &row, const Calibration &calibration) {
  const std::optional<double> number = row.value.get(calibration, row.value.name);
  if (!number || (number == row.value.get(Calibration(), row.value.name) && row.from(calibration) == Provenance{}))
    return;
  begin("fact");
  name(row.value.name);
  name(textOf(*number));
  from(row.from(calibration));
  end();
}

/// All values of a rule that is on, so that the file says what the machine does.
void Writer::write(const RuleRow &row, const Calibration &calibration) {
  if (!row.rule(calibration).isOn)
    return;
  begin("rule");
  name(row.name);
  const auto add = [&](const ValueRow &value, std::string_view key) {
    if (const std::optional<double> number = value.get(calibration, key))
      item(key, *number);
  };
  for (const ValueRow &value : row.values)
    if (value.perResource)
      for (const CalibratedResource &resource : calibration.resources)
        add(value, resource.name);
    else
      add(value, value.name);
  from(row.rule(calibration).from);
  end();
}

std::string operandText(uint16_t number) {
  return number >= kFirstImplicit ? "i" + std::to_string(number - kFirstImplicit) : std::to_string(number);
}

void Writer::write(const CalibratedForm &form, const std::vector<CalibratedResource> &resources) {
  begin("form");
  name(form.opcode);
  if (!form.shape.empty())
    name(form.shape);
  if (form.slots)
    item("slots", *form.slots);
  std::string list;
  for (const CalibratedForm::Use &use : form.uses)
    list += (list.empty() ? "" : ",") + resources[use.resource].name + ":" + textOf(use.amount);
  if (!list.empty())
    item("uses", list);
  list.clear();
  for (const CalibratedForm::Latency &latency : form.latencies)
    list += (list.empty() ? "" : ",") + operandText(latency.source) + ">" + operandText(latency.destination) + ":" +
            textOf(latency.cycles);
  if (!list.empty())
    item("latencies", list);
  if (form.treatment != RenameTreatment::None)
    item("rename", calibration::kTreatmentNames[static_cast<size_t>(form.treatment)]);
  from(form.from);
  end();
}

std::string Writer::write(const Calibration &calibration) {
  text_ = "mca-calibration " + std::to_string(kCalibrationVersion) + "\n";
  isProfile_ = calibration.isProfile();
  if (isProfile_)
    writeProfile(calibration);
  else
    write(calibration.cpu);
  begin("made");
  item("date", calibration.date);
  text("by", calibration.madeBy);
  end();
  for (const DocumentedSource &source : calibration.sources)
    write(source);
  for (const CalibrationCheck &check : calibration.checks)
    write(check);
  for (const FactRow &row : factTable())
    write(row, calibration);
  for (const CalibratedResource &resource : calibration.resources) {
    begin("resource");
    name(resource.name);
    name(textOf(resource.capacity));
    from(resource.from);
    end();
  }
  for (const RuleRow &row : ruleTable())
    write(row, calibration);
  for (const CalibratedForm &form : calibration.forms)
    write(form, calibration.resources);
  begin("end");
  end();
  return std::move(text_);
}

} // namespace

std::string writeCalibration(const Calibration &calibration) {
  return Writer().write(calibration);
}

} // namespace mca
