// What the worker says before it makes a document beside the buffer (a view), and how the server knows it again: a
// worker that dies there says nothing against the buffer.
#pragma once

#include "analysis/wire/messages.h"

namespace analysis::wire {

/// The place is empty, which that of a region or a line never is.
inline Progress viewProgress(uint64_t job, const DocumentRequest &view) {
  const char *what = "";
  switch (view.kind) {
  case DocumentKind::Report:
    what = "for the report";
    break;
  case DocumentKind::Assembly:
    what = "for the assembly";
    break;
  case DocumentKind::Timeline:
    what = "for the timeline";
    break;
  }
  return {.id = job, .stage = Stage::Simulating, .what = what, .at = {view.offset, view.offset}};
}

inline bool isAbout(const Progress &progress, const DocumentRequest &view) {
  const Progress own = viewProgress(progress.id, view);
  return progress.stage == own.stage && progress.what == own.what && progress.at == own.at;
}

} // namespace analysis::wire
