// The response files (@FILE) and flags files that a folder names, as LLVM's tooling library reads them. They are read
// by this process, which is not confined to the project, and what is in them is shown: as flags, and as flags that were
// left out. So only files of the project are opened.
#pragma once

#include "llvm/Support/VirtualFileSystem.h"

#include <string>
#include <vector>

namespace analysis {

/// The limit of a compile_flags.txt and of a response file.
inline constexpr uint64_t kMaxFlagsBytes = 4u << 20;
/// The limits of all response files of one look-up: they may name others, each several times.
inline constexpr size_t kMaxResponseFiles = 1000;
inline constexpr uint64_t kMaxResponseBytes = 8u << 20;

/// Opens regular files of a sane size below the folders, links followed: a hostile command could name a device that
/// never ends as its response file, or a link to a file of the user's.
class PlainFiles final : public llvm::vfs::ProxyFileSystem {
public:
  PlainFiles();

  /// Begins a look-up that may open files below these folders.
  void begin(const std::vector<std::string> &folders);
  /// Why files of the look-up were not opened, each reason once, at most eight.
  std::vector<std::string> takeProblems() { return std::move(problems_); }
  /// The files of the look-up that were opened, by the absolute names that the commands have for them.
  std::vector<std::string> takeOpened() { return std::move(names_); }

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine &path) override;

private:
  std::error_code refuse(std::string problem);

  std::vector<std::string> folders_; ///< links resolved
  size_t opened_ = 0;
  uint64_t bytes_ = 0;
  std::vector<std::string> problems_;
  std::vector<std::string> names_; ///< of opened files
};

/// Whether the file, links followed, is below one of the folders.
bool leadsBelow(const std::string &file, const std::vector<std::string> &folders);

} // namespace analysis
