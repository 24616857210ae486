// A wrapper may have options and assignments of its own, and each has its own syntax: `ccache compiler_check=content
// gcc …`, `cmake -E env A=b --unset=C clang++ …`. So the compiler is the first argument with a compiler's name.
#include "analysis/compile/wrappers.h"
#include "analysis/compile/compiler_choice.h"
#include "analysis/compile/database.h"
#include "analysis/compile/paths.h"
#include "analysis/files/database_text.h"
#include "analysis/files/regular_file.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

#include <algorithm>
#include <mutex>

namespace analysis {
namespace {

using llvm::StringRef;
using Strings = std::vector<std::string>;

constexpr StringRef kWrappers[] = {"ccache",    "distcc", "icecc", "sccache", "gomacc", "buildcache",
                                   "rewrapper", "env",    "nice",  "time",    "cmake"};
constexpr StringRef kLaunchers[] = {"ccache", "sccache", "icecc"};
/// The limit of a wrapper's own arguments. A program with more before the compiler is no wrapper.
constexpr size_t kMaxWrapperArguments = 16;

bool isWrapper(StringRef program) {
  return llvm::is_contained(kWrappers, llvm::sys::path::stem(program));
}

/// The index of the program that the wrapper at the front runs; 0 if none can be recognized.
size_t findWrapped(const Strings &arguments) {
  const size_t end = std::min(arguments.size(), kMaxWrapperArguments + 2);
  for (size_t at = 1; at < end; ++at)
    if (isCompilerName(arguments[at]) || isWrapper(arguments[at]))
      return at;
  // A compiler with a name of its own (`ccache mycc -c a.c`).
  const StringRef next = arguments.size() > 1 ? StringRef(arguments[1]) : StringRef();
  return next.empty() || next.starts_with("-") || next.contains('=') ? 0 : 1;
}

// ---- launchers of a database ---------------------------------------------------------------------------------------

Strings argumentsOf(const llvm::json::Object &entry) {
  Strings arguments;
  if (const llvm::json::Array *list = entry.getArray("arguments")) {
    for (const llvm::json::Value &argument : *list)
      arguments.push_back(argument.getAsString().value_or("").str());
    return arguments;
  }
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *> words;
  llvm::cl::TokenizeGNUCommandLine(entry.getString("command").value_or(""), saver, words);
  return Strings(words.begin(), words.end());
}

std::string fileOf(const llvm::json::Object &entry, StringRef folder) {
  return absolutePath(entry.getString("file").value_or(""),
                      absolutePath(entry.getString("directory").value_or(""), folder));
}

/// The launchers of one database, by file.
struct Launchers {
  std::string database;
  FileStamp stamp;
  llvm::StringMap<Strings> byFile;
};

/// Those of the database that was asked for last.
struct LaunchersCache {
  std::mutex mutex;
  Launchers kept;
};

LaunchersCache &launchersCache() {
  static LaunchersCache cache;
  return cache;
}

llvm::StringMap<Strings> readLaunchers(const std::string &database) {
  llvm::StringMap<Strings> byFile;
  const auto json = llvm::expectedToOptional(llvm::json::parse(readRegularFile(database, kMaxDatabaseBytes).text));
  const llvm::json::Array *entries = json ? json->getAsArray() : nullptr;
  if (!entries)
    return byFile;
  for (const llvm::json::Value &value : *entries)
    if (const llvm::json::Object *entry = value.getAsObject())
      if (Strings arguments = argumentsOf(*entry); !arguments.empty())
        byFile.try_emplace(fileOf(*entry, llvm::sys::path::parent_path(database)), takeCompiler(arguments).launcher);
  return byFile;
}

} // namespace

TakenCompiler takeCompiler(Strings &arguments) {
  TakenCompiler taken;
  while (isWrapper(arguments.front())) {
    const size_t wrapped = findWrapped(arguments);
    if (wrapped == 0)
      break;
    const auto end = arguments.begin() + static_cast<ptrdiff_t>(wrapped);
    if (llvm::is_contained(kLaunchers, llvm::sys::path::stem(arguments.front())))
      taken.launcher.insert(taken.launcher.end(), arguments.begin(), end);
    arguments.erase(arguments.begin(), end);
  }
  taken.name = std::move(arguments.front());
  arguments.erase(arguments.begin());
  return taken;
}

/// The database is read a second time, as plain JSON, and kept until the file changes: LLVM's JSONCompilationDatabase
/// removes the launchers when it reads a command (unwrapCommand()).
Strings launcherInDatabase(const std::string &database, const std::string &file) {
  const std::optional<FileStamp> stamp = stampOfRegularFile(database);
  if (!stamp)
    return {};
  LaunchersCache &cache = launchersCache();
  const std::lock_guard lock(cache.mutex);
  if (cache.kept.database != database || cache.kept.stamp != *stamp)
    cache.kept = {database, *stamp, readLaunchers(database)};
  return cache.kept.byFile.lookup(file);
}

void forgetLaunchers() {
  LaunchersCache &cache = launchersCache();
  const std::lock_guard lock(cache.mutex);
  cache.kept = {};
}

} // namespace analysis
