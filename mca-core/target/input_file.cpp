#include "mca-core/target/input_file.h"

#include "llvm/Support/FileSystem.h"

namespace mca {
namespace {

std::string largerThan(uint64_t maxBytes) {
  return "it is larger than " + std::to_string(maxBytes >> 20) + " MiB";
}

class RegularFiles final : public llvm::vfs::ProxyFileSystem {
public:
  explicit RegularFiles(uint64_t maxBytes) : ProxyFileSystem(llvm::vfs::getRealFileSystem()), left_(maxBytes) {}

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine &path) override {
    const llvm::ErrorOr<llvm::vfs::Status> status = this->status(path);
    if (!status)
      return status.getError();
    if (!status->isRegularFile())
      return std::make_error_code(std::errc::not_supported);
    if (status->getSize() > left_)
      return std::make_error_code(std::errc::file_too_large);
    left_ -= status->getSize();
    return ProxyFileSystem::openFileForRead(path);
  }

private:
  uint64_t left_; ///< bytes
};

} // namespace

Result<std::unique_ptr<llvm::MemoryBuffer>> readInputFile(const std::string &path, uint64_t maxBytes) {
  llvm::sys::fs::file_status status;
  if (const std::error_code error = llvm::sys::fs::status(path, status))
    return Failure{path + ": " + error.message()};
  if (status.type() != llvm::sys::fs::file_type::regular_file)
    return Failure{path + ": it is no regular file"};
  if (status.getSize() > maxBytes)
    return Failure{path + ": " + largerThan(maxBytes)};
  auto buffer = llvm::MemoryBuffer::getFileSlice(path, status.getSize(), 0, /*IsVolatile=*/true);
  if (!buffer)
    return Failure{path + ": " + buffer.getError().message()};
  return std::move(*buffer);
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> regularFiles(uint64_t maxBytes) {
  return llvm::makeIntrusiveRefCnt<RegularFiles>(maxBytes);
}

} // namespace mca
