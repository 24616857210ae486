// One lock guards the lists, and is held only while pointers move. Helpers are woken for several regions at once, as
// one region takes only some hundredths of a millisecond.
#include "analysis/simulate/region_runs.h"

#include <system_error>
#include <utility>

namespace analysis {
namespace {

constexpr size_t kWorthWaking = 8;   // waiting regions: some tenths of a millisecond of work
constexpr size_t kMostWaiting = 512; // waiting regions: some 20 MB

} // namespace

mca::Simulator &Simulators::ofThread(size_t number) {
  while (all_.size() <= number)
    all_.emplace_back(target_);
  return all_[number];
}

RegionRuns::RegionRuns(Simulators &simulators, size_t threads, std::stop_token stop,
                       std::function<void(size_t)> waitingFor)
    : simulators_(simulators), threads_(threads), stop_(std::move(stop)), waitingFor_(std::move(waitingFor)) {}

void RegionRuns::add(size_t number, const mca::Program &program, std::span<const uint32_t> region,
                     const mca::SimulationOptions &options, ReportCache::Entry entry) {
  std::unique_ptr<Run> run = unused();
  run->number = number;
  if (std::optional<mca::Failure> failure = simulators_.own().prepare(program, region, options, run->prepared)) {
    entry->simulation = std::move(*failure);
    entry->finished = true;
    const std::lock_guard lock(mutex_);
    unused_.push_back(std::move(run));
    return;
  }
  run->entry = std::move(entry);
  if (run->prepared.hazards) // LLVM's objects, which live until the next region is prepared
    return carryOut(std::move(run), simulators_.own());
  size_t waiting = 0;
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(run));
    waiting = waiting_.size();
  }
  if (waiting == kWorthWaking) {
    if (helpers_.empty())
      startHelpers();
    changed_.notify_all();
  }
  if (waiting >= kMostWaiting)
    runNext();
}

void RegionRuns::finish() {
  {
    const std::lock_guard lock(mutex_);
    complete_ = true;
  }
  changed_.notify_all();
  while (runNext()) {
  }
  for (Helper &helper : helpers_) {
    size_t number = 0;
    {
      const std::lock_guard lock(mutex_);
      number = helper.number;
    }
    waitingFor_(number);
    helper.thread.join();
  }
  helpers_.clear();
  for (const Unnamed &run : std::exchange(unnamed_, {})) {
    simulators_.own().nameRegisters(run.entry->limit, run.syntaxVariant);
    simulators_.own().nameRegisters(run.entry->links, run.syntaxVariant);
  }
}

/// If the system has no further threads, the job only takes longer.
void RegionRuns::startHelpers() {
  for (size_t i = 1; i < threads_; ++i) {
    mca::Simulator &simulator = simulators_.ofThread(i);
    Helper &helper = helpers_.emplace_back();
    try {
      helper.thread = std::thread([this, &helper, &simulator] { help(helper, simulator); });
    } catch (const std::system_error &) {
      helpers_.pop_back();
      return;
    }
  }
}

void RegionRuns::help(Helper &helper, mca::Simulator &simulator) {
  while (std::unique_ptr<Run> run = waitForNext(helper))
    carryOut(std::move(run), simulator);
}

std::unique_ptr<RegionRuns::Run> RegionRuns::unused() {
  const std::lock_guard lock(mutex_);
  if (unused_.empty())
    return std::make_unique<Run>();
  std::unique_ptr<Run> run = std::move(unused_.back());
  unused_.pop_back();
  return run;
}

/// To be called with the lock held. Null if none waits, or a stop was requested.
std::unique_ptr<RegionRuns::Run> RegionRuns::takeFront() {
  if (waiting_.empty() || stop_.stop_requested())
    return nullptr;
  std::unique_ptr<Run> run = std::move(waiting_.front());
  waiting_.pop_front();
  return run;
}

/// Simulates the next waiting region on the job's own thread. False if there is none.
bool RegionRuns::runNext() {
  std::unique_lock lock(mutex_);
  std::unique_ptr<Run> run = takeFront();
  lock.unlock();
  if (!run)
    return false;
  waitingFor_(run->number);
  carryOut(std::move(run), simulators_.own());
  return true;
}

/// Sleeps until several regions wait. Null if no further one comes.
std::unique_ptr<RegionRuns::Run> RegionRuns::waitForNext(Helper &helper) {
  std::unique_lock lock(mutex_);
  if (waiting_.empty())
    changed_.wait(lock, [this] { return complete_ || waiting_.size() >= kWorthWaking; });
  std::unique_ptr<Run> run = takeFront();
  if (run)
    helper.number = run->number;
  return run;
}

void RegionRuns::carryOut(std::unique_ptr<Run> run, mca::Simulator &simulator) {
  const ReportCache::Entry entry = std::move(run->entry);
  entry->simulation = simulator.run(run->prepared);
  if (entry->simulation) {
    entry->limit = simulator.findDataflowLimit(run->prepared);
    entry->links = simulator.findDataLinks(run->prepared);
    if (!entry->limit.lateCopies.empty())
      entry->withoutLateCopies = simulator.findRateWithoutLateCopies(run->prepared);
  }
  entry->finished = true;
  const std::lock_guard lock(mutex_);
  unnamed_.push_back({entry, run->prepared.syntaxVariant});
  unused_.push_back(std::move(run));
}

} // namespace analysis
