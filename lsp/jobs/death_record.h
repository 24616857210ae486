// Which contents killed their worker, and which are therefore not run again.
//
// A worker that dies in a job gets one more chance with the same content, because it may have died of something else. A
// content (path, text, settings and the rest of the request) that killed two workers, or used up the time of one, is
// set aside: it is not run again until it changes. So a text that crashes LLVM costs two crashes and not one for each
// request. A worker that dies while it makes a document beside the buffer (a view) proves nothing about the buffer: the
// view is counted and set aside by the same rule, and the content is run without it.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/workspace/worker_death.h"

#include <cstddef>
#include <unordered_map>
#include <vector>

namespace lsp {

class DeathRecord {
public:
  /// A hash of a content.
  using Content = size_t;

  /// Two contents with the same hash share their fate, which costs an analysis at worst. The request is unchanged on
  /// return.
  static Content contentOf(analysis::wire::AnalyzeRequest &request);

  /// The last death by a content that is set aside, or by a view of it; null for all else.
  const WorkerDeath *setAside(Content content) const;
  const WorkerDeath *setAside(Content content, const analysis::wire::DocumentRequest &view) const;

  /// Records that a worker died in a job with these views.
  AfterDeath died(Content content, const std::vector<analysis::wire::DocumentRequest> &views, const WorkerDeath &death);
  /// Records that a job with these views was finished.
  void survived(Content content, const std::vector<analysis::wire::DocumentRequest> &views);
  /// Everything that was set aside gets another chance.
  void clear() { deaths_.clear(); }

private:
  struct Deaths {
    int count = 0;
    WorkerDeath last;
  };

  std::unordered_map<size_t, Deaths> deaths_; ///< by content or view
};

} // namespace lsp
