// The database is read a second time, as plain JSON, and kept until the file changes: LLVM's JSONCompilationDatabase
// removes the launchers when it reads a command (unwrapCommand()).
#include "analysis/compile/launchers.h"

#include "analysis/compile/database.h"
#include "analysis/compile/paths.h"
#include "analysis/compile/wrappers.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

#include <mutex>

namespace analysis {
namespace {

using llvm::StringRef;
using Strings = std::vector<std::string>;

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
  llvm::sys::TimePoint<> modified;
  llvm::StringMap<Strings> byFile;
};

llvm::StringMap<Strings> readLaunchers(const std::string &database) {
  llvm::StringMap<Strings> byFile;
  const auto text = llvm::MemoryBuffer::getFile(database);
  if (!text)
    return byFile;
  const auto json = llvm::expectedToOptional(llvm::json::parse((*text)->getBuffer()));
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

Strings launcherInDatabase(const std::string &database, const std::string &file) {
  static std::mutex mutex;
  static Launchers kept;
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(database, status) || !llvm::sys::fs::is_regular_file(status) ||
      status.getSize() > kMaxDatabaseBytes)
    return {};
  const std::lock_guard lock(mutex);
  if (kept.database != database || kept.modified != status.getLastModificationTime())
    kept = {database, status.getLastModificationTime(), readLaunchers(database)};
  const auto found = kept.byFile.find(file);
  return found == kept.byFile.end() ? Strings() : found->second;
}

} // namespace analysis
