// Recordings of any bytes through each reader. Places of errors must lie inside the text, and sinks may rely on what
// branch_records.h promises.
#include "analysis/import/branch_records.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace {

void require(bool condition) {
  if (!condition)
    std::abort();
}

class CheckingSink final : public analysis::BranchSink {
public:
  void map(const analysis::MappedSegment &segment) override { require(!segment.path.empty()); }
  void visit(uint64_t) override {}
  void taken(uint64_t, uint64_t, analysis::Predicted) override {}
  void notTaken(uint64_t, analysis::Predicted) override {}
  void gap() override {}
  void edge(uint64_t, uint64_t, uint64_t count, std::optional<uint64_t> mispredictions) override {
    require(mispredictions.value_or(0) <= count);
  }
  void run(uint64_t begin, uint64_t last, uint64_t) override { require(begin <= last); }
  void line(std::string_view, std::string_view, uint32_t, uint64_t) override {}
};

} // namespace

/// The first byte chooses the format.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static constexpr const char *kKinds[] = {"perf", "perf-trace", "callgrind", "bolt", "gcov", "qemu"};
  if (size == 0)
    return 0;
  const auto reader = analysis::createReader(kKinds[data[0] % std::size(kKinds)]);
  std::string_view rest(reinterpret_cast<const char *>(data) + 1, size - 1);
  CheckingSink sink;
  std::optional<analysis::ImportError> error;
  for (uint64_t number = 1; !rest.empty() && !error; ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    error = reader->read(line, sink);
    require(!error || (error->line <= number && error->column <= line.size() + 1));
  }
  if (!error)
    error = reader->finish(sink);
  require(!error || !error->message.empty());
  return 0;
}
