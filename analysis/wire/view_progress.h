// What the worker reports before it makes a document beside the buffer (a view), and how the server recognizes it. If
// the worker dies there, only the document is set aside: the buffer was already analysed.
#pragma once

#include "analysis/wire/messages.h"

#include <array>

namespace analysis::wire {

/// The progress of making `view`. Its place is empty, which those of regions and lines never are.
inline Progress viewProgress(uint64_t job, const DocumentRequest &view) {
  constexpr std::array kNames{"for the report", "for the assembly", "for the timeline"}; // by DocumentKind
  static_assert(kNames.size() == static_cast<size_t>(DocumentKind::Timeline) + 1);
  return {.id = job,
          .stage = Stage::Simulating,
          .what = kNames[static_cast<size_t>(view.kind)],
          .at = {view.offset, view.offset}};
}

inline bool isAbout(const Progress &progress, const DocumentRequest &view) {
  const Progress own = viewProgress(progress.id, view);
  return progress.stage == own.stage && progress.what == own.what && progress.at == own.at;
}

} // namespace analysis::wire
