#include "analysis/traces/trace_files.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>

namespace analysis {
namespace {

std::variant<mca::TraceText, mca::TraceError> failure(std::string message) {
  return mca::TraceError{.position = {.line = 0, .column = 0}, .message = std::move(message)};
}

std::variant<mca::TraceText, mca::TraceError> readText(const std::string &path, uint64_t size, uint64_t &digest) {
  if (size > TraceFiles::kMaxBytes)
    return failure("it is larger than " + std::to_string(TraceFiles::kMaxBytes >> 20) + " MiB");
  // Volatile: a file that shrinks while it is mapped would end the process.
  const auto buffer = llvm::MemoryBuffer::getFileSlice(path, size, 0, /*IsVolatile=*/true);
  if (!buffer)
    return failure(buffer.getError().message());
  const llvm::StringRef bytes = (*buffer)->getBuffer();
  digest = llvm::xxh3_64bits(bytes);
  return mca::readTrace(std::string_view(bytes.data(), bytes.size()));
}

} // namespace

TraceFiles::Entry TraceFiles::find(const std::string &wanted, const std::string &document) {
  if (!wanted.empty())
    return read(wanted, /*isWanted=*/true);
  if (!llvm::sys::path::is_absolute(document))
    return nullptr;
  if (Entry beside = read(document + ".mcatrace", /*isWanted=*/false))
    return beside;
  llvm::SmallString<128> path(document);
  llvm::sys::path::replace_extension(path, "mcatrace");
  return read(path.str().str(), /*isWanted=*/false);
}

TraceFiles::Entry TraceFiles::read(const std::string &path, bool isWanted) {
  llvm::sys::fs::file_status status;
  const std::error_code error = llvm::sys::fs::status(path, status);
  // Opening anything else, a pipe for example, may block.
  if (error || status.type() != llvm::sys::fs::file_type::regular_file) {
    if (!isWanted)
      return nullptr;
    return std::make_shared<TraceFile>(
        TraceFile{.path = path, .text = failure(error ? error.message() : "it is no regular file")});
  }
  const llvm::sys::TimePoint<> modified = status.getLastModificationTime();
  const auto known = llvm::find_if(kept_, [&](const Kept &one) { return one.file->path == path; });
  if (known != kept_.end() && known->modified == modified && known->size == status.getSize()) {
    kept_.splice(kept_.begin(), kept_, known);
    return known->file;
  }
  if (known != kept_.end())
    kept_.erase(known);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(modified.time_since_epoch()).count();
  const auto file = std::make_shared<TraceFile>(
      TraceFile{.path = path, .modified = static_cast<uint64_t>(std::max<int64_t>(seconds, 0))});
  file->text = readText(path, status.getSize(), file->digest);
  kept_.push_front({modified, status.getSize(), file});
  uint64_t bytes = 0;
  llvm::erase_if(kept_, [&](const Kept &one) { return (bytes += std::max<uint64_t>(one.size, 4096)) > kMaxBytes; });
  return file;
}

} // namespace analysis
