// Observers listen to LLVM's pipeline and fill one part of the report each, in the plainest way that gives llvm-mca's
// numbers.
#pragma once

#include "mca-core/report/simulator.h"

#include "llvm/MCA/HWEventListener.h"
#include "llvm/MCA/Support.h"

#include <array>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace mca::reference {

struct DependencyEdge;

/// What an observer knows of the run.
struct Setting {
  const llvm::MCSchedModel &model;
  uint32_t instructions = 0; ///< of the region
  SimulationOptions options;
  llvm::MCInstPrinter &printer;
  /// Where the bottleneck analysis shall leave all that it chooses the critical sequence from; may be null.
  std::vector<DependencyEdge> *dependencies = nullptr;
};

/// The events come in the order of the machine's time; onCycleEnd() ends each cycle.
class Observer : public llvm::mca::HWEventListener {
public:
  using HWEventListener::onEvent;
  virtual void finish(Report &report) = 0;
};

/// Those that the options ask for.
std::vector<std::unique_ptr<Observer>> makeObservers(const Setting &setting);

/// LLVM's masks of the processor resources. A resource is known by its mask's highest bit.
class ResourceMasks {
public:
  explicit ResourceMasks(const llvm::MCSchedModel &model);
  uint64_t of(unsigned resource) const { return masks_[resource]; }
  unsigned resourceOf(uint64_t mask) const;

private:
  std::vector<uint64_t> masks_; // by resource; 0 is LLVM's invalid one
};

class SummaryObserver final : public Observer {
public:
  explicit SummaryObserver(const Setting &setting);
  void onEvent(const llvm::mca::HWInstructionEvent &event) override;
  void onCycleEnd() override { ++cycles_; }
  void finish(Report &report) override;

private:
  Setting setting_;
  ResourceMasks masks_;
  uint64_t cycles_ = 0;
  uint32_t microOps_ = 0;                // of the first iteration
  std::vector<unsigned> resourceCycles_; // by resource, of the first iteration
};

class PressureObserver final : public Observer {
public:
  explicit PressureObserver(const Setting &setting);
  void onEvent(const llvm::mca::HWInstructionEvent &event) override;
  void finish(Report &report) override;

private:
  Setting setting_;
  std::vector<ResourceUnit> units_;
  std::vector<size_t> firstUnit_;                // by resource
  std::vector<llvm::mca::ReleaseAtCycles> held_; // instructions × units, then one row for the region
};

class TimelineObserver final : public Observer {
public:
  explicit TimelineObserver(const Setting &setting);
  void onEvent(const llvm::mca::HWInstructionEvent &event) override;
  void onCycleEnd() override { ++cycle_; }
  void finish(Report &report) override { report.timeline = timeline_; }

private:
  void onRetired(uint64_t id);
  bool withinLimit() const { return !maxCycles_ || cycle_ < maxCycles_; }

  Setting setting_;
  int64_t maxCycles_; // 0: no limit
  int64_t cycle_ = 0;
  Timeline timeline_;
};

/// In how many cycles something happened so many times.
class CycleCounter {
public:
  void count(uint32_t times) { now_ += times; }
  void onCycleEnd() { ++cycles_[std::exchange(now_, 0)]; }
  CycleHistogram histogram() const;

private:
  uint32_t now_ = 0;
  std::map<uint32_t, uint32_t> cycles_;
};

class DispatchObserver final : public Observer {
public:
  void onEvent(const llvm::mca::HWInstructionEvent &event) override;
  void onEvent(const llvm::mca::HWStallEvent &event) override;
  void onCycleEnd() override;
  void finish(Report &report) override;

private:
  DispatchStatistics statistics_;
  CycleCounter microOps_;
};

class SchedulerObserver final : public Observer {
public:
  explicit SchedulerObserver(const Setting &setting);
  void onEvent(const llvm::mca::HWInstructionEvent &event) override;
  void onReservedBuffers(const llvm::mca::InstRef &, llvm::ArrayRef<unsigned> resources) override;
  void onReleasedBuffers(const llvm::mca::InstRef &, llvm::ArrayRef<unsigned> resources) override;
  void onCycleEnd() override;
  void finish(Report &report) override;

private:
  struct Buffer {
    uint32_t used = 0;
    uint32_t maxUsed = 0;
    uint64_t sumOfCycles = 0;
  };
  void onDispatched(const llvm::mca::InstRef &ref);
  void onExecuted(const llvm::mca::InstRef &ref);
  bool isQueue(unsigned resource) const { return resource == loadQueue_ || resource == storeQueue_; }

  Setting setting_;
  unsigned loadQueue_ = 0, storeQueue_ = 0; // resources; 0: none
  int64_t lastLoad_ = -1, lastStore_ = -1;  // instances that entered the queues last
  std::vector<Buffer> buffers_;             // by resource
  uint32_t cycles_ = 0;
  CycleCounter microOps_;
};

class RetireObserver final : public Observer {
public:
  explicit RetireObserver(const Setting &setting);
  void onEvent(const llvm::mca::HWInstructionEvent &event) override;
  void onCycleEnd() override;
  void finish(Report &report) override;

private:
  RetireStatistics statistics_;
  uint32_t used_ = 0; // entries of the reorder buffer
  CycleCounter instructions_;
};

class RegisterFileObserver final : public Observer {
public:
  explicit RegisterFileObserver(const Setting &setting);
  void onEvent(const llvm::mca::HWInstructionEvent &event) override;
  void onCycleEnd() override;
  void finish(Report &report) override { report.registerFiles = statistics_; }

private:
  void onMove(const llvm::mca::Instruction &instruction);

  RegisterFileStatistics statistics_;
  std::vector<uint32_t> mappings_;          // in use now, by file
  std::vector<uint32_t> eliminatedInCycle_; // by file
};

} // namespace mca::reference
