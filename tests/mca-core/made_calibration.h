// A calibration made in a test, and assembly simulated with it.
#pragma once

#include "mca-core/calibration/form.h"
#include "mca-core/report/simulator.h"
#include "tests/mca-core/parsed.h"

#include <map>
#include <numeric>
#include <utility>

namespace mca {

using Latencies = std::vector<CalibratedForm::Latency>;
using Values = std::map<std::string, double>;
using Kind = StoreForward::Kind;

/// A calibration with the resources alu (4 a cycle), load (2) and store (1).
struct Made : Calibration {
  Made() {
    resources = {{"alu", 4, {}}, {"load", 2, {}}, {"store", 1, {}}};
    facts.slotsPerCycle.value = 6;
    facts.loadLatency.value = 4;
  }
  Made &rule(const std::string &name, const Values &values = {}) {
    EXPECT_TRUE(switchOn(*this, name, values, {}));
    return *this;
  }
  Made &form(const std::string &opcode, const std::string &shape, std::vector<CalibratedForm::Use> uses,
             Latencies latencies, RenameTreatment treatment = RenameTreatment::None) {
    forms.push_back({opcode, shape, 1.0, std::move(uses), std::move(latencies), treatment, {}});
    return *this;
  }
};

inline SimulationOptions with(const Calibration &calibration, SimulationOptions options = {}) {
  options.calibration = std::make_shared<const Calibration>(calibration);
  options.rate = true;
  return options;
}

struct Simulated {
  Simulated(const std::string &text, const Calibration &calibration, const std::string &cpu = "znver3")
      : parsed(kX86, cpu, text) {
    std::vector<uint32_t> region(parsed.count());
    std::iota(region.begin(), region.end(), 0);
    Simulator simulator(*parsed.target);
    PreparedRegion prepared;
    const auto failure = simulator.prepare(*parsed.program, region, with(calibration, {.iterations = 100}), prepared);
    EXPECT_FALSE(failure);
    if (failure)
      return;
    body = *prepared.calibrated;
    limit = simulator.findDataflowLimit(prepared);
    dispatch = simulator.findDispatchLimit(prepared);
    links = simulator.findDataLinks(prepared);
    report = simulator.run(prepared)->report;
  }
  double rate() const { return report.summary.cyclesPerIteration(); }
  const StoreForward *forwardOf(size_t instruction) const {
    const auto &forward = report.calibrated->instructions[instruction].forward;
    return forward ? &*forward : nullptr;
  }

  Parsed parsed;
  CalibratedBody body;
  DataflowLimit limit;
  DispatchLimit dispatch;
  std::vector<DataLink> links;
  Report report;
};

} // namespace mca
