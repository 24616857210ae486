// The calibrations that numbers come from: which one is meant by the settings, and what was read of it last. A file is
// read again when its FileStamp has changed.
//
// A file may be a stranger's: only regular ones are read, up to a limit, and all of their text is checked
// (mca-core/calibration/calibration_file.h).
#pragma once

#include "analysis/files/regular_file.h"
#include "analysis/wire/messages.h"
#include "mca-core/calibration/calibration_file.h"
#include "mca-core/calibration/cpu_identity.h"

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace analysis {

struct LoadedCalibration {
  mca::Calibration calibration;
  wire::CalibrationSummary summary;
  uint64_t digest = 0; ///< of its text
};

/// The calibration alone, which keeps the rest alive; null without one.
inline std::shared_ptr<const mca::Calibration> calibrationOf(const std::shared_ptr<const LoadedCalibration> &loaded) {
  return loaded ? std::shared_ptr<const mca::Calibration>(loaded, &loaded->calibration) : nullptr;
}

/// A calibration, or why it cannot be used.
struct CalibrationChoice {
  std::shared_ptr<const LoadedCalibration> calibration; ///< null: the numbers are LLVM's
  std::string problem; ///< "FILE:LINE:COLUMN: reason"; empty if there is none, or if no calibration is wanted
};

class Calibrations {
public:
  /// `machine`: the CPU whose user's file counts for "auto"; if not set, the one that this process runs on.
  explicit Calibrations(std::optional<mca::CpuIdentity> machine = std::nullopt) : machine_(std::move(machine)) {}

  /// The calibration, or the documented profile, for the CPU that LLVM calls `cpu`, as the settings say. With "auto",
  /// none is no problem.
  CalibrationChoice choose(const wire::Settings &settings, const std::string &cpu);

  /// The file that choose() reads; empty if there is none, or if it is not there.
  std::string fileOf(const wire::Settings &settings, const std::string &cpu);

  const mca::CpuIdentity &machine();

  /// Has each file read again.
  void forget() { kept_.clear(); }

private:
  using Source = wire::CalibrationSummary::Source;
  struct Kept {
    std::string path;
    mca::WantedCpu wanted;
    Source source = Source::None;
    FileStamp stamp; ///< of a file
    CalibrationChoice choice;
  };

  CalibrationChoice chooseAutomatically(const std::string &cpu, bool wantsProfile);
  CalibrationChoice read(const std::string &path, const mca::WantedCpu &wanted, Source source);
  const CalibrationChoice *find(const Kept &now);
  CalibrationChoice keep(Kept now, std::string_view text);

  std::optional<mca::CpuIdentity> machine_; ///< found out when it is first needed
  std::list<Kept> kept_;                    ///< the most recently used first
};

} // namespace analysis
