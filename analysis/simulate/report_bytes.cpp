// How much memory a cached report takes: all that grows with the region, and an estimate of what the allocator adds.
#include "analysis/simulate/report_cache.h"

#include <type_traits>

namespace analysis {
namespace {

constexpr size_t kAllocation = 16;   ///< what an allocation takes beside its bytes
constexpr size_t kBookkeeping = 256; ///< the entry's places in the cache, and its shared pointer's counts

// What an object points to, beside its own bytes.
size_t behind(const std::string &text);
size_t behind(const mca::SchedulingDetails::ResourceUse &use);
size_t behind(const mca::SchedulingDetails &details);
size_t behind(const mca::InstructionInfo &info);
size_t behind(const mca::ResourceDescription &resource);
size_t behind(const mca::ResourceUnit &unit);
size_t behind(const mca::WaitReason &reason);
size_t behind(const mca::InstructionWaits &waits);
size_t behind(const mca::WaitSegment &segment);
size_t behind(const mca::DataLink &link);
size_t behind(const mca::LateCopy &copy);
size_t behind(const mca::SkippedInstruction &skipped);

template <typename T>
size_t behind(const std::vector<T> &all) {
  if (!all.capacity())
    return 0;
  size_t bytes = kAllocation + all.capacity() * sizeof(T);
  if constexpr (!std::is_trivially_copyable_v<T>)
    for (const T &one : all)
      bytes += behind(one);
  return bytes;
}

template <typename T>
size_t behind(const std::optional<T> &value) {
  return value ? behind(*value) : 0;
}

size_t behind(const std::string &text) {
  const bool isInside = text.capacity() <= std::string().capacity();
  return isInside ? 0 : kAllocation + text.capacity() + 1;
}
size_t behind(const mca::SchedulingDetails::ResourceUse &use) {
  return behind(use.resource);
}
size_t behind(const mca::SchedulingDetails &details) {
  return behind(details.opcode) + behind(details.resources) + behind(details.comment);
}
size_t behind(const mca::InstructionInfo &info) {
  return behind(info.text) + behind(info.encoding) + behind(info.scheduling);
}
size_t behind(const mca::ResourceDescription &resource) {
  return behind(resource.name) + behind(resource.members);
}
size_t behind(const mca::ResourceUnit &unit) {
  return behind(unit.name);
}
size_t behind(const mca::WaitReason &reason) {
  return behind(reason.what) + behind(reason.holders);
}
size_t behind(const mca::InstructionWaits &waits) {
  return behind(waits.reasons);
}
size_t behind(const mca::WaitSegment &segment) {
  return behind(segment.by);
}
size_t behind(const mca::DataLink &link) {
  return behind(link.name);
}
size_t behind(const mca::LateCopy &copy) {
  return behind(copy.name) + behind(copy.source);
}
size_t behind(const mca::SkippedInstruction &skipped) {
  return behind(skipped.message);
}

size_t behind(const mca::ResourcePressure &pressure) {
  return behind(pressure.units) + behind(pressure.byInstruction) + behind(pressure.perIteration);
}
size_t behind(const mca::Timeline &timeline) {
  return behind(timeline.entries) + behind(timeline.waits);
}
size_t behind(const mca::Waits &waits) {
  return behind(waits.instructions) + behind(waits.segments);
}

/// Of statistics and bottlenecks there are none in what a job simulates.
size_t behind(const mca::Report &report) {
  return behind(report.instructions) + behind(report.pressure) + behind(report.resources) +
         (report.timeline ? behind(*report.timeline) : 0) + (report.waits ? behind(*report.waits) : 0);
}

} // namespace

size_t bytesOf(const ReportCache::CachedSimulation &entry) {
  size_t bytes = sizeof entry + kBookkeeping + behind(entry.limit.chain) + behind(entry.limit.lateCopies) +
                 behind(entry.links) + (entry.waits ? behind(*entry.waits) : 0);
  if (!entry.simulation)
    return bytes + behind(entry.simulation.message());
  const mca::Simulation &simulation = *entry.simulation;
  return bytes + behind(simulation.report) + behind(simulation.instructions) + behind(simulation.skipped);
}

} // namespace analysis
