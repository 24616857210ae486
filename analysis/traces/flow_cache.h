// Flows of loops that were simulated before, so that a keystroke costs only the loops that it changed.
#pragma once

#include "analysis/simulate/report_cache.h"
#include "analysis/wire/control_flow.h"

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

class FlowCache {
public:
  using Key = ReportCache::Key;
  using Entry = std::shared_ptr<const CachedFlow>;

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

  /// Keeps at least the kMaxRecent entries that were used last, and at most twice as many.
  void insert(const Key &key, Entry entry) {
    if (recent_.size() == kMaxRecent) {
      older_ = std::move(recent_);
      recent_.clear();
    }
    recent_[key] = std::move(entry);
  }

private:
  static constexpr size_t kMaxRecent = 5'000; // more than one document has; an entry has some kilobytes

  struct Hash {
    size_t operator()(const Key &key) const { return key.low64; }
  };
  using Entries = std::unordered_map<Key, Entry, Hash>;

  Entries recent_;
  Entries older_;
};

} // namespace analysis
