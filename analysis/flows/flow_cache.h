// Flows of loops that were simulated before and traces that were walked before, so that a keystroke costs only what it
// changed.
#pragma once

#include "analysis/simulate/report_cache.h"
#include "analysis/wire/control_flow.h"
#include "mca-core/trace/trace_text.h"

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace analysis {

/// What is known of a loop wherever it is in a program: instructions are counted from its header on, modulo 2^32.
struct CachedFlow {
  std::optional<wire::ControlFlow> flow; ///< none if the loop needs none
  std::vector<uint32_t> loads;           ///< that the branches of the flow wait for; mca::kNone for none
  std::vector<uint32_t> calls;           ///< ControlFlow::callers
};

/// What was walked of a trace: all of it, or its beginning. Caches and the traces of a document share it: of a long
/// trace it has megabytes.
struct WalkedPart {
  uint32_t entry = 0;             ///< the instruction that it starts with; mca::kNone if it executes none
  uint64_t steps = 0;             ///< instructions that were executed
  std::vector<uint32_t> executed; ///< each of them once, ascending
  /// The same for two walks that execute the same way through the same places, wherever these are in the program.
  uint64_t digest = 0;
  std::optional<mca::TraceError> error; ///< the trace is of other code
};

/// Keeps at least the kMaxRecent entries that were used last, and at most twice as many.
template <typename Value, size_t kMaxRecent>
class RecentCache {
public:
  using Key = ReportCache::Key;
  using Entry = std::shared_ptr<const Value>;

  /// Null if there is none.
  Entry find(const Key &key) {
    if (const auto found = recent_.find(key); found != recent_.end())
      return found->second;
    const auto found = older_.find(key);
    if (found == older_.end())
      return nullptr;
    insert(key, found->second);
    return recent_.at(key);
  }

  void insert(const Key &key, Entry entry) {
    if (recent_.size() == kMaxRecent) {
      older_ = std::move(recent_);
      recent_.clear();
    }
    recent_[key] = std::move(entry);
  }

private:
  struct Hash {
    size_t operator()(const Key &key) const { return key.low64; }
  };
  using Entries = std::unordered_map<Key, Entry, Hash>;

  Entries recent_;
  Entries older_;
};

using FlowCache = RecentCache<CachedFlow, 5'000>; // more than one document has; an entry has some kilobytes
/// The walks of a document's traces, in order. An entry has usually some kilobytes, and at most 30 MB: 4 bytes for each
/// instruction that is executed, of DocumentTraces::kMaxSteps, and 100 for each walk, of which that limits the number.
using WalkCache = RecentCache<std::vector<std::shared_ptr<const WalkedPart>>, 2>;

} // namespace analysis
