// Reading files that the programs of mca-core are given: only regular ones, up to a stated size. A device has no end, a
// FIFO may never have a beginning.
#pragma once

#include "mca-core/target/result.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <cstdint>
#include <memory>
#include <string>

namespace mca {

/// The content of a regular file of at most so many bytes. The message of a failure begins with the path.
Result<std::unique_ptr<llvm::MemoryBuffer>> readInputFile(const std::string &path, uint64_t maxBytes);

/// For `.include` and `.incbin`: the system's files, as far as they are regular. Opens at most `maxBytes` in total.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> regularFiles(uint64_t maxBytes);

} // namespace mca
