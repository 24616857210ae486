// A file is opened by the path that was looked at, links resolved.
#include "analysis/compile/plain_files.h"

#include "analysis/compile/paths.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

namespace analysis {
namespace {

constexpr size_t kMaxProblems = 8;

} // namespace

bool leadsBelow(const std::string &file, const std::vector<std::string> &folders) {
  const std::string resolved = resolveLinks(file);
  return llvm::any_of(folders, [&](const std::string &folder) { return isWithin(resolveLinks(folder), resolved); });
}

PlainFiles::PlainFiles() : ProxyFileSystem(llvm::vfs::createPhysicalFileSystem()) {}

void PlainFiles::begin(const std::vector<std::string> &folders) {
  folders_ = folders;
  opened_ = bytes_ = 0;
  problems_.clear();
  names_.clear();
}

std::error_code PlainFiles::refuse(std::string problem) {
  if (problems_.size() < kMaxProblems && !llvm::is_contained(problems_, problem))
    problems_.push_back(std::move(problem));
  return std::make_error_code(std::errc::not_supported);
}

llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> PlainFiles::openFileForRead(const llvm::Twine &path) {
  const llvm::ErrorOr<llvm::vfs::Status> status = this->status(path);
  if (!status)
    return status.getError();
  llvm::SmallString<256> file;
  path.toVector(file);
  if (const std::error_code error = makeAbsolute(file))
    return error;
  const std::string resolved = resolveLinks(file.str().str()), name = "the response file " + file.str().str();
  if (!leadsBelow(resolved, folders_))
    return refuse(name + " is not read: it is outside of the opened folders");
  if (!status->isRegularFile() || status->getSize() > kMaxFlagsBytes)
    return refuse(name + " is no regular file of at most " + std::to_string(kMaxFlagsBytes >> 20) + " MiB");
  bytes_ += status->getSize();
  if (++opened_ > kMaxResponseFiles || bytes_ > kMaxResponseBytes)
    return refuse("of the response files of this file's commands, no more than " + std::to_string(kMaxResponseFiles) +
                  " and " + std::to_string(kMaxResponseBytes >> 20) + " MiB are read");
  names_.push_back(file.str().str());
  return ProxyFileSystem::openFileForRead(resolved);
}

} // namespace analysis
