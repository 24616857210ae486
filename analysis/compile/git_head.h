// The version of a file that git's HEAD has, to compare with.
//
// The repository comes from a folder that someone opened, and it may be hostile: its configuration names programs that
// git would run (a file system monitor, filters, hooks, the transport of a remote that has what is missing here). So
// git is asked for one object and nothing else, `git cat-file blob`, which applies no filter, with every transport
// forbidden and the settings that name programs overruled.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

namespace analysis {

/// The bytes of the file `path` (absolute) in HEAD, as they were committed. No value when there are none: no git in an
/// absolute folder of PATH, no repository, a file that HEAD lacks, more than 1 MiB, or no answer within 2 s.
std::optional<std::string> readGitHead(const std::string &path, const std::stop_token &stop);

} // namespace analysis
