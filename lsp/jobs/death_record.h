// Which contents killed their worker, and which are therefore not run again.
//
// A worker that dies in a job gets one more chance with the same content. A content (path, text, settings and whatever
// else the request holds) that killed two workers, or used up the time of one, is set aside: it is not run again until
// it changes. A worker that dies while it makes a document beside the buffer (a view) says nothing of the buffer: of
// that view the same holds, and the content is run without it.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/workspace/worker_death.h"

#include <cstddef>
#include <unordered_map>
#include <vector>

namespace lsp {

class DeathRecord {
public:
  /// Tells one content from another.
  using Content = size_t;

  /// Two contents that share a key by chance share their fate, which costs an analysis at worst. The request is as
  /// before afterwards.
  static Content contentOf(analysis::wire::AnalyzeRequest &request);

  /// The last death by a content that is set aside, or by a view of it; null for all else.
  const WorkerDeath *setAside(Content content) const;
  const WorkerDeath *setAside(Content content, const analysis::wire::DocumentRequest &view) const;

  /// A job died that made these views.
  AfterDeath died(Content content, const std::vector<analysis::wire::DocumentRequest> &views, const WorkerDeath &death);
  /// A job was finished that made these views.
  void survived(Content content, const std::vector<analysis::wire::DocumentRequest> &views);
  /// What was set aside gets another chance.
  void clear() { deaths_.clear(); }

private:
  struct Deaths {
    int count = 0;
    WorkerDeath last;
  };

  std::unordered_map<size_t, Deaths> deaths_; ///< by content or view
};

} // namespace lsp
