#include "analysis/import/branch_records.h"
#include "analysis/import/qemu_reader.h"

#include "llvm/ADT/StringSwitch.h"

namespace analysis {

std::unique_ptr<RecordingReader> createReader(std::string_view kind) {
  using Create = std::unique_ptr<RecordingReader> (*)();
  const auto create = llvm::StringSwitch<Create>(kind).Case("qemu", createQemuReader).Default(nullptr);
  return create ? create() : nullptr;
}

} // namespace analysis
