// A database that LLVM's library cannot read in whole, for instance one that is being written, is a problem of that
// file: the caller goes on to the next source.
#include "analysis/compile/database.h"

#include "analysis/compile/paths.h"

#include "clang/Tooling/CompilationDatabase.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <algorithm>
#include <memory>
#include <mutex>

namespace analysis {
namespace {

using clang::tooling::CompilationDatabase;
using clang::tooling::FixedCompilationDatabase;
using clang::tooling::JSONCompilationDatabase;
using llvm::StringRef;

/// The limit of a compile_flags.txt and of a response file.
constexpr uint64_t kMaxFlagsBytes = 4u << 20;
/// Projects that a user has open at once.
constexpr size_t kMaxDatabases = 4;

/// Opens only regular files of a sane size: a hostile command could name a device that never ends as its response file.
class PlainFiles final : public llvm::vfs::ProxyFileSystem {
public:
  PlainFiles() : ProxyFileSystem(llvm::vfs::createPhysicalFileSystem()) {}

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine &path) override {
    const llvm::ErrorOr<llvm::vfs::Status> status = this->status(path);
    if (!status)
      return status.getError();
    if (!status->isRegularFile() || status->getSize() > kMaxFlagsBytes)
      return std::make_error_code(std::errc::not_supported);
    return ProxyFileSystem::openFileForRead(path);
  }
};

/// A file that has the same modification time and size as before is taken for unchanged.
using FileState = std::pair<llvm::sys::TimePoint<>, uint64_t>;

/// A database, read when its file had this state; null if it could not be read.
struct KeptDatabase {
  std::string path;
  FileState state;
  std::unique_ptr<CompilationDatabase> database;
  std::string problem;
};

/// The state of a regular file. No value if there is none, or if `answer` says why it cannot be read.
std::optional<FileState> stateOf(const std::string &path, uint64_t maxBytes, DatabaseAnswer &answer) {
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(path, status))
    return std::nullopt;
  answer.exists = true;
  if (!llvm::sys::fs::is_regular_file(status) || status.getSize() > maxBytes) {
    answer.problem = path + " is no regular file of at most " + std::to_string(maxBytes >> 20) + " MiB";
    return std::nullopt;
  }
  return FileState{status.getLastModificationTime(), status.getSize()};
}

KeptDatabase load(const std::string &path, const FileState &state) {
  KeptDatabase kept{path, state, nullptr, ""};
  std::string error;
  if (auto database =
          JSONCompilationDatabase::loadFromFile(path, error, clang::tooling::JSONCommandLineSyntax::AutoDetect))
    kept.database = clang::tooling::inferMissingCompileCommands(
        clang::tooling::expandResponseFiles(std::move(database), llvm::makeIntrusiveRefCnt<PlainFiles>()));
  else
    kept.problem = path + " cannot be read: " + StringRef(error).trim().str();
  return kept;
}

/// The database at `path`, which is read again only if its file has another state than before. The reference is valid
/// until the next call.
const KeptDatabase &cached(const std::string &path, const FileState &state) {
  static std::vector<KeptDatabase> cache; // the most recently used first
  KeptDatabase kept;
  if (const auto found = llvm::find_if(cache, [&](const KeptDatabase &one) { return one.path == path; });
      found != cache.end()) {
    kept = std::move(*found);
    cache.erase(found);
  }
  if (kept.path.empty() || kept.state != state) {
    KeptDatabase loaded = load(path, state);
    // A build system may just be writing the file: what was read before stays in use until the file can be read again.
    if (!loaded.database && kept.database) {
      loaded.database = std::move(kept.database);
      loaded.problem += "; what it held before is used";
    }
    kept = std::move(loaded);
  }
  cache.insert(cache.begin(), std::move(kept));
  cache.resize(std::min(cache.size(), kMaxDatabases));
  return cache.front();
}

/// The file whose command the library chose; empty if the command is the requested file's own. Only the text of
/// Heuristic tells the two apart.
std::string inferenceOf(const clang::tooling::CompileCommand &command) {
  StringRef heuristic = command.Heuristic;
  if (!heuristic.consume_front("inferred from "))
    return "";
  return absolutePath(heuristic, command.Directory);
}

/// The file's commands, one for each time that it is built. The library adapts an inferred command to the file (its
/// name, -x, -std); we want the other file's command word for word, and so look that file up.
std::vector<DatabaseEntry> entriesOf(const CompilationDatabase &database, const std::string &path,
                                     StringRef databaseFolder) {
  std::vector<clang::tooling::CompileCommand> commands = database.getCompileCommands(path);
  const std::string inferredFrom = commands.empty() ? "" : inferenceOf(commands.front());
  if (!inferredFrom.empty())
    commands = database.getCompileCommands(inferredFrom);
  std::vector<DatabaseEntry> entries;
  for (clang::tooling::CompileCommand &command : commands) {
    if (command.CommandLine.empty() || !inferenceOf(command).empty())
      continue;
    llvm::SmallString<256> directory(command.Directory);
    llvm::sys::path::make_absolute(databaseFolder, directory);
    entries.push_back({directory.str().str(), std::move(command.CommandLine), inferredFrom});
  }
  return entries;
}

} // namespace

DatabaseAnswer lookUpInDatabase(const std::string &databasePath, const std::string &path) {
  static std::mutex mutex;
  DatabaseAnswer answer;
  const std::optional<FileState> state = stateOf(databasePath, kMaxDatabaseBytes, answer);
  if (!state)
    return answer;
  const std::lock_guard lock(mutex);
  const KeptDatabase &kept = cached(databasePath, *state);
  answer.problem = kept.problem;
  if (kept.database)
    answer.entries = entriesOf(*kept.database, path, llvm::sys::path::parent_path(databasePath));
  return answer;
}

DatabaseAnswer readFlagsFile(const std::string &flagsPath, const std::string &path) {
  DatabaseAnswer answer;
  if (!stateOf(flagsPath, kMaxFlagsBytes, answer))
    return answer;
  std::string error;
  auto flags = FixedCompilationDatabase::loadFromFile(flagsPath, error);
  if (!flags) {
    answer.problem = flagsPath + " cannot be read: " + error;
    return answer;
  }
  const auto expanded = clang::tooling::expandResponseFiles(std::move(flags), llvm::makeIntrusiveRefCnt<PlainFiles>());
  answer.entries = entriesOf(*expanded, path, llvm::sys::path::parent_path(flagsPath));
  return answer;
}

} // namespace analysis
