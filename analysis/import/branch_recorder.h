// Follows a recording through the assembly text: turns addresses into the branches that executed, counts them, and
// writes down the traces of functions.
//
// A trace begins where a function is entered that is to be traced, while no other trace is open, and ends with its
// return; calls into the text are part of it. Further calls continue the same trace with another ENTRY. Code outside of
// the text is invisible: only its calls back into the text are traces of their own. Where a recording does not continue
// at a successor of the last branch (a signal, an exception, a gap), the open traces end there, and counting goes on.
//
// Of several threads each function's trace is that of the first one that enters it. The counts are those of all.
#pragma once

#include "analysis/import/branch_records.h"
#include "analysis/import/placement.h"
#include "analysis/import/token_folder.h"

#include <map>
#include <memory>
#include <set>

namespace analysis {

/// How often a branch went to a successor.
struct RecordedEdge {
  uint32_t branch = 0; ///< index in the program
  uint32_t token = 0;
  uint64_t count = 0;
  uint64_t measured = 0; ///< of the count, how many have a known prediction
  uint64_t mispredictions = 0;
};

/// How often a block executed, by its first instruction.
struct RecordedBlock {
  uint32_t instruction = 0;
  uint64_t count = 0;
};

/// One statement of a trace's text.
struct RecordedTrace {
  uint32_t function = 0; ///< index in ProgramBranches::functions()
  std::unique_ptr<TokenFolder> tokens;
};

class BranchRecorder final : public BranchSink {
public:
  /// `chosen`: the functions to trace and count; empty: all. Refers to its arguments.
  BranchRecorder(const mca::Program &program, const mca::ProgramBranches &branches, const Placement &placement,
                 const ProgramImage &image, std::set<uint32_t> chosen);

  /// Takes addresses of the program's file from now on.
  void useFileAddresses() { base_ = 0; }
  void map(const MappedSegment &segment) override;
  void thread(uint64_t number) override;
  void symbol(uint64_t address, std::string_view name) override;
  void visit(uint64_t address) override;
  void taken(uint64_t from, uint64_t to, Predicted predicted) override;
  void notTaken(uint64_t from, Predicted predicted) override;
  void gap() override;
  void edge(uint64_t from, uint64_t to, uint64_t count, std::optional<uint64_t> mispredictions) override;
  void run(uint64_t begin, uint64_t last, uint64_t count) override;
  void line(std::string_view file, std::string_view function, uint32_t line, uint64_t count) override;

  /// Those that are long enough to be worth it: a recording with gaps has many that break off.
  std::vector<const RecordedTrace *> traces() const;
  /// By branch, then in the order of their first execution.
  std::vector<RecordedEdge> edges() const;
  std::vector<RecordedBlock> blocks() const;
  /// The notation of a token.
  const std::string &nameOf(uint32_t token) const { return names_[token]; }
  /// Whether a trace ended because of its length.
  bool isTruncated() const { return isTruncated_; }
  /// Whether the place of the program in memory is known.
  bool isLocated() const { return base_.has_value(); }

private:
  struct Frame {
    uint32_t returnTo = mca::kNone; ///< where the call that made it returns to; kNone: to code outside
    uint32_t pending = mca::kNone;  ///< where a call of code outside, which executes now, returns to
    uint32_t trace = mca::kNone;    ///< index in `traces_`, if its branches are written down
    bool beginsTrace = false;
  };
  struct Thread {
    std::vector<Frame> frames;
    uint32_t at = mca::kNone; ///< the text executed from here on; kNone outside of it
    bool repeats = false;     ///< the instruction there was reached again at once
  };
  /// A place that execution reached.
  struct Destination {
    uint64_t address = 0;              ///< of the file
    uint32_t instruction = mca::kNone; ///< kNone outside of the text
  };
  using Edges = llvm::DenseMap<std::pair<uint32_t, uint64_t>, RecordedEdge>;

  Destination destinationOf(uint64_t address) const;
  bool isChosen(uint32_t function) const { return chosen_.empty() || chosen_.contains(function); }
  bool isEntry(uint32_t instruction) const;
  uint64_t pageOf(uint32_t instruction) const;

  void arrive(const Destination &to, Predicted predicted);
  void arriveFromOutside(const Destination &to);
  void land(const Destination &to);
  bool advanceTo(uint32_t branch);
  bool follow(const Destination &to, Predicted predicted);
  std::optional<bool> outcomeOf(uint32_t branch, const Destination &to) const;
  bool resolve(uint32_t branch, const Destination &to, Predicted predicted);
  bool executeCall(uint32_t branch, const Destination &to);
  bool executeReturn(const Destination &to);
  bool executeJump(const Destination &to);
  bool write(uint32_t branch, const Destination &to, bool taken, Predicted predicted);

  /// `function`: the one at whose entry the call leads; kNone for a label inside of one.
  bool enter(uint32_t function, uint32_t returnTo, uint32_t trace);
  void beginTrace(Frame &frame, uint32_t function);
  Frame leaveFrame();
  void endTrace(uint32_t trace);
  void loseFrames(size_t kept);
  void lose();
  void append(uint32_t trace, uint32_t token);

  RecordedEdge *edgeOf(uint32_t branch, const Destination &to, bool taken);
  std::string tokenFor(uint32_t branch, const Destination &to, bool taken) const;
  uint32_t tokenNamed(const std::string &name);
  void findLines();

  const mca::Program &program_;
  const mca::ProgramBranches &branches_;
  const Placement &placement_;
  const ProgramImage &image_;
  const std::set<uint32_t> chosen_;
  std::optional<uint64_t> base_; ///< where the program was loaded, less the address in its file
  std::map<uint64_t, Thread> threads_;
  Thread *thread_ = nullptr; ///< the current one
  uint64_t threadNumber_ = 0;
  std::vector<std::string> labels_; ///< the notation of each instruction that has a label
  std::vector<std::string> names_;  ///< of the tokens
  llvm::StringMap<uint32_t> tokens_;
  Edges edges_; ///< by branch and where it went
  std::map<uint32_t, uint64_t> blocks_;
  /// The first instructions of the blocks that have code of a source line, by the name of its file without folders.
  std::map<std::pair<std::string, uint32_t>, std::set<uint32_t>> linePlaces_;
  std::vector<RecordedTrace> traces_;
  /// The trace of a function.
  struct Owner {
    uint64_t thread = 0;
    uint32_t open = mca::kNone; ///< the statement that goes on; kNone: the next call begins another one
    bool isActive = false;      ///< a frame writes to it
    unsigned statements = 0;
  };
  std::map<uint32_t, Owner> owners_; ///< by function
  bool hasGaps_ = false;
  uint64_t writtenTokens_ = 0;
  uint64_t writtenItems_ = 0; ///< after folding
  bool isTruncated_ = false;
};

} // namespace analysis
