// An editor that saves a file by renaming another one changes the time of the folder, so folders are compared by their
// names. A name counts if it is a header's, or a part of an included file's path: <vector> has no extension, and
// <Eigen/Dense> is found through its folder.
#include "analysis/compile/included_files.h"

#include "clang/Driver/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>

namespace analysis {
namespace {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Times of files are those of the kernel's last tick, which may be some milliseconds before what the clock says.
constexpr std::chrono::milliseconds kClockTick{100};

int64_t nanoseconds(std::chrono::system_clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

void sortUniquely(std::vector<std::string> &names) {
  llvm::sort(names);
  names.erase(llvm::unique(names), names.end());
}

/// Whether the extension is one of headers. Editors and builds write other files all the time.
bool isNamedAsHeader(llvm::StringRef name) {
  using namespace clang::driver::types;
  const llvm::StringRef extension = path::extension(name);
  const ID type = extension.empty() ? TY_INVALID : lookupTypeForExtension(extension.drop_front());
  return type != TY_INVALID && onlyPrecompileType(type);
}

/// The time of the folder's last change; 0 if there is none.
int64_t changeOf(const std::string &folder) {
  fs::file_status status;
  if (fs::status(folder, status) || !fs::is_directory(status))
    return 0;
  return status.getLastModificationTime().time_since_epoch().count();
}

} // namespace

std::optional<IncludedFiles> IncludedFiles::of(const std::vector<std::string> &files,
                                               const std::vector<std::string> &searched,
                                               std::chrono::system_clock::time_point start) {
  const int64_t latest = nanoseconds(start - kClockTick);
  IncludedFiles all;
  std::vector<std::string> folders = searched;
  for (const std::string &file : files) {
    const std::optional<FileStamp> stamp = stampOfRegularFile(file);
    if (!stamp || stamp->statusChanged >= latest)
      return std::nullopt;
    all.files_.emplace_back(file, *stamp);
    folders.push_back(path::parent_path(file).str());
    for (auto part = path::begin(file); part != path::end(file); ++part)
      all.names_.push_back(part->str());
  }
  sortUniquely(all.names_);
  sortUniquely(folders);
  for (const std::string &folder : folders) {
    all.folders_.push_back(all.folderOf(folder));
    if (all.folders_.back().changed >= latest)
      return std::nullopt;
  }
  return all;
}

bool IncludedFiles::areUnchanged() const {
  return llvm::all_of(files_, [](const auto &file) { return stampOfRegularFile(file.first) == file.second; }) &&
         llvm::all_of(folders_, [&](const Folder &before) {
           const int64_t changed = changeOf(before.path);
           return changed == before.changed ||
                  (changed != 0 && before.changed != 0 && folderOf(before.path).headers == before.headers);
         });
}

IncludedFiles::Folder IncludedFiles::folderOf(const std::string &path) const {
  Folder folder{.path = path, .changed = changeOf(path), .headers = {}};
  std::error_code error;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error))
    if (std::string name = path::filename(entry->path()).str(); mayBeIncluded(name))
      folder.headers.push_back(std::move(name));
  llvm::sort(folder.headers);
  return folder;
}

bool IncludedFiles::mayBeIncluded(const std::string &name) const {
  return isNamedAsHeader(name) || std::ranges::binary_search(names_, name);
}

} // namespace analysis
