// The lookup in PATH is that of execvp(3), without the relative folders that it allows.
#include "analysis/compile/paths.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cstdlib>

namespace analysis {

namespace path = llvm::sys::path;
using llvm::StringRef;

std::string absolutePath(StringRef name, StringRef directory) {
  llvm::SmallString<256> file(name);
  path::make_absolute(directory, file);
  path::remove_dots(file, /*remove_dot_dot=*/true);
  return file.str().str();
}

std::string resolveLinks(const std::string &path) {
  llvm::SmallString<256> resolved;
  return llvm::sys::fs::real_path(path, resolved) ? path : resolved.str().str();
}

bool isSameFile(const std::string &a, const std::string &b) {
  return a == b || (path::filename(a) == path::filename(b) && llvm::sys::fs::equivalent(a, b));
}

bool isWithin(StringRef folder, StringRef file) {
  return file.consume_front(folder) && (file.empty() || file.front() == '/');
}

std::string findInPath(const std::string &name) {
  const char *searchPath = std::getenv("PATH");
  llvm::SmallVector<StringRef> folders;
  StringRef(searchPath ? searchPath : "").split(folders, ':', -1, /*KeepEmpty=*/false);
  llvm::erase_if(folders, [](StringRef folder) { return !path::is_absolute(folder); });
  if (folders.empty()) // findProgramByName() would search PATH itself
    return name;
  const llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName(name, folders);
  return found ? *found : name;
}

} // namespace analysis
