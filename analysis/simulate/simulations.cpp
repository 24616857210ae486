// Entries are inserted into the cache before they are simulated, so that a region that occurs twice in a text is
// simulated once.
//
// One lock guards the lists, and is held only while pointers move. Helpers are woken for several regions at once, as
// one region takes only some hundredths of a millisecond.
#include "analysis/simulate/simulations.h"

#include "analysis/regions/region.h"

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

namespace analysis {
namespace {

constexpr uint32_t kWorthLookingAt = 2048; // instructions: several functions, one or two milliseconds of parsing
constexpr size_t kWorthWaking = 8;         // waiting regions: some tenths of a millisecond of work
constexpr size_t kMostWaiting = 512;       // waiting regions: some 20 MB

/// Whether a correction does not matter: then the numbers stay llvm-mca's.
bool isSameRate(const mca::Simulation &one, const mca::Simulation &other) {
  constexpr double kVisible = 0.01; // of the cycles
  const double cycles = one.report.summary.cyclesPerIteration();
  return std::abs(other.report.summary.cyclesPerIteration() - cycles) <= kVisible * cycles;
}

/// The errors that make numbers uncertain even if they change nothing.
std::vector<mca::FoundErratum> uncertainOf(std::vector<mca::FoundErratum> errata) {
  std::erase_if(errata, [](const mca::FoundErratum &found) { return found.erratum.isCorrected(); });
  return errata;
}

} // namespace

Simulations::~Simulations() {
  finish();
  for (const Begun &begun : begun_)
    if (!begun.entry->finished)
      context_.reports.erase(begun.key);
}

ReportCache::Key Simulations::keyOf(const SimulatedCode &code, Machine machine) const {
  const bool isCalibrated = context_.calibration && machine == Machine::Best;
  mca::SimulationOptions options = context_.options;
  if (isCalibrated)
    options.entryOffsets.assign(code.entryOffsets.begin(), code.entryOffsets.end());
  ReportCache::Key key = ReportCache::keyOf(context_.target, code.program, code.instructions, options);
  if (isCalibrated)
    key.low64 ^= context_.calibration->digest;
  return key;
}

ReportCache::Entry Simulations::find(const ReportCache::Key &key, const SimulatedCode &code,
                                     const wire::Progress &about, Machine machine) {
  if (ReportCache::Entry known = context_.reports.find(key))
    return known;
  context_.progress(about);
  auto entry = std::make_shared<ReportCache::CachedSimulation>();
  context_.reports.insert(key, entry);
  std::unique_ptr<Run> run = unused();
  run->number = begun_.size();
  run->entry = entry;
  begun_.push_back({about, key, entry});
  if (std::optional<mca::Failure> failure = prepare(*run, code, machine)) {
    entry->simulation = std::move(*failure);
    entry->finished = true;
    run->entry = nullptr;
    const std::lock_guard lock(mutex_);
    unused_.push_back(std::move(run));
    return entry;
  }
  if (run->prepared.hazards ||
      (run->model && run->model->hazards)) { // LLVM's objects, which live until the next region is prepared
    carryOut(std::move(run), context_.simulators.own());
  } else {
    start(std::move(run));
  }
  return entry;
}

/// With a calibration, LLVM's model is simulated, too: users see both, and what the calibrated machine cannot run has
/// LLVM's numbers. If known errors of the model are corrected, it is also simulated with them.
std::optional<mca::Failure> Simulations::prepare(Run &run, const SimulatedCode &code, Machine machine) {
  mca::Simulator &simulator = context_.simulators.own();
  const auto &[program, instructions, entryOffsets] = code;
  run.model.reset();
  mca::SimulationOptions llvms = context_.options;
  llvms.corrections = mca::Corrections::None;
  if (context_.calibration && machine == Machine::Best) {
    mca::SimulationOptions options = context_.options;
    options.calibration = calibrationOf(context_.calibration);
    options.entryOffsets.assign(entryOffsets.begin(), entryOffsets.end());
    if (!simulator.prepare(program, instructions, options, run.prepared))
      return simulator.prepare(program, instructions, llvms, run.model.emplace());
  }
  std::optional<mca::Failure> failure = simulator.prepare(program, instructions, context_.options, run.prepared);
  const auto hasValues = [](const mca::FoundErratum &found) { return found.erratum.hasValues(); };
  if (!failure && std::ranges::any_of(run.prepared.simulation.errata, hasValues))
    return simulator.prepare(program, instructions, llvms, run.model.emplace());
  return failure;
}

/// Leaves a prepared region to the next idle thread. If very many wait, this thread simulates one.
void Simulations::start(std::unique_ptr<Run> run) {
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

void Simulations::lookAhead(const mca::Program &soFar, wire::Progress about) {
  const auto instructions = soFar.instructions();
  const auto end = static_cast<uint32_t>(instructions.size());
  if (context_.threads == 1 || end - lookedAt_ < kWorthLookingAt || context_.stop.stop_requested() || !isWithinLimits_)
    return;
  for (const LoopBody &body : findLoopBodies(context_.target, soFar, std::exchange(lookedAt_, end))) {
    if (context_.stop.stop_requested())
      return;
    isWithinLimits_ = isWithinLimits_ && ahead_.add(body.instructions.size());
    if (!isWithinLimits_)
      break;
    about.at = {instructions[body.instructions.front()].offset, instructions[body.instructions.back()].offset};
    const SimulatedCode code{soFar, body.instructions, body.entryOffsets};
    find(keyOf(code), code, about);
  }
  about.at = {};
  context_.progress(about);
}

void Simulations::finish() {
  {
    const std::lock_guard lock(mutex_);
    complete_ = true;
  }
  changed_.notify_all();
  while (runNext()) {
  }
  for (Helper &helper : helpers_) {
    context_.progress(begun_[helper.number].about);
    helper.thread.join();
  }
  helpers_.clear();
  for (const Unnamed &run : std::exchange(unnamed_, {})) {
    context_.simulators.own().nameRegisters(run.entry->limit, run.syntaxVariant);
    context_.simulators.own().nameRegisters(run.entry->links, run.syntaxVariant);
  }
}

/// If the system has no further threads, the job only takes longer.
void Simulations::startHelpers() {
  for (size_t i = 1; i < context_.threads; ++i) {
    mca::Simulator &simulator = context_.simulators.ofThread(i);
    Helper &helper = helpers_.emplace_back();
    try {
      helper.thread = std::thread([this, &helper, &simulator] {
        while (std::unique_ptr<Run> run = waitForNext(helper))
          carryOut(std::move(run), simulator);
      });
    } catch (const std::system_error &) {
      helpers_.pop_back();
      return;
    }
  }
}

std::unique_ptr<Simulations::Run> Simulations::unused() {
  const std::lock_guard lock(mutex_);
  if (unused_.empty())
    return std::make_unique<Run>();
  std::unique_ptr<Run> run = std::move(unused_.back());
  unused_.pop_back();
  return run;
}

/// To be called with the lock held. Null if none waits, or a stop was requested.
std::unique_ptr<Simulations::Run> Simulations::takeFront() {
  if (waiting_.empty() || context_.stop.stop_requested())
    return nullptr;
  std::unique_ptr<Run> run = std::move(waiting_.front());
  waiting_.pop_front();
  return run;
}

/// Simulates the next waiting region on the job's own thread. False if there is none.
bool Simulations::runNext() {
  std::unique_lock lock(mutex_);
  std::unique_ptr<Run> run = takeFront();
  lock.unlock();
  if (!run)
    return false;
  context_.progress(begun_[run->number].about);
  carryOut(std::move(run), context_.simulators.own());
  return true;
}

/// Sleeps until several regions wait. Null if no further one comes.
std::unique_ptr<Simulations::Run> Simulations::waitForNext(Helper &helper) {
  std::unique_lock lock(mutex_);
  if (waiting_.empty())
    changed_.wait(lock, [this] { return complete_ || waiting_.size() >= kWorthWaking; });
  std::unique_ptr<Run> run = takeFront();
  if (run)
    helper.number = run->number;
  return run;
}

void Simulations::carryOut(std::unique_ptr<Run> run, mca::Simulator &simulator) {
  const ReportCache::Entry entry = std::move(run->entry);
  mca::PreparedRegion *shown = &run->prepared;
  entry->simulation = simulator.run(*shown);
  if (run->model && !shown->calibrated) {
    mca::Result<mca::Simulation> model = simulator.run(*run->model);
    if (model && entry->simulation && isSameRate(*model, *entry->simulation)) {
      model->errata = uncertainOf(entry->simulation->errata);
      entry->simulation = std::move(model);
      shown = &*run->model;
    } else if (model) {
      entry->uncorrected = model->report.summary;
    }
  } else if (run->model) {
    mca::Result<mca::Simulation> model = simulator.run(*run->model);
    if (entry->simulation && entry->simulation->report.summary.cyclesPerIteration() > 0) {
      entry->model = model ? model->report.summary : mca::Summary();
    } else { // a calibration may let instructions take no time
      entry->simulation = std::move(model);
      shown = &*run->model;
    }
  }
  if (entry->simulation) {
    entry->limit = simulator.findDataflowLimit(*shown);
    entry->dispatch = simulator.findDispatchLimit(*shown);
    entry->links = simulator.findDataLinks(*shown);
    if (!entry->limit.lateCopies.empty())
      entry->withoutLateCopies = simulator.findRateWithoutLateCopies(*shown);
  }
  run->model.reset();
  entry->finished = true;
  const std::lock_guard lock(mutex_);
  unnamed_.push_back({entry, run->prepared.syntaxVariant});
  unused_.push_back(std::move(run));
}

} // namespace analysis
