// Both programs run with the same words, and what differs told in words.
#pragma once

#include <string>
#include <vector>

namespace differential {

/// What differs when llvm-mca itself is ended by a signal: nothing can be compared.
extern const std::string kNothingToCompare;

/// The difference between `ours` and llvm-mca in standard output, exit status and standard error, in which the
/// program's own name does not count. Empty when there is none. Where ours reports that the processor is stuck,
/// llvm-mca must run on.
std::string differenceTo(const std::string &ours, const std::vector<std::string> &arguments);

/// Runs many comparisons and keeps what differed, of the first few in full.
class Comparison {
public:
  explicit Comparison(std::string ours) : ours_(std::move(ours)) {}
  void run(const std::vector<std::string> &arguments);
  /// How often llvm-mca crashed.
  size_t crashes() const { return crashes_; }
  /// Empty when nothing differed.
  std::string report() const;

private:
  std::string ours_;
  size_t count_ = 0;
  size_t crashes_ = 0; // of llvm-mca
  size_t different_ = 0;
  std::string told_;
};

} // namespace differential
