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

/// By how it begins: no input of a run does so, but for the baseline and the shards, which the run has read by then.
bool isEarlierResult(const std::string &path) {
  constexpr size_t kHead = 4096; // bytes: a SARIF names its tool within them
  std::string head(kHead, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), kHead);
  head.resize(static_cast<size_t>(file.gcount()));
  const auto has = [](std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
  };
  const std::string_view line = std::string_view(head).substr(0, head.find('\n'));
  const bool isJson = head.starts_with("{\n \"schema\": \"mca-lsp-check\"");
  const bool isSarif = head.starts_with("{\n \"$schema\": ") && has(head, "\"name\": \"mca-lsp\"");
  // A report begins with what its numbers rest on, or with an error.
  const bool isText =
      has(line, ": compile command: ") || has(line, ": target: ") || (has(line, ": error: ") && line.ends_with(']'));
  return isJson || isSarif || isText || head.starts_with("## mca-lsp\n");
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
  const bool isFile = fs::is_regular_file(status);
  replaces_ = isFile && !isEarlierResult(path);
  path_ = path;
  if (fs::exists(status) ? !isFile || (grows && !replaces_) : grows) {
    file_.open(path_, std::ios::binary | std::ios::trunc);
    return static_cast<bool>(file_);
  }
  error.clear(); // status() reports a file that is not there
  if (isFile)
    path_ = fs::canonical(path, error).string(); // a symbolic link stays one
  const std::string partial = partialName(path_);
  if (error || !std::ofstream(partial) || !fs::remove(partial, error))
    return false;
  if (!replaces_)
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

bool writeWholeFile(const std::string &path, std::string_view text) {
  ResultFile file;
  if (!file.open(path, /*grows=*/false))
    return false;
  file.write(text);
  return file.close();
}

} // namespace lsp
