// The resource pressure as text: a table of the cycles that instructions hold each unit.
#include "mca-core/views/text.h"

#include "llvm/Support/FormattedStream.h"
#include "llvm/Support/raw_ostream.h"

namespace mca {
namespace {

constexpr unsigned kColumnWidth = 7;

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

/// Cells have fixed columns; a cell that is too wide shifts the following ones as little as possible.
void printHeader(llvm::formatted_raw_ostream &out, const std::vector<std::string> &indices) {
  for (size_t unit = 0; unit < indices.size(); ++unit) {
    out << indices[unit];
    out.PadToColumn(static_cast<unsigned>(unit + 1) * kColumnWidth);
  }
}

void printRow(llvm::formatted_raw_ostream &out, const double *row, size_t units) {
  for (size_t unit = 0; unit < units; ++unit) {
    out << (row[unit] < 0.005 ? " - " : formatRounded(row[unit], 2));
    out.PadToColumn(static_cast<unsigned>(unit + 1) * kColumnWidth);
  }
}

} // namespace

void printResourcePressure(llvm::raw_ostream &stream, const Report &report) {
  const ResourcePressure &pressure = report.pressure;
  const std::vector<std::string> indices = unitIndices(pressure);
  llvm::formatted_raw_ostream out(stream);
  out << "\n\nResources:\n";
  for (size_t unit = 0; unit < pressure.units.size(); ++unit) {
    out << indices[unit];
    out.PadToColumn(6) << "- " << pressure.units[unit].name << '\n';
  }
  out << "\n\nResource pressure per iteration:\n";
  printHeader(out, indices);
  out << '\n';
  printRow(out, pressure.perIteration.data(), pressure.units.size());
  out << "\n\nResource pressure by instruction:\n";
  printHeader(out, indices);
  out << "Instructions:\n";
  for (size_t i = 0; i < report.instructions.size(); ++i) {
    printRow(out, &pressure.byInstruction[i * pressure.units.size()], pressure.units.size());
    out << report.instructions[i].text << '\n';
  }
}

} // namespace mca
