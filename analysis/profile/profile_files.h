// Profiles as they were read last, kept between jobs: a file is read again when its FileStamp has changed.
#pragma once

#include "analysis/files/regular_file.h"
#include "analysis/profile/profile.h"

#include <list>
#include <memory>
#include <string>

namespace analysis {

struct LoadedProfile {
  std::string path;
  Profile profile;
  uint64_t total = 0;  ///< Profile::total(), which takes long to add up
  std::string problem; ///< "FILE:LINE:COLUMN: reason"; empty if it was read
};

class ProfileFiles {
public:
  using Entry = std::shared_ptr<const LoadedProfile>;
  /// `path`: absolute. `folder`: if not empty, the file has to lie in it, links followed. Never null.
  Entry find(const std::string &path, const std::string &folder);
  /// Has each file read again.
  void forget() { kept_.clear(); }

private:
  struct Kept {
    FileStamp stamp;
    Entry file;
  };
  std::list<Kept> kept_; ///< the most recently used first
};

} // namespace analysis
