#include "analysis/profile/callgrind_costs.h"

#include "analysis/import/callgrind_reader.h"
#include "analysis/import/line_feed.h"

namespace analysis {
namespace {

/// Passes on what instructions executed; the order of branches is nothing to a profile.
class Costs final : public NoBranches {
public:
  explicit Costs(ProfileSink &sink) : sink_(sink) {}
  void executed(uint64_t address, uint64_t count) override {
    sink_.sampled({.by = RecordedPlace::By::Address, .address = address},
                  {.weight = count, .samples = 0, .executions = count});
  }
  void executedElsewhere(uint64_t count) override {
    if (count)
      sink_.sampled({.by = RecordedPlace::By::Unknown}, {.weight = count});
  }

private:
  ProfileSink &sink_;
};

class CallgrindCosts final : public ProfileReader {
public:
  std::optional<ImportError> read(int descriptor, ProfileSink &sink,
                                  const std::function<bool(uint64_t bytes)> &onChunk) override {
    sink.event("Ir", ProfileUnit::Instructions);
    Costs costs(sink);
    return feedLines(descriptor, *createCallgrindReader(), costs, onChunk);
  }
};

} // namespace

std::unique_ptr<ProfileReader> createCallgrindCostReader() {
  return std::make_unique<CallgrindCosts>();
}

} // namespace analysis
