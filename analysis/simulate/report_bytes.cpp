// The memory of a cached report: all that grows with the region, and an estimate of the allocator's own part. A report
// has a thousand bytes or ten million, so that a count of entries would bound nothing.
#include "analysis/simulate/report_cache.h"

#include <type_traits>

namespace analysis {
namespace {

constexpr size_t kAllocation = 16;   ///< glibc's header and rounding of one allocation
constexpr size_t kBookkeeping = 256; ///< an entry's nodes in the cache, and its shared pointer's counts

/// The bytes on the heap that an object refers to, without its own size. Members of a class may be used before their
/// declaration, which these need: they call each other through the templates.
struct Heap {
  static size_t of(const std::string &text) {
    const bool isInside = text.capacity() <= std::string().capacity(); // short texts have no allocation
    return isInside ? 0 : kAllocation + text.capacity() + 1;
  }
  template <typename T>
  static size_t of(const std::vector<T> &all) {
    if (!all.capacity())
      return 0;
    size_t bytes = kAllocation + all.capacity() * sizeof(T);
    if constexpr (!std::is_trivially_copyable_v<T>)
      for (const T &one : all)
        bytes += of(one);
    return bytes;
  }
  template <typename T>
  static size_t of(const std::optional<T> &value) {
    return value ? of(*value) : 0;
  }

  static size_t of(const mca::SchedulingDetails::ResourceUse &use) { return of(use.resource); }
  static size_t of(const mca::SchedulingDetails &details) {
    return of(details.opcode) + of(details.resources) + of(details.comment);
  }
  static size_t of(const mca::InstructionInfo &info) { return of(info.text) + of(info.encoding) + of(info.scheduling); }
  static size_t of(const mca::ResourceDescription &resource) { return of(resource.name) + of(resource.members); }
  static size_t of(const mca::ResourceUnit &unit) { return of(unit.name); }
  static size_t of(const mca::ResourcePressure &pressure) {
    return of(pressure.units) + of(pressure.byInstruction) + of(pressure.perIteration);
  }
  static size_t of(const mca::WaitReason &reason) { return of(reason.what) + of(reason.holders); }
  static size_t of(const mca::InstructionWaits &waits) { return of(waits.reasons); }
  static size_t of(const mca::WaitSegment &segment) { return of(segment.by); }
  static size_t of(const mca::Waits &waits) { return of(waits.instructions) + of(waits.segments); }
  static size_t of(const mca::Timeline &timeline) { return of(timeline.entries) + of(timeline.waits); }
  static size_t of(const mca::DataLink &link) { return of(link.name); }
  static size_t of(const mca::LateCopy &copy) { return of(copy.name) + of(copy.source); }
  static size_t of(const mca::SkippedInstruction &skipped) { return of(skipped.message); }
  static size_t of(const mca::CalibratedDetails &details) { return of(details.instructions); }
  /// A job requests neither statistics nor bottlenecks.
  static size_t of(const mca::Report &report) {
    return of(report.instructions) + of(report.pressure) + of(report.resources) + of(report.timeline) +
           of(report.waits) + of(report.calibrated);
  }
};

} // namespace

size_t bytesOf(const ReportCache::CachedSimulation &entry) {
  const size_t bytes = sizeof entry + kBookkeeping + Heap::of(entry.limit.chain) + Heap::of(entry.limit.lateCopies) +
                       Heap::of(entry.links) + Heap::of(entry.waits);
  if (!entry.simulation)
    return bytes + Heap::of(entry.simulation.message());
  const mca::Simulation &simulation = *entry.simulation;
  return bytes + Heap::of(simulation.report) + Heap::of(simulation.instructions) + Heap::of(simulation.skipped) +
         Heap::of(simulation.errata);
}

} // namespace analysis
