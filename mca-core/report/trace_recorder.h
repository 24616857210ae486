// Records a run along a trace. It counts, and keeps no event: traces have millions of instructions.
#pragma once

#include "mca-core/engine/machine.h"
#include "mca-core/model/body.h"
#include "mca-core/report/trace_run.h"

#include <cstdint>

namespace mca {

class TraceRecorder {
public:
  static constexpr bool kDetails = false, kOnlyCounts = true;
  static constexpr bool wantsExecutions() { return false; }

  void reset(const Body &body) {
    run_ = {};
    body_ = &body;
    run_.byInstruction.resize(body.instructions.size());
  }
  void onDispatched(uint64_t, uint32_t instructionIndex, uint32_t, const Dispatched &dispatched) {
    run_.byInstruction[instructionIndex].executions += dispatched.first;
  }
  void onReady(uint64_t, uint32_t) {}
  void onTaken(const TakenUnit &) {}
  void onIssued(const IssuedInstruction &) {}
  void onExecuted(uint64_t, uint32_t) {}
  void onRetired(uint64_t, uint32_t, bool) {}
  void onInstance(uint64_t, uint32_t instructionIndex, const InstanceTimes &) {
    ++run_.byInstruction[instructionIndex].executions;
  }
  void onRedirect(const Redirect &redirect) {
    TracedInstruction &branch = run_.byInstruction[redirect.instructionIndex];
    ++branch.redirects;
    branch.conditionWait += static_cast<uint64_t>(redirect.executed - redirect.dispatched);
    branch.heldFetches += static_cast<uint64_t>(redirect.resumed - redirect.dispatched);
  }
  void onCyclesEnd(int64_t cycles) { run_.cycles += static_cast<uint64_t>(cycles); }
  TraceRun finish() {
    for (size_t i = 0; i < run_.byInstruction.size(); ++i) {
      const TracedInstruction &one = run_.byInstruction[i];
      run_.instructions += one.executions;
      run_.microOps += one.executions * body_->instructions[i].microOps;
      run_.redirects += one.redirects;
    }
    return std::move(run_);
  }

  // A trace is no loop, so nothing is watched and no period is searched.
  using Mark = uint64_t;
  void mark(Mark &mark) const { mark = run_.cycles; }
  void repeat(Mark, uint64_t) {}
  uint64_t watched() const { return 0; }
  bool canExtrapolate() const { return false; }
  void extrapolate(Mark, uint64_t) {}
  template <typename Sink>
  bool describe(uint64_t, Sink &) const {
    return true;
  }

private:
  const Body *body_ = nullptr;
  TraceRun run_;
};

} // namespace mca
