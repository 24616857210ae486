// What mca-lsp and `mca-measure calibrate` say to each other: arguments there, lines back, of which each that is about
// the calibration is a JSON object (docs/calibration-file.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lsp {

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
