// The loops' shares of a program's time, and the cycles that an iteration took in it.
#pragma once

#include "analysis/profile/profile_files.h"
#include "analysis/simulate/simulated_region.h"
#include "analysis/source_map/text_lines.h"
#include "analysis/wire/messages.h"
#include "mca-core/program/code_blocks.h"

#include <span>
#include <string>

namespace analysis {

/// A document whose loops are looked up in a profile.
struct ProfiledText {
  const mca::ControlFlow &code;
  const std::string &path; ///< of the buffer
  const TextLines &lines;  ///< of the buffer
  bool isSource = false;   ///< the code was compiled from the buffer
  std::span<const SimulatedRegion> regions;
};

/// Sets Region::profiled of each loop. `results`: of each of the regions.
///
/// A loop's share is that of all its instructions together, since a sample's address is often one or a few instructions
/// late. Cycles per iteration are known if the profile has both time and executions of the loop's header, each per run;
/// or else, in a source, iterations of the loop on its line (ProfiledLine::iterations). Those and the ends of the loop
/// say how many iterations a run of it has, and so how much memory it goes through, if it ends in one way only.
///
/// Of a function that is not the code that was recorded, as another compiler makes it, a loop has the weight of those
/// of the function's source lines that are in this loop alone. They are found by their text, so lines may have moved.
/// If more than a tenth of the function's weight is on lines that are not found, the source was edited since: those
/// count where their neighbours are now. Of loops without such a line, and in assembly, only the function's share is
/// known.
wire::ProfileSummary addShares(const LoadedProfile &loaded, const ProfiledText &text, std::span<wire::Region> results);

} // namespace analysis
