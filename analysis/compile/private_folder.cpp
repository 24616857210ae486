#include "analysis/compile/private_folder.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace analysis {

std::optional<PrivateFolder> PrivateFolder::create(std::string &error) {
  llvm::SmallString<128> name;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, name);
  llvm::sys::path::append(name, "mca-lsp-XXXXXX");
  // mkdtemp(3) makes a folder that only the user can enter.
  if (mkdtemp(const_cast<char *>(name.c_str())))
    return PrivateFolder(name.str().str());
  error = name.str().str() + ": " + strerror(errno);
  return std::nullopt;
}

PrivateFolder::PrivateFolder(PrivateFolder &&other) noexcept : path_(std::exchange(other.path_, {})) {}

PrivateFolder::~PrivateFolder() {
  if (!path_.empty())
    static_cast<void>(llvm::sys::fs::remove_directories(path_)); // nothing could be done about a failure
}

bool PrivateFolder::write(std::string_view name, std::string_view text, std::string &error) const {
  const std::string path = pathOf(name);
  std::error_code code;
  llvm::raw_fd_ostream file(path, code);
  if (!code) {
    file << text;
    file.close();
    code = file.error();
    file.clear_error();
  }
  if (code)
    error = path + ": " + code.message();
  return !code;
}

} // namespace analysis
