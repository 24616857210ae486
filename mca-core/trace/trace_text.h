// The text format `.mcatrace`, version 1: the way that a program took, as the successor of each branch.
//
//     mcatrace 1
//     source k.s                                  # or: binary prog buildid 3f9a
//     trace kern: ENTRY . (.LBB1_3 . .LBB1_5 .)x120 .LBB1_17 RET
//     path kern 122: .LBB1_3 . . .LBB1_7 .LBB1_3  # how often this way was taken
//     edge kern .LBB1_3+0xa -> .LBB1_5 1329 m 660 # how often, and how often predicted wrongly
//     block kern .LBB1_3 2703
//     (ENTRY, bb1, bb1, bb1, FALLTHROUGH)         # a trace of the text's first function
//
// One statement stands on each line, but inside parentheses lines may end. `#` starts a comment. A text that starts
// with a tuple needs no header: this is the notation of the message that proposed traces for llvm-mca (llvm-dev, 2
// March 2018). Commas between tokens are optional.
//
// A token is a label, a label with an offset in bytes (`.L3+0xa`), `@41` (a line of the assembly text), `0x401000` (an
// address of the binary), `.` or FALLTHROUGH, T or N (a conditional branch is taken or not), ENTRY, RET or the name of
// a callee. `x5` after a token or a group repeats it. A name in double quotes is always a name: "RET", "operator new".
// What the tokens of a trace have to agree with, trace_walk.h says.
//
// Repeats are counts and are never expanded here, so a text takes memory in proportion to its length: 24 bytes a token.
// Counts are at most 2^40, and a trace has at most 2^32 tokens with its repeats expanded, because somebody will walk
// it. More than that is an error at the repeat that exceeds the limit, and so are zero and negative counts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mca {

/// A place in the trace's text.
struct TracePosition {
  uint32_t line = 1;   ///< 1-based
  uint32_t column = 1; ///< 1-based, in bytes
  bool operator==(const TracePosition &) const = default;
};

struct TraceError {
  TracePosition position;
  std::string message; ///< for the user, without a trailing full stop
};

struct TraceToken {
  enum class Kind : uint8_t {
    Entry,
    Name,    ///< a label or a callee, possibly with an offset
    Line,    ///< a line of the assembly text
    Address, ///< of the binary
    FallThrough,
    Taken,
    NotTaken,
    Return,
  };
  Kind kind = Kind::Entry;
  uint64_t value = 0; ///< the offset in bytes, the line (1-based) or the address
  std::string name;   ///< of Kind::Name
  bool operator==(const TraceToken &) const = default;
};

/// A token or a group of a trace, in the order of the text: a group comes before what it contains.
struct TraceNode {
  static constexpr uint32_t kGroup = ~0u;
  uint32_t token = kGroup; ///< index in TraceText::tokens; kGroup for a group
  uint32_t end = 0;        ///< index of the first node after this one and what it contains
  uint64_t repeats = 1;
  TracePosition position;
};

/// The tokens of a statement: a range of TraceText::nodes, half-open.
struct TraceSequence {
  uint32_t begin = 0;
  uint32_t end = 0;
};

struct TraceStatement {
  std::string function; ///< empty: the first of the assembly text
  TracePosition position;
  TraceSequence sequence;
};

struct WeightedPath {
  TraceStatement path;
  uint64_t count = 0;
};

struct TraceEdge {
  std::string function;
  TracePosition position;
  uint32_t from = 0; ///< indices in TraceText::tokens; the branch is the first one at or after this place
  uint32_t to = 0;
  TracePosition fromPosition;
  TracePosition toPosition;
  uint64_t count = 0;
  bool isMeasured = false;     ///< whether the text says how often the branch was predicted wrongly
  uint64_t mispredictions = 0; ///< at most `count`
};

struct BlockCount {
  std::string function;
  TracePosition position;
  uint32_t block = 0; ///< index in TraceText::tokens
  TracePosition blockPosition;
  uint64_t count = 0;
};

/// What a trace's text says. Statements are in the order of the text.
struct TraceText {
  std::string source;             ///< path of the assembly text; empty if not given
  std::string binary;             ///< path of the program; empty if not given
  std::string buildId;            ///< of the binary, in hexadecimal; empty if not given
  std::vector<TraceToken> tokens; ///< each different one once
  std::vector<TraceNode> nodes;
  std::vector<TraceStatement> traces;
  std::vector<WeightedPath> paths;
  std::vector<TraceEdge> edges;
  std::vector<BlockCount> blocks;
};

/// Reads a text. The first error ends the reading, because later ones are often its consequences.
std::variant<TraceText, TraceError> readTrace(std::string_view text);

/// Reads statements without a header, for example of a comment: `trace (.L3 T .)x100`. `start` is where the statement
/// starts in the text that the user sees.
std::variant<TraceText, TraceError> readTraceStatement(std::string_view statement, TracePosition start);

/// The notation of a token: `.LBB1_3+0xa`.
std::string textOf(const TraceToken &token);

} // namespace mca
