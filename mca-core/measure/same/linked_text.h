// A whole assembly text as code and data at the addresses of the child: LLVM's assembler makes the object file, and its
// run-time linker fills in the addresses.
//
// What other files define gets addresses where no memory is. A function that uses it only on a path that is not taken
// runs, and one that does use it ends with a fault, whose address gives the name. Functions whose results are exact
// (memcpy, floorf and the like) are provided.
#pragma once

#include "mca-core/target/result.h"
#include "mca-core/target/target.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mca::measure {

/// A variable of the text that may be written.
struct LinkedVariable {
  std::string name;
  uint64_t address = 0;
  uint64_t size = 0;         ///< bytes
  bool hasAddresses = false; ///< some of its content is an address that the linker filled in
};

/// What is called, and the memory that it needs. All addresses are the child's.
struct LinkedText {
  static constexpr size_t kMaxDataBytes = 512 << 10;

  std::vector<uint8_t> code; ///< and constants; for Image::code
  uint64_t entry = 0;        ///< what the harness jumps to: it calls a CallRecord's function
  uint64_t function = 0;
  std::vector<uint8_t> data;             ///< the variables, for kDataAddress; at most kMaxDataBytes
  std::vector<LinkedVariable> variables; ///< sorted by name
  std::vector<std::string> externals;    ///< what other files define

  /// The external that an address belongs to; null if it is none's.
  const std::string *externalAt(uint64_t address) const;
};

/// Where the variables are.
inline constexpr uint64_t kDataAddress = 0x2001'0000;

/// What the entry needs of one call, in memory that register r12 points to. Integers and addresses are in `integers`
/// and then in `stack`, as the System V ABI passes them.
struct CallRecord {
  static constexpr size_t kMaxStackWords = 16; ///< an even number, so that the stack stays aligned

  uint64_t function;
  uint64_t data, dataBytes; ///< where the variables come from and go to
  uint64_t integers[6];
  uint64_t vectors[8]; ///< the low halves of xmm0 to xmm7
  uint64_t stackWords; ///< even
  uint64_t stack[kMaxStackWords];
  uint64_t integerResult, vectorResult; ///< rax and the low half of xmm0
};

/// Fails with a clause such as "line 7: unknown directive", "it makes a system call", or if there is no such function.
/// The whole text must consist of allowed instructions (forbidden.h).
Result<LinkedText> linkText(const Target &target, llvm::StringRef text, llvm::StringRef function);

} // namespace mca::measure
