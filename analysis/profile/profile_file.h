// The text of a profile, `.mcaprofile`. docs/profile-file.md describes it.
//
// A file may be a stranger's, so all of it is checked before any number of it is used: the first thing that is wrong
// refuses the file, with its line and column.
#pragma once

#include "analysis/profile/profile.h"
#include "mca-core/target/result.h"

#include "llvm/Support/raw_ostream.h"

namespace analysis {

/// In bytes; a longer text is refused. A million different addresses take about 30 MB.
constexpr uint64_t kMaxProfileBytes = uint64_t{256} << 20;

/// Fails with "FILE:LINE:COLUMN: reason".
mca::Result<Profile> readProfile(std::string_view text, const std::string &file);

void writeProfile(const Profile &profile, llvm::raw_ostream &out);

} // namespace analysis
