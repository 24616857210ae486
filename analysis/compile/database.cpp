// A database that LLVM's library cannot read in whole, for instance one that is being written, is a problem of that
// file: the caller goes on to the next source.
#include "analysis/compile/database.h"

#include "analysis/compile/database_files.h"
#include "analysis/compile/paths.h"
#include "analysis/compile/plain_files.h"
#include "analysis/files/database_text.h"
#include "analysis/files/regular_file.h"

#include "clang/Tooling/CompilationDatabase.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/Support/FileSystem.h"
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

/// A database, read when its file had this stamp; null if it could not be read.
struct KeptDatabase {
  std::string path;
  FileStamp stamp;
  std::unique_ptr<CompilationDatabase> database;
  std::string problem;
  llvm::IntrusiveRefCntPtr<PlainFiles> files; ///< from which the database reads response files
  std::optional<DatabaseFiles> names;         ///< of the files that it compiles
};

/// The databases that were read last.
struct DatabaseCache {
  std::mutex mutex;
  std::vector<KeptDatabase> kept; ///< the most recently used first
};

DatabaseCache &databaseCache() {
  static DatabaseCache cache;
  return cache;
}

/// The stamp of a regular file. No value if there is none, or if `answer` says why it cannot be read.
std::optional<FileStamp> stampOf(const std::string &path, uint64_t maxBytes, DatabaseAnswer &answer) {
  const std::optional<FileStamp> stamp = stampOfRegularFile(path);
  answer.exists = stamp || llvm::sys::fs::exists(path);
  if (answer.exists && (!stamp || stamp->size > maxBytes)) {
    answer.problem = path + " is no regular file of at most " + std::to_string(maxBytes >> 20) + " MiB";
    return std::nullopt;
  }
  return stamp;
}

std::string cannotBeRead(const std::string &path, StringRef why) {
  return path + " cannot be read: " + why.trim().str();
}

/// The library gets a copy of the text: a file that it maps by itself may be written while it is mapped, and would have
/// other commands then, or fewer bytes.
std::unique_ptr<CompilationDatabase> parse(const std::string &text, std::string &error) {
  error = whyRefused(text);
  return error.empty() ? JSONCompilationDatabase::loadFromBuffer(withoutSurrogates(text), error,
                                                                 clang::tooling::JSONCommandLineSyntax::AutoDetect)
                       : nullptr;
}

KeptDatabase load(const std::string &path, const FileStamp &stamp) {
  KeptDatabase kept{path, stamp, nullptr, "", llvm::makeIntrusiveRefCnt<PlainFiles>(), std::nullopt};
  const RegularFile file = readRegularFile(path, kMaxDatabaseBytes);
  std::string error = file.failure;
  std::unique_ptr<CompilationDatabase> database = file.isRead() ? parse(file.text, error) : nullptr;
  if (file.isRead())
    kept.stamp = file.stamp;
  if (!database) {
    kept.problem = cannotBeRead(path, error);
    return kept;
  }
  kept.names.emplace(database->getAllFiles());
  kept.database =
      clang::tooling::inferMissingCompileCommands(clang::tooling::expandResponseFiles(std::move(database), kept.files));
  return kept;
}

/// The database at `path`, which is read again only if its file has another stamp than before. The reference is valid
/// until the next call.
const KeptDatabase &cached(std::vector<KeptDatabase> &cache, const std::string &path, const FileStamp &stamp) {
  KeptDatabase kept;
  if (const auto found = llvm::find_if(cache, [&](const KeptDatabase &one) { return one.path == path; });
      found != cache.end()) {
    kept = std::move(*found);
    cache.erase(found);
  }
  if (kept.path.empty() || kept.stamp != stamp) {
    KeptDatabase loaded = load(path, stamp);
    // A build system may just be writing the file: what was read before stays in use until the file can be read again.
    if (!loaded.database && kept.database) {
      loaded.database = std::move(kept.database);
      loaded.files = std::move(kept.files);
      loaded.names = std::move(kept.names);
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
/// name, -x, -std); we want the other file's command word for word, and so look that file up. A database may have the
/// file under several names.
std::vector<DatabaseEntry> entriesOf(const CompilationDatabase &database, const DatabaseFiles &names,
                                     const std::string &path, StringRef databaseFolder) {
  std::vector<clang::tooling::CompileCommand> commands;
  for (const std::string &name : names.namesOf(path))
    llvm::append_range(commands, database.getCompileCommands(name));
  if (commands.empty())
    commands = database.getCompileCommands(path);
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
void takeEntries(DatabaseAnswer &answer, const CompilationDatabase &database, const DatabaseFiles &names,
                 PlainFiles &files, const std::string &databasePath, const std::string &path,
                 const std::vector<std::string> &folders) {
  files.begin(withFolderOf(databasePath, folders));
  answer.entries = entriesOf(database, names, path, llvm::sys::path::parent_path(databasePath));
  for (const std::string &problem : files.takeProblems())
    addProblem(answer, problem);
  llvm::append_range(answer.files, files.takeOpened());
  dropLong(answer, databasePath);
}

} // namespace

DatabaseAnswer lookUpInDatabase(const std::string &databasePath, const std::string &path,
                                const std::vector<std::string> &folders) {
  DatabaseAnswer answer;
  const std::optional<FileStamp> stamp = stampOf(databasePath, kMaxDatabaseBytes, answer);
  if (!stamp)
    return answer;
  DatabaseCache &cache = databaseCache();
  const std::lock_guard lock(cache.mutex);
  const KeptDatabase &kept = cached(cache.kept, databasePath, *stamp);
  answer.problem = kept.problem;
  answer.files.push_back(databasePath);
  if (kept.database)
    takeEntries(answer, *kept.database, *kept.names, *kept.files, databasePath, path, folders);
  return answer;
}

std::vector<std::string> filesOfDatabase(const std::string &databasePath) {
  DatabaseAnswer answer;
  const std::optional<FileStamp> stamp = stampOf(databasePath, kMaxDatabaseBytes, answer);
  if (!stamp)
    return {};
  DatabaseCache &cache = databaseCache();
  const std::lock_guard lock(cache.mutex);
  const KeptDatabase &kept = cached(cache.kept, databasePath, *stamp);
  return kept.names ? kept.names->all() : std::vector<std::string>();
}

/// They are kept in case that the files cannot be read again.
void forgetDatabases() {
  DatabaseCache &cache = databaseCache();
  const std::lock_guard lock(cache.mutex);
  for (KeptDatabase &kept : cache.kept)
    kept.stamp = {};
}

DatabaseAnswer lookUpInEntries(const std::string &entries, const std::string &databasePath, const std::string &path,
                               const std::vector<std::string> &folders) {
  DatabaseAnswer answer{.exists = true};
  std::string error;
  std::unique_ptr<CompilationDatabase> database = parse(entries, error);
  if (!database) {
    answer.problem = cannotBeRead(databasePath, error);
    return answer;
  }
  const DatabaseFiles names(database->getAllFiles());
  const auto files = llvm::makeIntrusiveRefCnt<PlainFiles>();
  database = clang::tooling::expandResponseFiles(std::move(database), files);
  takeEntries(answer, *database, names, *files, databasePath, path, folders);
  return answer;
}

DatabaseAnswer readFlagsFile(const std::string &flagsPath, const std::string &path,
                             const std::vector<std::string> &folders) {
  DatabaseAnswer answer;
  if (!stampOf(flagsPath, kMaxFlagsBytes, answer))
    return answer;
  const std::vector<std::string> readable = withFolderOf(flagsPath, folders);
  if (!leadsBelow(flagsPath, readable)) {
    answer.problem = flagsPath + " is not read: it leads to a file outside of the opened folders";
    return answer;
  }
  const RegularFile file = readRegularFile(flagsPath, kMaxFlagsBytes);
  std::string error = file.failure;
  std::unique_ptr<CompilationDatabase> flags;
  if (file.isRead())
    flags = FixedCompilationDatabase::loadFromBuffer(llvm::sys::path::parent_path(flagsPath), file.text, error);
  if (!flags) {
    answer.problem = cannotBeRead(flagsPath, error);
    return answer;
  }
  answer.files.push_back(flagsPath);
  const auto files = llvm::makeIntrusiveRefCnt<PlainFiles>();
  const auto expanded = clang::tooling::expandResponseFiles(std::move(flags), files);
  takeEntries(answer, *expanded, DatabaseFiles({}), *files, flagsPath, path, folders);
  return answer;
}

} // namespace analysis
