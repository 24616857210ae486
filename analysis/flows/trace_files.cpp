#include "analysis/flows/trace_files.h"

#include "analysis/files/folders.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>

namespace analysis {
namespace {

constexpr int64_t kNanoseconds = 1'000'000'000; // of a second

std::variant<mca::TraceText, mca::TraceError> failure(std::string message) {
  return mca::TraceError{.position = {.line = 0, .column = 0}, .message = std::move(message)};
}

} // namespace

TraceFiles::Entry TraceFiles::find(const wire::Settings &settings, const std::string &document) {
  const std::string &wanted = settings.trace;
  if (!wanted.empty())
    return settings.traceFolder.empty() ? read(wanted, /*isWanted=*/true)
                                        : readOfProject(wanted, /*isWanted=*/true, settings, document);
  if (!llvm::sys::path::is_absolute(document))
    return nullptr;
  if (Entry beside = readOfProject(document + ".mcatrace", /*isWanted=*/false, settings, document))
    return beside;
  llvm::SmallString<128> path(document);
  llvm::sys::path::replace_extension(path, "mcatrace");
  return readOfProject(path.str().str(), /*isWanted=*/false, settings, document);
}

TraceFiles::Entry TraceFiles::readOfProject(const std::string &path, bool isWanted, const wire::Settings &settings,
                                            const std::string &document) {
  if (!isWanted && !llvm::sys::fs::exists(path))
    return nullptr;
  if (liesInProject(path, document, settings.projectFolders) || liesIn(path, settings.traceFolder) ||
      liesInAnyOf(path, settings.readableFolders))
    return read(path, isWanted);
  return std::make_shared<TraceFile>(
      TraceFile{.path = path, .text = failure("it lies outside of the project that names it")});
}

TraceFiles::Entry TraceFiles::read(const std::string &path, bool isWanted) {
  const auto known = llvm::find_if(kept_, [&](const Kept &one) { return one.file->path == path; });
  if (const std::optional<FileStamp> stamp = stampOfRegularFile(path)) {
    if (known != kept_.end() && known->stamp == *stamp) {
      kept_.splice(kept_.begin(), kept_, known);
      return known->file;
    }
  } else if (!isWanted) {
    return nullptr;
  }
  if (known != kept_.end())
    kept_.erase(known);
  const RegularFile read = readRegularFile(path, kMaxBytes);
  const auto file = std::make_shared<TraceFile>(TraceFile{.path = path, .text = failure(read.failure)});
  if (!read.isRead())
    return file;
  file->modified = static_cast<uint64_t>(std::max<int64_t>(read.stamp.modified / kNanoseconds, 0));
  file->digest = llvm::xxh3_64bits(llvm::StringRef(read.text));
  file->text = mca::readTrace(read.text);
  kept_.push_front({read.stamp, file});
  uint64_t bytes = 0;
  llvm::erase_if(kept_,
                 [&](const Kept &one) { return (bytes += std::max<uint64_t>(one.stamp.size, 4096)) > kMaxBytes; });
  return file;
}

} // namespace analysis
