// An assembly text as an ELF object file in memory, made by LLVM's assembler.
#pragma once

#include "mca-core/target/result.h"
#include "mca-core/target/target.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace mca {

/// The bytes of the object file, without the text's debug sections. Fails at the first line that does not assemble, or
/// if the target has no assembler. `files`: for `.include` and `.incbin`; null means all of the system's.
Result<llvm::SmallVector<char, 0>> assembleObject(const Target &target, llvm::StringRef text,
                                                  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = nullptr);

} // namespace mca
