// An overlay has two files: the text, and a description in YAML (llvm::vfs::RedirectingFileSystem) that maps paths to
// it.
#include "analysis/compile/buffer_overlay.h"

#include "analysis/compile/paths.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace analysis {
namespace {

bool write(const std::string &path, llvm::StringRef text, std::string &error) {
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

/// The overlay that shows the file `text` at `path` and, if that is a link, also at its target: an `#include` may name
/// either. Without external names, messages and line tables have the file's path and not that of the copy.
std::string describe(const std::string &path, const std::string &text) {
  llvm::vfs::YAMLVFSWriter writer;
  writer.addFileMapping(path, text);
  if (const std::string resolved = resolveLinks(path); resolved != path)
    writer.addFileMapping(resolved, text);
  writer.setCaseSensitivity(true);
  writer.setUseExternalNames(false);
  std::string description;
  llvm::raw_string_ostream stream(description);
  writer.write(stream);
  return description;
}

} // namespace

std::optional<BufferOverlay> BufferOverlay::create(const std::string &path, const std::string &text,
                                                   std::string &error) {
  llvm::SmallString<128> name;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, name);
  llvm::sys::path::append(name, "mca-lsp-XXXXXX");
  // mkdtemp(3) makes a folder that only the user can enter.
  if (!mkdtemp(const_cast<char *>(name.c_str()))) {
    error = name.str().str() + ": " + strerror(errno);
    return std::nullopt;
  }
  BufferOverlay overlay(name.str().str());
  const std::string copy = overlay.folder_ + "/text";
  if (!write(copy, text, error) || !write(overlay.description(), describe(path, copy), error))
    return std::nullopt;
  return overlay;
}

BufferOverlay::BufferOverlay(BufferOverlay &&other) noexcept : folder_(std::exchange(other.folder_, {})) {}

BufferOverlay::~BufferOverlay() {
  if (!folder_.empty())
    llvm::sys::fs::remove_directories(folder_);
}

} // namespace analysis
