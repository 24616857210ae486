// The version of a file that git's HEAD has, to compare with.
//
// The repository comes from a folder that someone opened, and it may be hostile: its configuration names programs that
// git would run (a file system monitor, filters, hooks, the transport of a remote that has a missing object). So we
// read one object with `git cat-file blob`, which applies no filter, forbid every transport, and overrule the settings
// that name programs.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

namespace analysis {

/// The bytes of the file `path` (absolute) in HEAD, as they were committed. No value if there are none: no git in an
/// absolute folder of PATH, no repository, a file that HEAD lacks, more than 1 MiB, or a git that reached its limit of
/// 10 s (wire::TimeLimit). `confined`: whether the kernel refuses what only reading does not need
/// (confinementOfReader()).
std::optional<std::string> readGitHead(const std::string &path, const std::stop_token &stop, bool confined = true);

} // namespace analysis
