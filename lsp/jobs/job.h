// The name of a job, and what it was made from. Several jobs may run at once, so both go with the job and come back
// with its outcome: no member of the server speaks of "the running job".
#pragma once

#include "lsp/protocol/text.h"
#include "lsp/protocol/virtual_uri.h"
#include "lsp/workspace/baselines.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lsp {

/// In the order of their urgency.
enum class JobKind : uint8_t {
  Document,  ///< the analysis of an open document
  OtherCpus, ///< a document on CPUs that the user named
  Listing,   ///< a document with the instructions of its regions, one of which is to be measured
  Head       ///< a document's version in git HEAD
};

struct JobKey {
  std::string uri; ///< of the document
  JobKind kind = JobKind::Document;
  uint64_t number = 0; ///< distinguishes those of one document and kind
  auto operator<=>(const JobKey &) const = default;
};

/// The versions of what a job was made from.
struct JobTicket {
  size_t worker = 0;  ///< index of the worker that runs the job
  unsigned saves = 0; ///< of any file, before it
  Baselines::TextState text;
  std::vector<Baseline> before;            ///< what the text is compared with
  std::vector<protocol::VirtualUri> views; ///< in the order of AnalyzeRequest::documents
  std::shared_ptr<const Text> viewed;      ///< the text, if there are views
};

} // namespace lsp
