// Exact counts of a program that was built to count: how often the condition of each loop held.
//
// Counters are in the source's terms, and the program that counts is another one than the program that is fast. So the
// counts belong to source lines. What they are for is the iterations of a loop: how often the condition on its line
// held. A line with several conditions is left out, as nothing says which of them is the loop's.
//
// The files say nothing of how many runs their counts are of, which add up. `main` does, so its count has to be in
// them.
#pragma once

#include "analysis/profile/profile_records.h"

namespace analysis {

inline constexpr const char *kNoMain =
    "the calls of main are not counted, which say how many runs the counts are of: give "
    "those of all the program's files together";

/// What `gcov --json-format --branch-probabilities --stdout` prints.
std::unique_ptr<ProfileReader> createGcovCountReader();

/// Profiles of clang's -fprofile-instr-generate, raw or indexed. `program`, a path, has to be built with
/// -fcoverage-mapping, which has the places of the counters. LLVM reads them, and may crash at damaged ones.
std::unique_ptr<ProfileReader> createInstrumentationReader(std::string program);

} // namespace analysis
