#include "analysis/import/gcov_reader.h"
#include "analysis/import/line_feed.h"
#include "analysis/import/record_text.h"
#include "analysis/profile/source_counts.h"

#include "llvm/Support/MathExtras.h"

#include <map>
#include <tuple>

namespace analysis {
namespace {

/// Passes on the conditions of lines, after all of them are read: how many runs they are of comes first.
class Conditions final : public NoBranches {
public:
  /// gcov does not say which of the ways leaves the loop. If the loop iterates a few times, it is the one that is taken
  /// less often.
  void condition(std::string_view file, std::string_view function, uint32_t line, uint64_t one,
                 uint64_t other) override {
    const uint64_t more = std::max(one, other), less = std::min(one, other);
    if (more / 2 < less || more == 0)
      return;
    Sum &sum = sums_[{std::string(function), std::string(file), line}];
    sum.iterations = llvm::SaturatingAdd(sum.iterations, more);
    sum.ends = llvm::SaturatingAdd(sum.ends, less);
  }
  void called(std::string_view function, uint64_t count) override {
    if (function == "main")
      runs_ = llvm::SaturatingAdd(runs_, count);
  }

  std::optional<ImportError> emit(ProfileSink &sink) const {
    if (sums_.size() > kMaxProfiledPlaces)
      return errorInFile("there are too many loops");
    if (runs_ == 0 || runs_ > UINT32_MAX)
      return errorInFile(kNoMain);
    sink.event("executions", ProfileUnit::Events);
    sink.counted(static_cast<uint32_t>(runs_));
    for (const auto &[place, sum] : sums_) {
      const auto &[function, file, line] = place;
      sink.sampled({.by = RecordedPlace::By::Line, .symbol = function, .source = file, .line = line},
                   {.executions = sum.iterations, .ends = sum.ends});
    }
    return {};
  }

private:
  struct Sum {
    uint64_t iterations = 0, ends = 0;
  };
  std::map<std::tuple<std::string, std::string, uint32_t>, Sum> sums_; ///< by function, file and line
  uint64_t runs_ = 0;
};

class GcovCounts final : public ProfileReader {
public:
  std::optional<ImportError> read(int descriptor, ProfileSink &sink,
                                  const std::function<bool(uint64_t bytes)> &onChunk) override {
    Conditions conditions;
    if (auto error = feedLines(descriptor, *createGcovReader(), conditions, onChunk))
      return error;
    return conditions.emit(sink);
  }
};

} // namespace

std::unique_ptr<ProfileReader> createGcovCountReader() {
  return std::make_unique<GcovCounts>();
}

} // namespace analysis
