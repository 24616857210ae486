// Bytes per source iteration compare loops of any shape, also those that no compiler remark describes.
#include "analysis/job/loop_order.h"

#include "analysis/regions/induction.h"
#include "analysis/regions/vector_use.h"
#include "mca-core/program/memory_bytes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>

namespace analysis {
namespace {

/// A loop and the work of one iteration of its machine code.
struct Weighed {
  SimulatedLoop loop;
  VectorUse vectors = VectorUse::None; ///< on any of its paths
  Strides strides = Strides::Unknown;  ///< of its first path
  double bytes = 0; ///< loaded and stored; a mean over the paths, weighted by the compiler's expectation if known
  uint32_t factor() const { return loop.front()->region->sourceIterations; }
  size_t instructions() const { return loop.front()->region->instructions.size(); }
};

/// The loops of the machine code that one loop of the source became.
struct Versions {
  std::vector<Weighed> loops;
  double bytes = 0; ///< per iteration of the source, of the version that moves fewest
};

VectorUse vectorsOf(const SimulatedLoop &loop, const mca::Target &target, const mca::Program &program) {
  VectorUse most = VectorUse::None;
  for (const SimulatedRegion *path : loop)
    most = std::max(most, vectorUseOf(target, program, path->region->instructions));
  return most;
}

double bytesOf(const SimulatedLoop &loop, const mca::MemoryBytes &memory, const mca::Program &program) {
  double all = 0;
  for (const SimulatedRegion *path : loop) {
    uint64_t bytes = 0;
    for (const uint32_t index : path->region->instructions)
      bytes += memory.of(program.instructions()[index].inst);
    const double share = path->region->share;
    all += static_cast<double>(bytes) * (share >= 0 ? share : 1.0 / static_cast<double>(loop.size()));
  }
  return all;
}

/// Where one version moves by a register, compilers make another for a stride of one element, which they test for. It
/// seldom is one: a matrix of one column.
void orderVersions(Versions &versions) {
  const auto hasStrides = [](Strides strides) { return [=](const Weighed &one) { return one.strides == strides; }; };
  const bool isStrided = llvm::any_of(versions.loops, hasStrides(Strides::ByRegister));
  const bool known = llvm::all_of(versions.loops, [](const Weighed &one) { return one.factor() != 0; });
  const auto rank = [&](const Weighed &one) {
    return std::tuple(!isStrided || one.strides != Strides::Constant, one.vectors, known ? one.factor() : 0, one.bytes,
                      one.instructions());
  };
  llvm::stable_sort(versions.loops, [&](const Weighed &a, const Weighed &b) { return rank(a) > rank(b); });
  versions.bytes = std::numeric_limits<double>::infinity();
  for (const Weighed &one : versions.loops)
    versions.bytes = std::min(versions.bytes, one.bytes / std::max(one.factor(), 1u));
}

} // namespace

void orderLoops(const mca::Target &target, const mca::Program &program, std::vector<SimulatedLoop> &onLine) {
  if (onLine.size() < 2)
    return;
  const mca::MemoryBytes memory(target);
  // Loops without a loop statement in the source are each a source loop of their own.
  llvm::MapVector<std::tuple<llvm::StringRef, llvm::StringRef, uint32_t, uint32_t, uint32_t>, Versions> bySource;
  for (SimulatedLoop &loop : onLine) {
    const Region &region = *loop.front()->region;
    const CodeLines &code = region.code;
    Versions &versions = bySource[{region.name, code.file, code.isStatement ? code.firstLine : 0, code.caller,
                                   code.isStatement ? 0 : region.loop + 1}];
    const double bytes = bytesOf(loop, memory, program);
    const VectorUse vectors = vectorsOf(loop, target, program);
    const Strides strides = stridesOf(target, program, region.instructions);
    versions.loops.push_back({.loop = std::move(loop), .vectors = vectors, .strides = strides, .bytes = bytes});
  }
  auto all = bySource.takeVector();
  for (auto &[source, versions] : all)
    orderVersions(versions);
  const auto rank = [](const auto &entry) {
    const Weighed &first = entry.second.loops.front();
    const Region &region = *first.loop.front()->region;
    return std::tuple(region.kind == wire::RegionKind::Marker, region.body != nullptr, !region.isCalled,
                      entry.second.bytes, first.bytes, first.instructions());
  };
  llvm::stable_sort(all, [&](const auto &a, const auto &b) { return rank(a) > rank(b); });
  onLine.clear();
  for (auto &[source, versions] : all)
    for (Weighed &one : versions.loops)
      onLine.push_back(std::move(one.loop));
}

} // namespace analysis
