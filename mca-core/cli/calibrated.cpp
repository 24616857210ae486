// Reads the calibration, checks that it is of the CPU, and reports the regions in order.
#include "mca-core/cli/calibrated.h"

#include "mca-core/cli/find_calibration.h"
#include "mca-core/cli/regions.h"
#include "mca-core/views/calibrated.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

namespace mca {
namespace {

bool fail(const llvm::Twine &message) {
  llvm::WithColor::error() << message << '\n';
  return false;
}

/// The regions of one text.
class CalibratedReporter {
public:
  CalibratedReporter(const Target &target, const Program &program, const Options &options,
                     const Calibration &calibration)
      : program_(program), options_(options), calibration_(calibration), simulator_(target, calibration) {}

  bool run(llvm::raw_ostream &out) {
    for (const NamedRegion &region : regionsOf(program_))
      if (!region.instructions.empty() && !report(region, out))
        return false;
    if (reported_ == 0)
      return fail("no assembly instructions found.");
    if (options_.json)
      out << llvm::formatv("{0:2}", llvm::json::Value(llvm::json::Object{{"Calibration", toJson(calibration_)},
                                                                         {"CodeRegions", std::move(json_)}}))
          << '\n';
    return true;
  }

private:
  bool report(const NamedRegion &region, llvm::raw_ostream &out) {
    size_t skipped = 0;
    const auto onSkipped = [&](const SkippedInstruction &instruction) {
      ++skipped;
      (options_.skipUnscheduled ? llvm::WithColor::warning() : llvm::WithColor::error())
          << instruction.message
          << (options_.skipUnscheduled
                  ? ", skipping with -skip-unsupported-instructions, note accuracy will be impacted\n"
                  : ", use -skip-unsupported-instructions=lack-sched to ignore these on the input.\n");
      return options_.skipUnscheduled;
    };
    const auto prepared = simulator_.prepare(program_, region.instructions, options_.simulation, onSkipped);
    if (skipped && !options_.skipUnscheduled)
      return false;
    // As without a calibration, a region of which nothing is left is not reported.
    if (skipped == region.instructions.size())
      return true;
    if (!prepared)
      return fail(prepared.message());
    const CalibratedReport report = CalibratedSimulator::run(*prepared);
    if (options_.json) {
      json_.push_back(toJson(report, options_.views, region.name));
    } else {
      if (region.marked)
        out << "\n[" << reported_ << "] Code Region" << (region.name.empty() ? "" : " - ") << region.name << "\n\n";
      printCalibrated(out, report, calibration_, options_.views, options_.simulation.timelineMaxCycles);
    }
    ++reported_;
    return true;
  }

  const Program &program_;
  const Options &options_;
  const Calibration &calibration_;
  CalibratedSimulator simulator_;
  unsigned reported_ = 0;
  llvm::json::Array json_;
};

} // namespace

bool reportCalibrated(const Target &target, const Program &program, const Options &options, llvm::raw_ostream &out) {
  const Result<Calibration> calibration = findCalibration(options.calibration, target.cpu());
  if (!calibration)
    return fail(calibration.message());
  return CalibratedReporter(target, program, options, *calibration).run(out);
}

} // namespace mca
