// The program that ran, as its ELF file describes it: where its functions lie, and how addresses of its process relate
// to those of the file.
#pragma once

#include "mca-core/target/result.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace analysis {

struct ProgramFunction {
  llvm::StringRef name;
  uint64_t address = 0;  ///< of the file: before it was moved to where it ran
  llvm::StringRef bytes; ///< to the end of its section if the symbol has no size
  bool hasSize = false;
};

/// The basic blocks of a file by the address of their function, or of its part.
using BlockMap = std::map<uint64_t, std::vector<llvm::object::BBAddrMap::BBEntry>>;
/// Reads a file's block address map, of one section if that is given; empty if there is none, or a broken one.
BlockMap readBlockMap(const llvm::object::ObjectFile &file, std::optional<unsigned> section);

class ProgramImage {
public:
  /// Fails if the file cannot be read, is no regular file of at most 16 GiB, or is no ELF program.
  static mca::Result<std::unique_ptr<ProgramImage>> open(const std::string &path);

  const std::string &path() const { return path_; }
  /// Lower-case hexadecimal; empty if the linker wrote none.
  const std::string &buildId() const { return buildId_; }
  std::string triple() const { return object_->makeTriple().str(); }
  const llvm::object::ObjectFile &object() const { return *object_; }
  /// The features that the file declares, as LLVM writes them; empty for most architectures.
  std::string features() const;
  /// Whether the system chooses where the program runs.
  bool isMovable() const { return isMovable_; }
  /// The lowest address of a segment with code.
  uint64_t firstCode() const { return firstCode_; }
  /// The address of a byte of the file; nothing if it is not loaded. The start of a page that a segment starts within
  /// belongs to the segment.
  std::optional<uint64_t> addressOf(uint64_t fileOffset) const;

  /// Those of a name: several files of a program may have static functions of one name.
  llvm::ArrayRef<ProgramFunction> functionsNamed(llvm::StringRef name) const;
  /// All of them, by name.
  const llvm::StringMap<std::vector<ProgramFunction>> &functions() const { return functions_; }
  const BlockMap &blockMap() const {
    if (!blockMap_)
      blockMap_ = readBlockMap(*object_, std::nullopt);
    return *blockMap_;
  }
  /// The name of a function that starts at an address; empty without one.
  llvm::StringRef nameAt(uint64_t address) const { return names_.lookup(address); }

private:
  ProgramImage() = default;
  bool hasWholeSymbolTables() const;
  void readSegments();
  void readBuildId();
  void readFunctions();

  struct Segment {
    uint64_t address, offset, size;
  };
  std::string path_;
  std::string buildId_;
  std::unique_ptr<llvm::MemoryBuffer> buffer_;
  std::unique_ptr<llvm::object::ObjectFile> object_;
  bool isMovable_ = false;
  uint64_t firstCode_ = 0;
  std::vector<Segment> segments_;
  llvm::StringMap<std::vector<ProgramFunction>> functions_;
  llvm::DenseMap<uint64_t, llvm::StringRef> names_;
  mutable std::optional<BlockMap> blockMap_; ///< read when it is needed: few programs have one
};

} // namespace analysis
