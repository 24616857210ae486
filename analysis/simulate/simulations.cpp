// Entries are inserted before they are simulated, so that a region that occurs twice in a text is simulated once.
#include "analysis/simulate/simulations.h"

#include "analysis/regions/region.h"

#include <utility>

namespace analysis {
namespace {

constexpr uint32_t kWorthLookingAt = 2048; // instructions: several functions, one or two milliseconds of parsing

} // namespace

Simulations::Simulations(Context context)
    : context_(std::move(context)), runs_(context_.simulators, context_.threads, context_.stop,
                                          [this](size_t number) { context_.progress(begun_[number].about); }) {}

Simulations::~Simulations() {
  finish();
  for (const Begun &begun : begun_)
    if (!begun.entry->finished)
      context_.reports.erase(begun.key);
}

ReportCache::Key Simulations::keyOf(const mca::Program &program, std::span<const uint32_t> instructions) const {
  return ReportCache::keyOf(context_.target, program, instructions, context_.options);
}

ReportCache::Entry Simulations::find(const ReportCache::Key &key, const mca::Program &program,
                                     std::span<const uint32_t> instructions, const wire::Progress &about) {
  if (ReportCache::Entry known = context_.reports.find(key))
    return known;
  context_.progress(about);
  auto entry = std::make_shared<ReportCache::CachedSimulation>();
  context_.reports.insert(key, entry);
  begun_.push_back({about, key, entry});
  runs_.add(begun_.size() - 1, program, instructions, context_.options, entry);
  return entry;
}

void Simulations::lookAhead(const mca::Program &soFar, wire::Progress about) {
  const auto instructions = soFar.instructions();
  const auto end = static_cast<uint32_t>(instructions.size());
  if (context_.threads == 1 || end - lookedAt_ < kWorthLookingAt || context_.stop.stop_requested())
    return;
  for (const std::vector<uint32_t> &body : findLoopBodies(context_.target, soFar, std::exchange(lookedAt_, end))) {
    if (context_.stop.stop_requested())
      return;
    about.at = {instructions[body.front()].offset, instructions[body.back()].offset};
    find(keyOf(soFar, body), soFar, body, about);
  }
  about.at = {};
  context_.progress(about);
}

} // namespace analysis
