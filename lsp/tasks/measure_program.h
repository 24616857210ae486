// What mca-lsp and the program mca-measure say to each other: arguments and text there, JSON back.
//
// A measurement gets assembly: each path of a loop is a marked region of one text, named by its position, so that the
// reply's regions are found again. The worker has made each one code that can run alone (wire::Region::runnable).
// A calibration prints lines, of which each that is about it is a JSON object (docs/calibration-file.md).
#pragma once

#include "lsp/wording/loops_of_line.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lsp {

// ---- mca-measure run -----------------------------------------------------------------------------------------------

/// argv. `program` is the path of mca-measure.
std::vector<std::string> measureArguments(const std::string &program, const analysis::wire::TargetSummary &target);

/// The standard input: the code of each path (wire::Region::runnable).
std::string measuredText(const std::vector<std::string> &paths);

/// Of one path.
struct PathMeasured {
  Measurement measurement; ///< without predictedFor and when
  std::string refused;     ///< why it was not measured; empty if it was
};

/// One for each of `paths`, or what is wrong with the reply.
std::variant<std::vector<PathMeasured>, std::string> readMeasurements(const std::string &reply, size_t paths);

// ---- mca-measure calibrate
// -------------------------------------------------------------------------------------------

/// argv. `program` is the path of mca-measure. With `resume` it keeps what an earlier run has measured.
std::vector<std::string> calibrateArguments(const std::string &program, bool resume);

/// What the lines of a run have said so far.
struct CalibrationReport {
  bool measuresForms = false;   ///< instructions' forms; before that, the structure of the CPU
  uint32_t done = 0, total = 0; ///< steps of the phase; `total` is 0 if it is not known
  double secondsLeft = -1;      ///< negative: not known
  std::string file;             ///< at the end: the path of the calibration; empty if there is none
  uint32_t forms = 0;           ///< that it has
  std::string error;            ///< why it ended early; a line that is no JSON counts as a reason, too
  bool operator==(const CalibrationReport &) const = default;

  /// Takes what one line of standard error says.
  void read(std::string_view line);
  /// "800 of 2386 forms, about 2 min left".
  std::string inWords() const;
  /// Of the forms, 0 to 100.
  unsigned percentage() const;
};

} // namespace lsp
