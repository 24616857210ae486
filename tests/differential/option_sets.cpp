#include "tests/differential/option_sets.h"

#include <random>

namespace differential {

const std::vector<Options> &singleOptions() {
  static const std::vector<Options> sets = {
      {},
      {"-all-views"},
      {"-all-views=false"},
      {"-all-stats"},
      {"-all-stats=false"},
      {"-all-views", "-all-stats=false"},
      {"-all-stats", "-all-views=false"},
      {"-timeline", "-all-views=false"},
      {"-all-views=false", "-timeline"},
      {"-all-views", "-timeline=false", "-instruction-info=0"},
      {"-all-stats", "-retire-stats=false"},
      {"-json"},
      {"-json", "-all-views"},
      {"-json", "-bottleneck-analysis", "-iterations=4"},
      {"-json", "-timeline", "-timeline-max-cycles=12"},
      {"-json", "-instruction-tables"},
      {"-json", "-instruction-tables=full", "-show-encoding", "-show-barriers"},
      {"-summary-view=false"},
      {"-instruction-info=false"},
      {"-resource-pressure=false"},
      {"-show-encoding"},
      {"-show-barriers"},
      {"-show-encoding", "-show-barriers"},
      {"-timeline"},
      {"-timeline", "-timeline-max-cycles=0", "-iterations=3"},
      {"-timeline", "-timeline-max-cycles=1"},
      {"-timeline", "-timeline-max-cycles=17", "-timeline-max-iterations=3"},
      {"-timeline", "-timeline-max-iterations=25", "-timeline-max-cycles=300"},
      {"-bottleneck-analysis"},
      {"-bottleneck-analysis", "-iterations=1"},
      {"-bottleneck-analysis", "-iterations=23"},
      {"-dispatch-stats"},
      {"-scheduler-stats"},
      {"-retire-stats"},
      {"-register-file-stats"},
      {"-instruction-tables"},
      {"-instruction-tables=none"},
      {"-instruction-tables=normal", "-all-views"},
      {"-instruction-tables=full"},
      {"-instruction-tables=full", "-show-encoding", "-show-barriers", "-resource-pressure=0"},
      {"-skip-unsupported-instructions=none"},
      {"-skip-unsupported-instructions=lack-sched"},
      {"-skip-unsupported-instructions=parse-failure"},
      {"-skip-unsupported-instructions=any", "-all-views"},
      {"-call-latency=7"},
      {"-noalias=false", "-all-stats"},
      {"-noalias=false", "-timeline"},
      {"-dispatch=1", "-all-stats"},
      {"-dispatch=3", "-timeline", "-json"},
      {"-decoder-throughput=2"},
      {"-micro-op-queue-size=5", "-all-stats"},
      {"-micro-op-queue-size=4", "-decoder-throughput=1", "-timeline"},
      {"-lqueue=1", "-dispatch-stats"},
      {"-squeue=1", "-dispatch-stats"},
      {"-lqueue=4", "-squeue=3", "-scheduler-stats"},
      {"-register-file-size=4", "-all-stats"},
      {"-output-asm-variant=0"},
      {"-output-asm-variant=1"},
      {"-output-asm-variant=7"},
      {"-print-imm-hex"},
      {"-disable-cb", "-all-views"},
      {"-disable-im"},
      {"-iterations=0", "-timeline-max-iterations=0", "-timeline"},
      {"-iterations=1"},
  };
  return sets;
}

namespace {

/// One of each row may come into a random set; the rows are independent of each other.
const std::vector<std::vector<std::string>> kChoices = {
    {"-all-views", "-all-views=false", "-all-views=true"},
    {"-all-stats", "-all-stats=false"},
    {"-json"},
    {"-summary-view=false", "-summary-view"},
    {"-instruction-info=false", "-instruction-info"},
    {"-resource-pressure=false", "-resource-pressure"},
    {"-show-encoding"},
    {"-show-barriers"},
    {"-timeline", "-timeline=false"},
    {"-timeline-max-cycles=0", "-timeline-max-cycles=9", "-timeline-max-cycles=33", "-timeline-max-cycles=200"},
    {"-timeline-max-iterations=1", "-timeline-max-iterations=4", "-timeline-max-iterations=15"},
    {"-bottleneck-analysis", "-bottleneck-analysis=false"},
    {"-dispatch-stats", "-dispatch-stats=false"},
    {"-scheduler-stats", "-scheduler-stats=false"},
    {"-retire-stats", "-retire-stats=false"},
    {"-register-file-stats", "-register-file-stats=false"},
    {"-instruction-tables", "-instruction-tables=none", "-instruction-tables=full"},
    {"-skip-unsupported-instructions=none", "-skip-unsupported-instructions=lack-sched",
     "-skip-unsupported-instructions=parse-failure", "-skip-unsupported-instructions=any"},
    {"-call-latency=1", "-call-latency=30"},
    {"-noalias=false", "-noalias"},
    {"-dispatch=1", "-dispatch=2", "-dispatch=5", "-dispatch=12"},
    {"-decoder-throughput=1", "-decoder-throughput=4"},
    {"-micro-op-queue-size=3", "-micro-op-queue-size=16"},
    {"-lqueue=2", "-lqueue=20"},
    {"-squeue=1", "-squeue=9"},
    {"-register-file-size=6", "-register-file-size=40"},
    {"-output-asm-variant=0", "-output-asm-variant=1"},
    {"-print-imm-hex"},
    {"-disable-cb"},
    {"-disable-im"},
    {"-iterations=1", "-iterations=2", "-iterations=13", "-iterations=50"},
};

} // namespace

/// Only the generator itself is used: what it gives is the same everywhere, what distributions make of it is not.
Options randomOptions(uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<size_t> rows(kChoices.size());
  for (size_t i = 0; i < rows.size(); ++i)
    rows[i] = i;
  const size_t count = 2 + random() % 6;
  Options options;
  for (size_t i = 0; i < count; ++i) {
    std::swap(rows[i], rows[i + random() % (rows.size() - i)]);
    const std::vector<std::string> &values = kChoices[rows[i]];
    options.push_back(values[random() % values.size()]);
  }
  return options;
}

} // namespace differential
