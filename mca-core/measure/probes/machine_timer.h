// Times probes on this CPU, through the gate of clock.h: a probe's time counts if two passes agree in which the machine
// was quiet.
#pragma once

#include "mca-core/measure/code_run.h"
#include "mca-core/measure/probes/instances.h"
#include "mca-core/measure/probes/probe.h"

#include <chrono>
#include <functional>
#include <memory>

namespace mca::measure {

struct MachineTimerOptions {
  /// Asked between chunks: whether to end.
  std::function<bool()> isStopRequested;
  /// After each pass over a chunk: how many repetitions were quiet and how many were not, since the beginning.
  std::function<void(uint64_t accepted, uint64_t rejected)> onPass = [](uint64_t, uint64_t) {};
  /// Without a quiet moment for so long, the measuring ends.
  std::chrono::seconds timeout{600};
};

class MachineTimer final : public ProbeTimer {
public:
  /// `runner` and `maker` have to outlive it. Fails if the machine's clock cannot be read.
  static Result<std::unique_ptr<MachineTimer>> create(CodeRunner &runner, const InstanceMaker &maker,
                                                      MachineTimerOptions options);
  ~MachineTimer() override;

  std::vector<ProbeResult> time(std::span<const Probe> probes) override;
  bool isStopped() const override;
  /// Whether it ended because the machine was never quiet.
  bool gaveUp() const;

private:
  struct Parts;
  explicit MachineTimer(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

} // namespace mca::measure
