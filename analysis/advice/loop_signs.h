// What the machine code of a loop tells about the changes that may make it faster.
#pragma once

#include "analysis/wire/messages.h"

#include <vector>

namespace analysis {

/// Of the loop that a line's hint shows, and of the others on the line where that is said.
struct LoopSigns {
  bool usesFloats = false;    ///< it adds or multiplies floating-point numbers
  bool chainsFloats = false;  ///< such an operation is a link of the longest chain from iteration to iteration
  bool hasRecurrence = false; ///< its longest chain from iteration to iteration is more than a counter's
  bool isDependent = false;   ///< the compiler knows that an iteration needs an earlier one's stores
  bool isVector = false;      ///< some loop of the line is a vector body
  bool divides = false;       ///< floating-point division
  bool comparesFloats = false;
  bool converts = false;           ///< between float and double
  bool storesWhereDataSay = false; ///< as of induction.h: the caller's to say, which has the machine code
  bool gathers = false;            ///< some loop of the line gathers or scatters
  bool selects = false;            ///< it selects by a condition without a branch
  bool branches = false;           ///< it has several paths, or branches that depend on data
  bool isWide = false;             ///< some loop of the line has 512-bit registers
  std::vector<std::string> calls;  ///< functions that it calls
};

/// Of a result that has the loops of one line alone.
LoopSigns signsOf(const wire::AnalysisResult &result);

} // namespace analysis
