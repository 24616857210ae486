// A body that tests simulate in several ways, to compare what is reported.
#pragma once

#include "mca-core/report/simulator.h"
#include "tests/mca-core/parsed.h"

#include <numeric>
#include <ostream>

namespace mca {

struct BodyCase {
  const char *name;
  const char *triple;
  const char *cpu;
  const char *text;
};
inline std::ostream &operator<<(std::ostream &out, const BodyCase &test) {
  return out << test.name;
}

class BodyTest : public testing::TestWithParam<BodyCase> {
protected:
  BodyTest() { std::iota(region_.begin(), region_.end(), 0); }
  Report report(const SimulationOptions &options) {
    auto simulation = simulator_.simulate(*parsed_.program, region_, options);
    EXPECT_TRUE(simulation);
    return simulation->report;
  }

private:
  Parsed parsed_{GetParam().triple, GetParam().cpu, GetParam().text};
  std::vector<uint32_t> region_ = std::vector<uint32_t>(parsed_.count());
  Simulator simulator_{*parsed_.target};
};

} // namespace mca
