// The resource pressure as text: a table of the cycles that instructions hold each unit (ResourcePressureView in LLVM).
#include "mca-core/views/text.h"

#include "llvm/Support/FormattedStream.h"

namespace mca {
namespace {

constexpr unsigned kColumnWidth = 7; ///< characters, as in llvm-mca

/// llvm-mca numbers the resources that have units of their own, not the model's resources: groups are not counted.
/// Returns "[3]" for each resource with one unit, and "[3.1]" for each of several units.
std::vector<std::string> unitIndices(const ResourcePressure &pressure) {
  std::vector<std::string> indices;
  unsigned resource = 0;
  for (size_t i = 0; i < pressure.units.size(); ++i) {
    const ResourceUnit &unit = pressure.units[i];
    resource += i > 0 && unit.resource != pressure.units[i - 1].resource;
    std::string text = "[" + std::to_string(resource);
    if (unit.unitsOfResource > 1)
      text += "." + std::to_string(unit.unit);
    indices.push_back(text + "]");
  }
  return indices;
}

/// Prints `cell(unit)` for each unit. Cells have fixed columns; a cell that is too wide shifts the following ones as
/// little as possible.
template <typename Cell>
void printCells(llvm::formatted_raw_ostream &out, size_t units, const Cell &cell) {
  for (size_t unit = 0; unit < units; ++unit) {
    out << cell(unit);
    out.PadToColumn(static_cast<unsigned>(unit + 1) * kColumnWidth);
  }
}

} // namespace

void printResourcePressure(llvm::raw_ostream &stream, const Report &report) {
  const ResourcePressure &pressure = report.pressure;
  const size_t units = pressure.units.size();
  const std::vector<std::string> indices = unitIndices(pressure);
  llvm::formatted_raw_ostream out(stream);
  const auto printHeader = [&] { printCells(out, units, [&](size_t unit) { return indices[unit]; }); };
  const auto printRow = [&](const double *row) {
    // Less than half a hundredth would be printed as 0.00.
    printCells(out, units, [&](size_t unit) { return row[unit] < 0.005 ? " - " : formatRounded(row[unit], 2); });
  };
  out << "\n\nResources:\n";
  for (size_t unit = 0; unit < units; ++unit) {
    out << indices[unit];
    out.PadToColumn(6) << "- " << pressure.units[unit].name << '\n';
  }
  out << "\n\nResource pressure per iteration:\n";
  printHeader();
  out << '\n';
  printRow(pressure.perIteration.data());
  out << "\n\nResource pressure by instruction:\n";
  printHeader();
  out << "Instructions:\n";
  for (size_t i = 0; i < report.instructions.size(); ++i) {
    printRow(pressure.byInstruction.data() + i * units);
    out << report.instructions[i].text << '\n';
  }
}

} // namespace mca
