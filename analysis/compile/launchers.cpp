// The database is read a second time, as plain JSON, and kept until the file changes.
#include "analysis/compile/launchers.h"
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

constexpr uint64_t kMaxDatabaseBytes = 512u << 20;

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
  arguments.assign(words.begin(), words.end());
  return arguments;
}

std::string fileOf(const llvm::json::Object &entry, StringRef folder) {
  llvm::SmallString<256> file(entry.getString("file").value_or(""));
  llvm::SmallString<256> directory(entry.getString("directory").value_or(""));
  llvm::sys::path::make_absolute(folder, directory);
  llvm::sys::path::make_absolute(directory, file);
  llvm::sys::path::remove_dots(file, /*remove_dot_dot=*/true);
  return file.str().str();
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
  llvm::Expected<llvm::json::Value> json = llvm::json::parse((*text)->getBuffer());
  if (!json) {
    llvm::consumeError(json.takeError());
    return byFile;
  }
  const llvm::json::Array *entries = json->getAsArray();
  for (size_t i = 0; entries && i < entries->size(); ++i)
    if (const llvm::json::Object *entry = (*entries)[i].getAsObject())
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
