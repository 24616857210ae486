// Reports of regions that were simulated before, so that a keystroke costs only the regions it changed.
//
// The key is a hash of everything a report depends on: each instruction (opcode, operands and its text, which the
// report prints), its instruments, the target and the options. With 128 bits, two different regions meeting is out of
// reach.
//
// The cache is bounded in bytes, as a report may have a thousand bytes or ten million. Reports grow while a job
// simulates and asks for more, so they are measured when it is over.
#pragma once

#include "mca-core/report/simulator.h"

#include "llvm/Support/xxhash.h"

#include <list>
#include <memory>
#include <optional>
#include <unordered_map>

namespace analysis {

class ReportCache {
public:
  using Key = llvm::XXH128_hash_t;
  struct CachedSimulation {
    mca::Result<mca::Simulation> simulation = mca::Failure{"it has not been simulated yet"};
    mca::DataflowLimit limit;         ///< of what was simulated
    std::vector<mca::DataLink> links; ///< the same
    /// The rate without DataflowLimit::lateCopies, where there are any.
    std::optional<mca::Rate> withoutLateCopies;
    bool finished = false; ///< all that is there
    size_t bytes = 0;      ///< of memory, as trim() last found it; 0: it has grown since
    // Added when they are first asked for. None of them depends on more than the key.
    std::optional<mca::Waits> waits;
    std::optional<mca::Summary> ordered; ///< if each load had to wait for the stores before it
  };
  using Entry = std::shared_ptr<CachedSimulation>;

  /// `maxBytes`: of memory that trim() leaves.
  explicit ReportCache(size_t maxBytes) : maxBytes_(maxBytes) {}

  static Key keyOf(const mca::Target &target, const mca::Program &program, std::span<const uint32_t> region,
                   const mca::SimulationOptions &options);
  /// Null when it is not there.
  Entry find(const Key &key);
  void insert(const Key &key, Entry entry);
  void erase(const Key &key);
  /// Between jobs: keeps the entries that were used last as far as there is room. One that has none for itself costs no
  /// other.
  void trim();

private:
  struct Hash {
    size_t operator()(const Key &key) const { return key.low64; }
  };
  struct Equal {
    bool operator()(const Key &a, const Key &b) const { return a.low64 == b.low64 && a.high64 == b.high64; }
  };
  using Order = std::list<std::pair<Key, Entry>>;

  size_t maxBytes_;
  Order order_; // the most recently used first
  std::unordered_map<Key, Order::iterator, Hash, Equal> byKey_;
};

/// The memory of an entry, what it points to included.
size_t bytesOf(const ReportCache::CachedSimulation &entry);

} // namespace analysis
