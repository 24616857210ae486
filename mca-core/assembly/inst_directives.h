// The directive `.inst` of ARM and AArch64, which holds the encoding of an instruction.
//
// LLVM's parsers pass it to the target's streamer. Of these only the one that prints assembly is available in every
// build of LLVM, so what it prints is read back.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

#include <cstdint>
#include <string>

namespace mca {

/// Calls a function with the bytes of each `.inst`, as they are in memory, and discards the other directives.
class InstDirectives final : public llvm::raw_ostream {
public:
  /// Whether the target has the directive.
  static bool supports(const llvm::Triple &triple) { return triple.isAArch64() || triple.isARM() || triple.isThumb(); }

  /// `onInst` must outlive this.
  explicit InstDirectives(llvm::function_ref<void(llvm::StringRef bytes)> onInst)
      : raw_ostream(/*unbuffered=*/true), onInst_(onInst) {}

private:
  void write_impl(const char *text, size_t size) override {
    position_ += size;
    for (const char c : llvm::StringRef(text, size))
      if (c != '\n')
        line_ += c;
      else
        read();
  }
  uint64_t current_pos() const override { return position_; }

  /// `.inst 0xd503201f`; of Thumb `.inst.n 0xbf00` and `.inst.w 0xf3af8000`, whose first half comes first.
  void read() {
    llvm::StringRef line = line_.str().trim();
    uint32_t encoding = 0;
    if (line.consume_front(".inst")) {
      const bool isNarrow = line.consume_front(".n"), isWide = line.consume_front(".w");
      if (!line.trim().getAsInteger(0, encoding))
        onInst_(isNarrow ? halves(encoding, 1)
                : isWide ? halves(encoding >> 16 | encoding << 16, 2)
                         : halves(encoding, 2));
    }
    line_.clear();
  }
  /// The lower half first, each in little endian.
  static std::string halves(uint32_t encoding, size_t count) {
    std::string bytes;
    for (size_t i = 0; i < 2 * count; ++i)
      bytes += static_cast<char>(encoding >> (8 * i));
    return bytes;
  }

  llvm::function_ref<void(llvm::StringRef)> onInst_;
  llvm::SmallString<64> line_;
  uint64_t position_ = 0;
};

} // namespace mca
