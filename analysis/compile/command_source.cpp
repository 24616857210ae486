// The order is clangd's: the nearest database first, then compile_flags.txt.
#include "analysis/compile/command_source.h"

#include "analysis/compile/modules.h"

#include "clang/Driver/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace analysis {
namespace {

namespace path = llvm::sys::path;
using llvm::StringRef;

constexpr const char *kDatabaseName = "compile_commands.json";
constexpr const char *kFlagsFileName = "compile_flags.txt";
/// The commands of one file that are used. A build has a handful; a hostile database may have any number.
constexpr size_t kMaxCommands = 64;

std::string joined(StringRef folder, StringRef below, StringRef name) {
  llvm::SmallString<256> file(folder);
  path::append(file, below, name);
  return file.str().str();
}

CommandSource sourceOf(std::vector<DatabaseEntry> entries, std::string origin, std::string database) {
  DatabaseEntry first = std::move(entries.front());
  entries.erase(entries.begin());
  return {std::move(first), std::move(entries), std::move(origin), std::move(database)};
}

} // namespace

bool isHeader(const std::string &file) {
  using namespace clang::driver::types;
  if (isModuleSource(file))
    return false;
  const StringRef extension = path::extension(file);
  const ID type = extension.empty() ? TY_INVALID : lookupTypeForExtension(extension.drop_front());
  return type == TY_INVALID || onlyPrecompileType(type);
}

std::optional<CommandSource> SourceSearch::inDatabases() {
  if (!settings_.compileCommandsDir.empty()) {
    const std::string database = joined(settings_.compileCommandsDir, "", kDatabaseName);
    return inDatabase(database, database);
  }
  for (StringRef folder = path::parent_path(file_); !folder.empty(); folder = path::parent_path(folder)) {
    if (auto source = inDatabase(joined(folder, "", kDatabaseName), kDatabaseName))
      return source;
    if (auto source = inDatabase(joined(folder, "build", kDatabaseName), std::string("build/") + kDatabaseName))
      return source;
  }
  return std::nullopt;
}

std::optional<CommandSource> SourceSearch::inDatabase(const std::string &database, const std::string &origin) {
  const std::string &entries = settings_.compileCommands;
  DatabaseAnswer answer = entries.empty() ? lookUpInDatabase(database, file_, folders())
                                          : lookUpInEntries(entries, database, file_, folders());
  llvm::append_range(record_.files, answer.files);
  noteWhyNot(answer, database);
  if (answer.entries.empty())
    return std::nullopt;
  if (answer.entries.size() > kMaxCommands) {
    record_.notes.push_back(database + " compiles " + path::filename(file_).str() + " " +
                            std::to_string(answer.entries.size()) + " times; of these commands the first " +
                            std::to_string(kMaxCommands) + " are used");
    answer.entries.resize(kMaxCommands);
  }
  CommandSource source = sourceOf(std::move(answer.entries), origin, database);
  if (source.entry.inferredFrom.empty())
    return source;
  if (!closest_) // the nearest database is asked first
    closest_ = std::move(source);
  return std::nullopt;
}

void SourceSearch::noteWhyNot(const DatabaseAnswer &answer, const std::string &database) {
  const bool hasOwn = !answer.entries.empty() && answer.entries.front().inferredFrom.empty();
  if (!answer.problem.empty())
    record_.notes.push_back(answer.problem);
  else if (answer.exists && !hasOwn && !isHeader(file_)) // headers never have one
    record_.notes.push_back(database + " has no entry for this file");
}

std::optional<CommandSource> SourceSearch::inFlagsFile() {
  for (StringRef folder = path::parent_path(file_); !folder.empty(); folder = path::parent_path(folder)) {
    DatabaseAnswer answer = readFlagsFile(joined(folder, "", kFlagsFileName), file_, folders());
    llvm::append_range(record_.files, answer.files);
    if (!answer.problem.empty())
      record_.notes.push_back(answer.problem);
    if (!answer.entries.empty())
      return sourceOf(std::move(answer.entries), kFlagsFileName, "");
  }
  return std::nullopt;
}

std::vector<std::string> SourceSearch::folders() const {
  std::vector<std::string> folders = settings_.projectFolders;
  llvm::append_range(folders, settings_.readableFolders);
  folders.push_back(path::parent_path(file_).str());
  return folders;
}

CommandSource SourceSearch::fallback(wire::Language language) const {
  std::vector<std::string> arguments = {"clang"};
  if (language != wire::Language::Assembly) {
    llvm::append_values(arguments, "-O2", language == wire::Language::C ? "-std=c17" : "-std=c++20");
  } else {
    llvm::append_values(arguments, "-x", "assembler-with-cpp");
  }
  if (!settings_.triple.empty())
    arguments.push_back("--target=" + settings_.triple);
  llvm::append_range(arguments, settings_.extraFlags);
  const std::string origin = "fallback: " + llvm::join(llvm::drop_begin(arguments), " ");
  return {{path::parent_path(file_).str(), std::move(arguments), ""}, {}, origin, "", true};
}

} // namespace analysis
