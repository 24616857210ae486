#include "analysis/profile/profile_files.h"

#include "analysis/files/folders.h"
#include "analysis/profile/profile_file.h"

#include "llvm/ADT/STLExtras.h"

namespace analysis {
namespace {

constexpr size_t kMostKept = 2; // a session has one

} // namespace

ProfileFiles::Entry ProfileFiles::find(const std::string &path, const std::string &folder) {
  auto loaded = std::make_shared<LoadedProfile>();
  loaded->path = path;
  if (!folder.empty() && !liesIn(path, folder)) {
    loaded->problem = path + ": a project's settings may only name a file in its own folder";
    return loaded;
  }
  const auto known = llvm::find_if(kept_, [&](const Kept &one) { return one.file->path == path; });
  if (const auto stamp = stampOfRegularFile(path); stamp && known != kept_.end() && known->stamp == *stamp) {
    kept_.splice(kept_.begin(), kept_, known);
    return known->file;
  }
  if (known != kept_.end())
    kept_.erase(known);
  RegularFile file = readRegularFile(path, kMaxProfileBytes);
  if (!file.isRead()) {
    loaded->problem = path + ": " + file.failure;
    return loaded;
  }
  if (auto profile = readProfile(file.text, path)) {
    loaded->profile = std::move(*profile);
    loaded->total = loaded->profile.total();
  } else {
    loaded->problem = profile.message();
  }
  kept_.push_front({file.stamp, loaded});
  if (kept_.size() > kMostKept)
    kept_.pop_back();
  return loaded;
}

} // namespace analysis
