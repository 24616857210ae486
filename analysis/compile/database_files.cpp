#include "analysis/compile/database_files.h"

#include "analysis/compile/paths.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

namespace analysis {
namespace {

/// Links are not remembered, as they may change while the database does not. So each look-up follows those of all names
/// with the same last part, and a project may have thousands of `main.c`.
constexpr size_t kMostAlike = 64;

} // namespace

DatabaseFiles::DatabaseFiles(std::vector<std::string> names) : names_(std::move(names)) {
  llvm::sort(names_);
  for (uint32_t i = 0; i < names_.size(); ++i)
    byLastPart_[llvm::sys::path::filename(names_[i])].push_back(i);
}

std::vector<std::string> DatabaseFiles::namesOf(const std::string &path) const {
  const auto alike = byLastPart_.find(llvm::sys::path::filename(path));
  if (alike == byLastPart_.end())
    return {};
  const bool followsLinks = alike->second.size() <= kMostAlike;
  const std::string real = followsLinks ? resolveLinks(path) : path;
  std::vector<std::string> names;
  for (const uint32_t index : alike->second)
    if (const std::string &name = names_[index]; name == path || (followsLinks && resolveLinks(name) == real))
      names.push_back(name);
  return names;
}

} // namespace analysis
