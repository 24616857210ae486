// A Region is a list of instructions worth simulating together, tied to a range of the user's buffer.
//
// A loop with branches makes one region for each path through it; they share the loop's number. Several loops of the
// program may stand on one line of the buffer: a vector body and its remainder, copies of an inlined function,
// instances of a template. Each is a loop of its own, and its variant says which it is.
#pragma once

#include "analysis/regions/block_profile.h"
#include "analysis/regions/loop_paths.h"
#include "analysis/regions/loop_statements.h"
#include "analysis/source_map/source_map.h"
#include "analysis/wire/messages.h"
#include "mca-core/assembly/program.h"
#include "mca-core/program/entry_offsets.h"
#include "mca-core/target/target.h"

#include <memory>

namespace analysis {

/// Lines of a file, as the compiler names them, among which a loop's head stands. (They differ from the buffer's if a
/// loop came in from a header, and after `#line` directives.)
struct CodeLines {
  std::string file;
  uint32_t firstLine = 0; ///< 1-based, both included; 0 for none
  uint32_t lastLine = 0;
  /// Whether they are those of a loop statement's head, which are the same for all loops that the statement became.
  bool isStatement = false;
  uint32_t caller = SourceMap::kNoFrame; ///< the frame of the call through which the loop's function was inlined
  uint32_t column = 0;                   ///< of the statement's keyword on the last line, in bytes, 1-based; 0: none
};

/// All code of a loop; a path through it has a part.
struct LoopCode {
  mca::Loop loop;
  std::vector<uint32_t> lines; ///< of each instruction, as in Region
};

/// What crosses the wire, and what only the worker needs to know. Its `caveats` are those of its source and control
/// flow. job/results.h fills in what depends on the simulation or on other regions: rank, pointers, transfers, texts,
/// places.
struct Region : wire::Region {
  std::vector<uint32_t> instructions;   ///< indices in the program, in the order of execution
  std::vector<uint32_t> lines;          ///< of each instruction the line in the buffer, 1-based; 0 if it has none
  CodeLines code;                       ///< of a loop in C or C++
  std::vector<CodeLines> around;        ///< the heads of the statements around that loop, as far as they are known
  uint32_t duplication = 0;             ///< copies of the loop's own code in it, as clang counts them; 0 if unknown
  std::shared_ptr<const LoopCode> body; ///< of a loop and the paths through it, which share it; null otherwise
  std::vector<mca::EntryOffset> entryOffsets; ///< of its pointers, where numbers depend on it
  bool isCalled = false;                      ///< it stands at a call of its function, which was not inlined
  bool severalPaths = false;                  ///< its blocks stand in layout order, because no path was found
  bool onlyMarked = false;                    ///< a loop that is wanted for the marked lines around it alone
};

/// Which kinds of regions are wanted.
struct RegionKinds {
  bool markers = true;
  bool loops = true;
  bool snippets = true;
};

/// What the analysis of a C or C++ buffer knows besides the program. Pointers may be null: unknown.
struct SourceFacts {
  std::vector<mca::MarkerRegion> markers; ///< marker comments, with offsets in the buffer
  /// The buffer's. Needed for RegionKinds::loops and for marker comments.
  const LoopStatements *statements = nullptr;
  wire::Language language = wire::Language::Cxx;
  BranchProbability probability;
  const std::vector<ProfiledBlock> *blocks = nullptr; ///< as readBlockProfiles() returns them
  const InlineScopes *scopes = nullptr;               ///< the names of inlined functions
  bool tellsDuplication = false;                      ///< whether discriminators hold duplication factors
  /// Whether a file, an index of the source map, has a report of its own: its functions' loops are not placed at calls
  /// of them. Empty: no file has.
  std::function<bool(uint32_t file)> hasOwnReport;
  /// LoopElsewhere::loop of those that are wanted, ascending; null: all.
  const std::vector<uint32_t> *onlyLoops = nullptr;
};

/// An innermost loop that belongs to no line of the buffer.
struct LoopElsewhere {
  std::string file;     ///< absolute; empty if the compiler gives none
  uint32_t line = 0;    ///< 1-based; 0 without a file
  std::string function; ///< empty if unknown
  uint32_t loop = 0;    ///< the instruction of the program that its header begins with
  /// The files that could show it, as indices of the source map: that of its statement, then those of the calls through
  /// which it was inlined, the innermost first.
  std::vector<uint32_t> files;
  std::string home; ///< the first of `files`, absolute; empty if there is none
};

/// The regions that are not analysed because the document has too many (region_limits.h).
struct RegionsBeyond {
  std::optional<uint32_t> anchor; ///< of the first one; nothing if all are analysed
  std::vector<uint32_t> loops;    ///< the instructions that their loops begin with
};

/// A loop of the marked lines of a source: those of one statement in one function, through one inlined call. The
/// region has the numbers of the version that a hint of the loop shows (job/marked_loops.h).
struct MarkedLoop {
  std::string name;               ///< of the region
  wire::ByteRange at;             ///< the marked lines
  uint32_t anchor = 0;            ///< of the begin marker
  std::vector<uint32_t> versions; ///< Region::loop of each
};

struct Regions {
  std::vector<Region> regions; ///< those within the limits
  std::vector<MarkedLoop> marked;
  std::vector<LoopElsewhere> elsewhere;
  RegionsBeyond beyond;
  std::vector<uint32_t> vanished; ///< offsets of loop statements that left no machine loop (vanished_loops.h)
};

/// As much of a loop's region as is needed to simulate it; the members are those of Region.
struct LoopBody {
  std::vector<uint32_t> instructions;
  std::vector<mca::EntryOffset> entryOffsets;
};
/// The loops' regions, except for marked ones, of the part of a program from `first` on. They are simulated ahead while
/// the rest of the text is parsed.
std::vector<LoopBody> findLoopBodies(const mca::Target &target, const mca::Program &program, uint32_t first);

/// Which code of a preprocessor's output counts as the buffer's.
struct AssemblyParts {
  /// Whether a file, an index of the source map, has a report of its own: what lies in it is not placed at its
  /// `#include`. Empty: no file has.
  std::function<bool(uint32_t file)> hasOwnReport;
  /// LoopElsewhere::loop of those that are wanted, ascending; null: all.
  const std::vector<uint32_t> *onlyLoops = nullptr;
};

/// Regions of an assembly buffer: markers, innermost loops, and functions or the whole text if it has neither.
Regions findAssemblyRegions(const mca::ControlFlow &code, const SourceMap &map, RegionKinds kinds,
                            const AssemblyParts &parts = {});

/// Regions of a C or C++ buffer that was compiled to the program.
Regions findSourceRegions(const mca::ControlFlow &code, const SourceMap &map, const SourceFacts &facts,
                          RegionKinds kinds);

} // namespace analysis
