// The traces of one document: those of its file and those that it holds itself, in comments. Each is walked once
// before any number of it is used, so that a trace of other code is refused and never misread. Of long traces only the
// beginning is walked and used, so that they don't hold up the editor.
#pragma once

#include "analysis/flows/flow_cache.h"
#include "analysis/flows/trace_files.h"
#include "analysis/source_map/source_map.h"
#include "mca-core/trace/profile_counts.h"
#include "mca-core/trace/trace_walk.h"

#include <deque>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace analysis {

/// A statement in a comment of the buffer: `# mca: trace (.L3 T .)x100`, `// mca: path taken,not-taken`.
struct TraceComment {
  bool isPath = false;
  wire::ByteRange at; ///< from its keyword to the end of the comment
};

/// A trace that fits the program.
struct KnownTrace {
  const mca::TokenTargets *targets = nullptr;
  const mca::TraceStatement *statement = nullptr;
  std::shared_ptr<const TraceFile> file;    ///< null for a comment
  std::string function;                     ///< empty if it has no name
  std::shared_ptr<const WalkedPart> walked; ///< not null
};

/// The traces are those of the comments first. Everything that it refers to must outlive it.
class DocumentTraces {
public:
  struct Context {
    const mca::ProgramBranches &branches;
    const SourceMap &map;
    WalkCache &walks;
    bool isFileBeside; ///< the file was found beside the document; otherwise a setting names it, perhaps for many
    std::stop_token stop;
  };
  /// Instructions that are walked of all traces together: some 50 ms. Each has the same share, and what others leave.
  static constexpr uint64_t kMaxSteps = 5'000'000;

  DocumentTraces(Context context, std::shared_ptr<const TraceFile> file, const std::vector<TraceComment> &comments);

  const std::vector<KnownTrace> &traces() const { return traces_; }
  /// The counts of the file; empty if it has none, or does not fit.
  const mca::ProfileCounts &counts() const { return counts_; }
  /// How often its branches were mispredicted, as far as that was measured.
  const std::vector<mca::MeasuredBranch> &measured() const { return measured_; }
  /// Null if there is none.
  const std::shared_ptr<const TraceFile> &file() const { return file_; }
  /// One for each comment that is wrong (`trace-error`), and one for a file that does not fit (`trace-refused`). A file
  /// that a setting names and that has none of the text's functions is for another document.
  std::vector<wire::Finding> takeFindings() { return std::move(findings_); }

private:
  struct Comment {
    const TraceComment *comment;
    mca::TraceText text;
  };

  void readComment(const TraceComment &comment);
  void addComment(const Comment &comment);
  WalkCache::Key keyOfWalks() const;
  void addFile();
  bool isOfOtherText(const mca::TraceText &text) const;
  std::optional<mca::TraceError> readFile(const mca::TraceText &text);
  std::optional<mca::TraceError> walk(const mca::TokenTargets &targets, const mca::TraceStatement &statement,
                                      std::shared_ptr<const TraceFile> file);
  WalkedPart walkPart(const mca::TokenTargets &targets, const mca::TraceStatement &statement);
  std::string functionAfter(uint32_t line) const;
  void reject(const mca::TraceError &error, const TraceComment &comment);
  std::vector<std::string> operandsOf(const mca::TraceError &error) const;

  Context context_;
  const std::shared_ptr<const TraceFile> file_;
  uint64_t stepsLeft_ = kMaxSteps;
  uint64_t tracesLeft_ = 0; ///< that were not walked yet
  std::deque<Comment> comments_;
  WalkCache::Entry known_; ///< the walks of the same traces in the same program; null if that is new
  size_t next_ = 0;        ///< in `known_`
  std::vector<std::shared_ptr<const WalkedPart>> walks_;
  std::deque<mca::TokenTargets> targets_;
  std::vector<KnownTrace> traces_;
  mca::ProfileCounts counts_;
  std::vector<mca::MeasuredBranch> measured_;
  std::vector<wire::Finding> findings_;
};

} // namespace analysis
