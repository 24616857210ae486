#include "analysis/files/folders.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace analysis {

namespace fs = std::filesystem;

namespace {

bool isSamePlace(const fs::path &a, const fs::path &b) {
  std::error_code error;
  return fs::equivalent(a, b, error);
}

} // namespace

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

std::string repositoryAround(const std::string &file) {
  const char *home = std::getenv("HOME");
  for (fs::path folder = fs::path(file).parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
    if (home && (liesIn(home, folder) || isSamePlace(home, folder)))
      return "";
    std::error_code error;
    if (fs::exists(folder / ".git", error))
      return folder.string();
  }
  return "";
}

bool liesInProject(const std::string &file, const std::string &document, const std::vector<std::string> &folders) {
  return liesInAnyOf(file, folders) || liesIn(file, fs::path(document).parent_path()) ||
         liesIn(file, repositoryAround(document));
}

} // namespace analysis
