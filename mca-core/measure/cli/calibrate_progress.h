// What `mca-measure calibrate` says while it measures, on the standard error output: a line that is rewritten for a
// person at a terminal, or JSON for an editor.
//
// JSON: one object per line, such as {"phase":"forms","done":80,"total":2388,"secondsLeft":52}. Phases are `structure`,
// whose length is not known, and `forms`; `secondsLeft` is missing as long as it is not known. The last object is
// {"file":PATH,"forms":N} or {"error":TEXT}.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace mca::measure {

enum class ProgressForm : uint8_t { Text, Json };

class CalibrateProgress {
public:
  explicit CalibrateProgress(ProgressForm form) : form_(form) {}

  /// How many repetitions were quiet and how many were not, since the beginning.
  void onPass(uint64_t quiet, uint64_t noisy);
  void onForms(size_t done, size_t total);

  double secondsSinceBegin() const;
  void end(const std::string &file, size_t forms, const std::string &text);
  void fail(const std::string &message);

private:
  using Clock = std::chrono::steady_clock;

  std::optional<double> secondsLeft() const;
  void print();
  void printText() const;
  void printJson() const;
  void endLine();

  const ProgressForm form_;
  const Clock::time_point begin_ = Clock::now();
  Clock::time_point formsBegin_ = begin_; ///< when the first `firstDone_` were done
  Clock::time_point printed_ = begin_;
  uint64_t quiet_ = 0, noisy_ = 0;
  size_t firstDone_ = 0, done_ = 0, total_ = 0;
  bool hasLine_ = false; ///< a line that is not ended yet
};

} // namespace mca::measure
