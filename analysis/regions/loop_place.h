// Where in C or C++ source a loop of machine code belongs.
//
// A loop stands in one of the functions that were inlined around its instructions: the innermost one in whose text a
// loop statement holds them, be it in the buffer or in a header. In the buffer it belongs to that statement; otherwise
// to the call that the user wrote, `std::sort(…)`, or to the `#include` in the middle of a function. Otherwise it is a
// header's own, and stands at the lines that call its function.
#pragma once

#include "analysis/regions/loop_statements.h"
#include "analysis/source_map/source_map.h"
#include "mca-core/program/loops.h"

#include "llvm/Support/MemoryBuffer.h"

#include <map>

namespace analysis {

struct LoopPlace {
  uint32_t anchor = 0; ///< offset of the keyword or the call
  wire::ByteRange at;  ///< whole lines
  /// The frame of the call through which the loop's function was inlined.
  uint32_t caller = SourceMap::kNoFrame;
  /// Whether the loop stands in another file, and the anchor is the call or the `#include`.
  bool atCall = false;
  /// SourceMap's index of the file that holds the loop's head, among lines as the compiler counts them, both included.
  uint32_t file = 0;
  uint32_t firstLine = 0;
  uint32_t lastLine = 0;
  uint32_t column = 0; ///< of the statement's keyword, in bytes, 1-based; 0 if there is no statement
  /// Whether these are exactly the lines of a statement's head.
  bool isStatement = false;
  const LoopStatement *statement = nullptr; ///< that statement; null if there is none
  /// The frame of the call through which the statement's function was inlined.
  uint32_t statementCaller = SourceMap::kNoFrame;
  bool lacksInner = false; ///< whether a loop inside of the statement is not in this one, but follows it
  /// Whether the anchor calls the loop's function, which was not inlined there.
  bool isCalled = false;
  /// The directives of the function by which the loop's file may have come in, the anchor among them; empty otherwise.
  std::vector<uint32_t> includes;
};

/// A loop and one of its places.
struct PlacedLoop {
  const mca::Loop *loop;
  LoopPlace place;
  std::optional<wire::Caveat> doubt = std::nullopt; ///< why the place may be another one
  std::string name = {};                            ///< Region::name
  bool isWanted = true;                             ///< false if it counts only for marked lines
};

/// The loop statements of the files that a program's code comes from. Each is read when it is first needed.
class SourceFiles {
public:
  struct File {
    std::unique_ptr<llvm::MemoryBuffer> text;
    std::optional<TextLines> lines;
    std::optional<LoopStatements> statements;
  };

  SourceFiles(const SourceMap &map, wire::Language language) : map_(map), language_(language) {}

  /// `file`: an index of the map's. A file that cannot be read has no statements, and neither has one of more than 8
  /// MiB.
  const File &file(uint32_t file);

private:
  const SourceMap &map_;
  wire::Language language_;
  std::map<uint32_t, File> files_;
};

/// What places are looked up in.
struct Sources {
  const SourceMap &map;
  const LoopStatements &statements; ///< the buffer's
  SourceFiles &files;               ///< the others
};

/// The text that holds a frame, and the innermost loop statement around the frame.
struct FrameText {
  const LoopStatements *statements = nullptr;
  const LoopStatement *innermost = nullptr;
  const TextLines *lines = nullptr;
  uint32_t offset = 0; ///< of the frame
  uint32_t shift = 0;  ///< lines that the compiler counts further, after `#line`
};

/// Null pointers if the file cannot be read, or is shorter than the compiler says: it may have changed since.
FrameText textOf(const Frame &frame, const Sources &in);

/// The offset of a line and column of a text, both 1-based. A column beyond the line is its end, 0 its begin.
uint32_t offsetInLine(const TextLines &lines, uint32_t line, uint32_t column);

/// No value if it belongs to no line of the buffer. The instructions of the function that holds the loop are those from
/// `functionStart` to `functionEnd`, half-open.
std::optional<LoopPlace> placeLoop(const mca::Loop &loop, const Sources &in, uint32_t functionStart,
                                   uint32_t functionEnd);

/// The files that a loop could belong to, as indices of the map's: that of its statement, then those of the calls
/// through which it was inlined, the innermost first. None twice.
std::vector<uint32_t> filesAround(const mca::Loop &loop, const Sources &in, uint32_t functionStart);

/// The places of a loop at calls of its function, `calls`: instructions that belong to lines of the buffer. One for
/// each line, in the order of `calls`.
std::vector<LoopPlace> placeAtCalls(const mca::Loop &loop, const std::vector<uint32_t> &calls, const Sources &in,
                                    uint32_t functionStart);

/// Whether all of a loop that shares its header stands in a statement of its own, and the rest of the whole mostly
/// outside of that; or in a loop of `goto`.
bool isOwnStatement(const mca::SharedHeader &shared, const Sources &in, uint32_t functionStart);

/// The line of an instruction of a loop there, 1-based; 0 if it has none.
uint32_t lineInLoop(const SourceMap &map, const LoopPlace &place, uint32_t instruction);

} // namespace analysis
