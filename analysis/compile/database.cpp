// A database that LLVM's library cannot read in whole, for instance one that is being written, is a problem of that
// file: the caller goes on to the next source.
#include "analysis/compile/database.h"

#include "analysis/compile/database_text.h"
#include "analysis/compile/paths.h"
#include "analysis/compile/plain_files.h"

#include "clang/Tooling/CompilationDatabase.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <memory>
#include <mutex>

namespace analysis {
namespace {

using clang::tooling::CompilationDatabase;
using clang::tooling::FixedCompilationDatabase;
using clang::tooling::JSONCompilationDatabase;
using llvm::StringRef;

/// Projects that a user has open at once.
constexpr size_t kMaxDatabases = 4;

/// The limits of one command. Linux starts no program with more than a few MiB of arguments.
constexpr size_t kMaxArguments = 100'000;
constexpr size_t kMaxArgumentBytes = 2u << 20;

/// A file that has the same modification time and size as before is taken for unchanged.
using FileState = std::pair<llvm::sys::TimePoint<>, uint64_t>;

/// A database, read when its file had this state; null if it could not be read.
struct KeptDatabase {
  std::string path;
  FileState state;
  std::unique_ptr<CompilationDatabase> database;
  std::string problem;
  llvm::IntrusiveRefCntPtr<PlainFiles> files; ///< from which the database reads response files
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

/// The text is mapped only for as long as it is looked at: the library maps it again, and copies what it is given.
std::string whyFileRefused(const std::string &path) {
  const auto text = llvm::MemoryBuffer::getFile(path);
  return text ? whyRefused((*text)->getBuffer()) : text.getError().message();
}

std::string cannotBeRead(const std::string &path, StringRef why) {
  return path + " cannot be read: " + why.trim().str();
}

KeptDatabase load(const std::string &path, const FileState &state) {
  KeptDatabase kept{path, state, nullptr, "", llvm::makeIntrusiveRefCnt<PlainFiles>()};
  std::string error = whyFileRefused(path);
  std::unique_ptr<CompilationDatabase> database;
  if (error.empty())
    database = JSONCompilationDatabase::loadFromFile(path, error, clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (database)
    kept.database = clang::tooling::inferMissingCompileCommands(
        clang::tooling::expandResponseFiles(std::move(database), kept.files));
  else
    kept.problem = cannotBeRead(path, error);
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
      loaded.files = std::move(kept.files);
      loaded.problem += "; what it held before is used";
    }
    kept = std::move(loaded);
  }
  cache.insert(cache.begin(), std::move(kept));
  cache.resize(std::min(cache.size(), kMaxDatabases));
  return cache.front();
}

std::vector<std::string> withFolderOf(const std::string &file, std::vector<std::string> folders) {
  folders.push_back(llvm::sys::path::parent_path(file).str());
  return folders;
}

/// The file whose command the library chose; empty if the command is the requested file's own. Only the text of
/// Heuristic tells the two apart.
std::string inferenceOf(const clang::tooling::CompileCommand &command) {
  StringRef heuristic = command.Heuristic;
  if (!heuristic.consume_front("inferred from "))
    return "";
  return absolutePath(heuristic, command.Directory);
}

/// Adds a sentence to the answer's problem.
void addProblem(DatabaseAnswer &answer, const std::string &problem) {
  answer.problem += (answer.problem.empty() || problem.empty() ? "" : "; ") + problem;
}

bool isTooLong(const std::vector<std::string> &arguments) {
  size_t bytes = 0;
  for (const std::string &argument : arguments)
    bytes += argument.size();
  return arguments.size() > kMaxArguments || bytes > kMaxArgumentBytes;
}

/// Drops the commands that are too long, and says so.
void dropLong(DatabaseAnswer &answer, const std::string &path) {
  if (std::erase_if(answer.entries, [](const DatabaseEntry &entry) { return isTooLong(entry.arguments); }))
    addProblem(answer, path + " has a command of more than " + std::to_string(kMaxArguments) + " arguments or " +
                           std::to_string(kMaxArgumentBytes >> 20) + " MiB, which is not used");
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

/// Adds the file's entries, and what there is to say of them, to the answer.
void takeEntries(DatabaseAnswer &answer, const CompilationDatabase &database, PlainFiles &files,
                 const std::string &databasePath, const std::string &path, const std::vector<std::string> &folders) {
  files.begin(withFolderOf(databasePath, folders));
  answer.entries = entriesOf(database, path, llvm::sys::path::parent_path(databasePath));
  for (const std::string &problem : files.takeProblems())
    addProblem(answer, problem);
  llvm::append_range(answer.files, files.takeOpened());
  dropLong(answer, databasePath);
}

} // namespace

DatabaseAnswer lookUpInDatabase(const std::string &databasePath, const std::string &path,
                                const std::vector<std::string> &folders) {
  static std::mutex mutex;
  DatabaseAnswer answer;
  const std::optional<FileState> state = stateOf(databasePath, kMaxDatabaseBytes, answer);
  if (!state)
    return answer;
  const std::lock_guard lock(mutex);
  const KeptDatabase &kept = cached(databasePath, *state);
  answer.problem = kept.problem;
  answer.files.push_back(databasePath);
  if (kept.database)
    takeEntries(answer, *kept.database, *kept.files, databasePath, path, folders);
  return answer;
}

DatabaseAnswer lookUpInEntries(const std::string &entries, const std::string &databasePath, const std::string &path,
                               const std::vector<std::string> &folders) {
  DatabaseAnswer answer{.exists = true};
  std::string error = whyRefused(entries);
  std::unique_ptr<CompilationDatabase> database;
  if (error.empty())
    database =
        JSONCompilationDatabase::loadFromBuffer(entries, error, clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (!database) {
    answer.problem = cannotBeRead(databasePath, error);
    return answer;
  }
  const auto files = llvm::makeIntrusiveRefCnt<PlainFiles>();
  database = clang::tooling::expandResponseFiles(std::move(database), files);
  takeEntries(answer, *database, *files, databasePath, path, folders);
  return answer;
}

DatabaseAnswer readFlagsFile(const std::string &flagsPath, const std::string &path,
                             const std::vector<std::string> &folders) {
  DatabaseAnswer answer;
  if (!stateOf(flagsPath, kMaxFlagsBytes, answer))
    return answer;
  const std::vector<std::string> readable = withFolderOf(flagsPath, folders);
  if (!leadsBelow(flagsPath, readable)) {
    answer.problem = flagsPath + " is not read: it leads to a file outside of the opened folders";
    return answer;
  }
  std::string error;
  auto flags = FixedCompilationDatabase::loadFromFile(flagsPath, error);
  if (!flags) {
    answer.problem = flagsPath + " cannot be read: " + error;
    return answer;
  }
  answer.files.push_back(flagsPath);
  const auto files = llvm::makeIntrusiveRefCnt<PlainFiles>();
  const auto expanded = clang::tooling::expandResponseFiles(std::move(flags), files);
  takeEntries(answer, *expanded, *files, flagsPath, path, folders);
  return answer;
}

} // namespace analysis
