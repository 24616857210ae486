// An overlay has two files: the text, and a description in YAML (llvm::vfs::RedirectingFileSystem) that maps paths to
// it.
#include "analysis/compile/buffer_overlay.h"

#include "analysis/compile/paths.h"

#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <utility>

namespace analysis {
namespace {

constexpr std::string_view kText = "text", kDescription = "overlay.yaml";

} // namespace

std::optional<BufferOverlay> BufferOverlay::create(const std::string &path, const std::string &text,
                                                   std::string &error) {
  std::optional<PrivateFolder> folder = PrivateFolder::create(error);
  if (!folder || !folder->write(kText, text, error) ||
      !folder->write(kDescription, describeOverlay(path, folder->pathOf(kText)), error))
    return std::nullopt;
  return BufferOverlay(std::move(*folder));
}

std::string BufferOverlay::description() const {
  return folder_.pathOf(kDescription);
}

/// Without external names, messages and line tables have the file's path, not the copy's.
std::string describeOverlay(const std::string &path, const std::string &text) {
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

} // namespace analysis
