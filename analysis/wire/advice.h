// What could make a loop faster: changes of the source or of the compiler's flags that are worth trying, as the worker
// lists them (analysis/advice) and the server tries them (lsp/advice).
#pragma once

#include "analysis/wire/region.h"

#include <cstdint>
#include <string>
#include <vector>

namespace analysis::wire {

/// What a change asks of the user, the least first. The label of several changes together is the greatest.
enum class AdviceLabel : uint8_t {
  SameResults,    ///< by the language's rules
  Hardware,       ///< the program needs a CPU that has more instructions than the flags allow
  Promise,        ///< undefined or wrong if what the user promises is not so
  ChangesResults, ///< other results, usually in their last bits
};

/// Replaces bytes of a text. Several edits of a change do not overlap, and those at one place apply in their order.
struct Edit {
  ByteRange at;
  std::string newText;
  bool operator==(const Edit &) const = default;
};

/// A change to try. All edits leave the lines where they are.
struct Candidate {
  std::string id; ///< of docs/advice.md: "reassociate"
  AdviceLabel label = AdviceLabel::SameResults;
  std::vector<Edit> edits;
  std::vector<std::string> addedFlags;
  std::vector<std::string> removedFlags;
  std::vector<std::string> operands; ///< names that its words have: "-march=x86-64-v3"
  bool enables = false;              ///< it may be of use only together with another one
  bool isAboutInputs = false;        ///< it promises something that random inputs do not keep
  bool mayReorder = false;           ///< it lets the compiler reorder floating-point operations that form a chain
  bool operator==(const Candidate &) const = default;
};

/// The function of a loop as assembly, so that two versions of it can be run on the same inputs.
struct RunnableFunction {
  std::string assembly; ///< the compiler's whole output
  std::string symbol;
  std::string returns; ///< these two in the words of `mca-measure same`: "float", "int32", "float*"; empty: nothing
  std::vector<std::string> arguments;
  std::string refusal; ///< why it cannot be run, in words: then all else is empty
  bool operator==(const RunnableFunction &) const = default;
};

/// Why no change of a loop's source is tried.
enum class SourceKept : uint8_t {
  No,
  Elsewhere,    ///< its text is in a macro, or in another file
  Alternatives, ///< its text depends on #if
  Goto,         ///< it has no loop statement
  Unreadable    ///< the compiler reads no text that is not saved
};

/// A preamble of a worker, for another worker of the same search (compile/preambles.h).
struct LentPreamble {
  std::string folder; ///< absolute; empty: there is none
  uint64_t bytes = 0; ///< of the text that it was made of
  bool operator==(const LentPreamble &) const = default;
};

/// What clang's front end made of a text, for versions that differ in flags (compile/front_end_runs.h).
struct FrontEndModule {
  uint64_t search = 0; ///< AnalyzeRequest::id of the first analysis: headers may change until the next search
  std::vector<std::string> functions; ///< symbols of those that the loop is in; empty: versions are compiled as a whole
  std::string text;                   ///< the part of these functions; empty: there is none
  bool fitsFlags = false; ///< of a version: it is known that its flags change nothing that the front end reads
  LentPreamble preamble;  ///< that the module was made with
  bool operator==(const FrontEndModule &) const = default;
};

/// What is known of a loop that is to be made faster.
struct AdviceFacts {
  std::vector<Candidate> candidates; ///< the most promising first
  uint64_t tripCount = 0;            ///< iterations of the source's loop, from its head or a comment; 0 if unknown
  SourceKept sourceKept = SourceKept::No;
  RunnableFunction function;
  /// The loop is one of vectors whose floating-point operations form a chain from iteration to iteration: those of the
  /// source were reordered.
  bool chainsVectors = false;
  FrontEndModule module; ///< with AnalyzeRequest::listCandidates or `listModule`, if versions may share it
  bool operator==(const AdviceFacts &) const = default;
};

/// The most candidates of a loop, without those made of two.
constexpr size_t kMostCandidates = 12;

} // namespace analysis::wire
