// Times probes on this CPU, and keeps a time only if the machine was quiet.
//
// The minimum of many runs is not enough on a shared host: a neighbour on the other hardware thread slows a core down
// for seconds at a time. So probes run in chunks between two canaries (long runs of nops and of independent loads), and
// a pass over a chunk counts only if all canaries are close to the best ever seen. A probe's time counts if two such
// passes agree.
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
  /// After each pass over a chunk: how many passes counted and how many did not, since the beginning.
  std::function<void(uint32_t accepted, uint32_t rejected)> onPass = [](uint32_t, uint32_t) {};
  /// Without one accepted pass for so long, the measuring ends.
  std::chrono::seconds patience{600};
};

class MachineTimer final : public ProbeTimer {
public:
  /// `runner` and `maker` have to outlive it.
  MachineTimer(CodeRunner &runner, const InstanceMaker &maker, MachineTimerOptions options);
  ~MachineTimer() override;

  std::vector<ProbeResult> time(std::span<const Probe> probes) override;
  bool isStopped() const override;
  /// Whether it ended because the machine was never quiet.
  bool gaveUp() const;

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace mca::measure
