// rename(2) replaces a name in one step, on NFS, too. The partial file lies beside the result, because a file cannot be
// renamed into another file system, and it is there only while it is written, so that an interrupted run leaves
// nothing.
#include "lsp/check/result_file.h"

#include <filesystem>
#include <random>
#include <system_error>

namespace lsp {
namespace {

namespace fs = std::filesystem;

/// Another name for each run: a scheduler may start a job again while it believes the first one to be dead.
std::string partialName(const std::string &path) {
  std::random_device random;
  return path + "." + std::to_string(random()) + std::to_string(random()) + ".partial";
}

} // namespace

ResultFile::~ResultFile() {
  std::error_code ignored;
  if (!partial_.empty())
    fs::remove(partial_, ignored);
}

bool ResultFile::open(const std::string &path, bool grows) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  path_ = path;
  if (grows || (fs::exists(status) && !fs::is_regular_file(status))) {
    file_.open(path_, std::ios::binary | std::ios::trunc);
    return static_cast<bool>(file_);
  }
  error.clear(); // status() reports a file that is not there
  if (fs::exists(status))
    path_ = fs::canonical(path, error).string(); // a symbolic link stays one
  const std::string partial = partialName(path_);
  if (error || !std::ofstream(partial) || !fs::remove(partial, error))
    return false;
  fs::remove(path_, error);
  partial_ = partial;
  return !error;
}

void ResultFile::write(std::string_view text) {
  if (!partial_.empty() && !file_.is_open())
    file_.open(partial_, std::ios::binary | std::ios::trunc);
  file_.write(text.data(), static_cast<std::streamsize>(text.size()));
}

bool ResultFile::close() {
  write(""); // a result without text is a file, too
  file_.close();
  if (!file_ || partial_.empty())
    return static_cast<bool>(file_);
  std::error_code error;
  fs::rename(partial_, path_, error);
  if (!error)
    partial_.clear();
  return !error;
}

} // namespace lsp
