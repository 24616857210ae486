// Reports of regions that were simulated before, so that a keystroke costs only the regions that it changed.
//
// The key is a hash of all that a report depends on: each instruction (opcode, operands and its text, which the report
// prints), its instruments, the target and the options. It has 128 bits: among a billion regions, the probability that
// two have the same key is below 10^-20.
//
// The cache is bounded in bytes, as a report may have a thousand bytes or ten million. Reports grow while a job
// simulates and requests details, so they are measured after it.
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
    mca::DataflowLimit limit;
    mca::DispatchLimit dispatch; ///< not computed in order
    std::vector<mca::DataLink> links;
    /// The rate without DataflowLimit::lateCopies, if there are any.
    std::optional<mca::Rate> withoutLateCopies;
    /// In LLVM's model, if the simulation is of the CPU as it was measured.
    std::optional<mca::Summary> model;
    /// In LLVM's model as it is, if known errors of it are corrected in the simulation.
    std::optional<mca::Summary> uncorrected;
    bool finished = false; ///< whether all of the above is complete
    size_t bytes = 0;      ///< of memory, as trim() last measured it; 0: it has grown since
    // Details that are added when first requested. They depend on nothing beyond the key, either.
    std::optional<mca::Waits> waits;
    std::optional<mca::Summary> ordered;   ///< if each load has to wait for the stores before it
    std::optional<mca::Summary> roomy;     ///< with buffers of several times the size
    std::optional<mca::Summary> unaligned; ///< SimulationOptions::unaligned
    /// The instructions are a loop without branches inside, and nothing that they load or compute decides its end.
    bool hasPredictableEnd = false;
  };
  using Entry = std::shared_ptr<CachedSimulation>;

  /// `maxBytes`: the memory that trim() leaves.
  explicit ReportCache(size_t maxBytes) : maxBytes_(maxBytes) {}

  static Key keyOf(const mca::Target &target, const mca::Program &program, std::span<const uint32_t> region,
                   const mca::SimulationOptions &options);
  /// Null if there is none. The entry counts as the most recently used.
  Entry find(const Key &key);
  /// Keeps the entry that is there already, if there is one.
  void insert(const Key &key, Entry entry);
  void erase(const Key &key);
  /// Keeps the most recently used entries that fit. One that is too large for the room left is dropped alone: smaller,
  /// older ones may still fit. To be called between jobs.
  void trim();

private:
  struct Hash {
    size_t operator()(const Key &key) const { return key.low64; }
  };
  using Order = std::list<std::pair<Key, Entry>>;

  size_t maxBytes_;
  Order order_; // the most recently used first
  std::unordered_map<Key, Order::iterator, Hash> byKey_;
};

/// The memory of an entry and of all that it points to.
size_t bytesOf(const ReportCache::CachedSimulation &entry);

} // namespace analysis
