#include "analysis/common/folders.h"

#include <algorithm>
#include <filesystem>

namespace analysis {

namespace fs = std::filesystem;

bool liesIn(const std::string &file, const std::string &folder) {
  if (!fs::path(file).is_absolute() || !fs::path(folder).is_absolute())
    return false;
  std::error_code fileError, folderError;
  const fs::path resolved = fs::weakly_canonical(file, fileError);
  const fs::path resolvedFolder = fs::weakly_canonical(folder, folderError);
  if (fileError || folderError)
    return false;
  const fs::path relative = resolved.lexically_relative(resolvedFolder);
  return !relative.empty() && relative != "." && *relative.begin() != "..";
}

bool liesInAnyOf(const std::string &file, const std::vector<std::string> &folders) {
  return std::ranges::any_of(folders, [&](const std::string &folder) { return liesIn(file, folder); });
}

} // namespace analysis
