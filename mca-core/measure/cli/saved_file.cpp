// Not llvm::writeToOutput: that ends the process when the disk is full, after it has replaced the file.
#include "mca-core/measure/cli/saved_file.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace mca::measure {
namespace {

namespace fs = llvm::sys::fs;

Failure failureAt(const std::string &path, const std::string &reason) {
  return {path + " cannot be written: " + reason};
}

llvm::Expected<fs::TempFile> openBeside(const std::string &path) {
  return fs::TempFile::create(path + ".%%%%%%");
}

} // namespace

std::optional<Failure> findObstacle(const std::string &path) {
  const llvm::StringRef folder = llvm::sys::path::parent_path(path);
  if (const std::error_code error = folder.empty() ? std::error_code() : fs::create_directories(folder))
    return failureAt(path, error.message());
  if (fs::exists(path) && !fs::is_regular_file(path))
    return failureAt(path, "it is no regular file");
  auto file = openBeside(path);
  llvm::Error error = file ? file->discard() : file.takeError();
  if (error)
    return failureAt(path, llvm::toString(std::move(error)));
  return std::nullopt;
}

std::optional<Failure> replaceFile(const std::string &path, const std::string &text) {
  auto file = openBeside(path);
  if (!file)
    return failureAt(path, llvm::toString(file.takeError()));
  llvm::raw_fd_ostream out(file->FD, /*shouldClose=*/false);
  out << text;
  out.flush();
  const std::error_code written = out.error();
  out.clear_error();
  llvm::Error error = written ? file->discard() : file->keep(path);
  if (written) {
    llvm::consumeError(std::move(error));
    return failureAt(path, written.message());
  }
  if (error)
    return failureAt(path, llvm::toString(std::move(error)));
  return std::nullopt;
}

} // namespace mca::measure
