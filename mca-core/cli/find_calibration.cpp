#include "mca-core/cli/find_calibration.h"

#include "mca-core/calibration/calibration_file.h"
#include "mca-core/calibration/cpu_identity.h"
#include "mca-core/target/input_file.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"

namespace mca {
namespace {

Result<Calibration> readFile(const std::string &path, const WantedCpu &wanted) {
  const auto buffer = readInputFile(path, kMaxCalibrationSize);
  if (!buffer)
    return Failure{buffer.message()};
  const llvm::StringRef text = (*buffer)->getBuffer();
  return readCalibration(std::string_view(text.data(), text.size()), path, wanted);
}

} // namespace

Result<Calibration> findCalibration(const std::string &choice, const std::string &cpu) {
  const CpuIdentity machine = thisCpu();
  AutomaticCalibration found;
  if (choice == "auto")
    found = findAutomatic(cpu, machine);
  else if (choice == "shipped")
    found.shipped = findShippedFor(cpu, machine);
  else if (choice == "documented")
    found.documented = findDocumented(cpu);
  else
    return readFile(choice, {.llvmName = cpu});
  if (!found.own.empty())
    return readFile(found.own, {.llvmName = cpu, .machine = machine});
  if (const ShippedCalibration *const text = found.shipped ? found.shipped : found.documented)
    return readCalibration(text->text, std::string(text->file), {.llvmName = cpu});
  if (choice == "documented")
    return Failure{"there is no documented profile of '" + cpu + "' (-list-calibrations lists them)"};
  const std::string own = choice == "auto" ? ownCalibrationPath(cpu, machine) : "";
  return Failure{"there is no calibration of '" + cpu + "': " + (own.empty() ? "" : "not at " + own + ", and ") +
                 "none is shipped (-list-calibrations lists them; mca-measure calibrate makes one of this machine)"};
}

void listCalibrations(llvm::raw_ostream &out) {
  const std::string own = userCalibrationPath(thisCpu());
  out << "Your own, of this machine: " << (own.empty() ? "none" : own)
      << (own.empty() || llvm::sys::fs::exists(own) ? "" : " (not made yet)") << "\nShipped:\n";
  if (shippedCalibrations().empty())
    out << "  none\n";
  for (const ShippedCalibration &shipped : shippedCalibrations()) {
    const Result<Calibration> read = readCalibration(shipped.text, std::string(shipped.file));
    if (!read)
      continue; // a test reads each of them
    out << "  -mcpu=" << (*read).cpu.llvmName << ": " << (*read).cpu.brand << ", " << (*read).date;
    for (const CalibrationCheck &check : (*read).checks)
      out << ", " << check.blocks << llvm::format(" %.1f %%", check.calibrated.mean * 100);
    out << '\n';
  }
  out << "Documented profiles:\n";
  for (const ShippedCalibration &profile : documentedProfiles())
    if (const Result<Calibration> read = readCalibration(profile.text, std::string(profile.file)))
      out << "  -mcpu=" << llvm::join((*read).profiled, ", ") << ": " << (*read).cpu.brand << '\n';
}

} // namespace mca
