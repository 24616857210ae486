// The scheduler's buffers while a region runs: how many entries are used, and which buffers are reserved.
//
// The rules are llvm-mca 22.1's (ResourceManager::reserveBuffers and releaseBuffers in LLVM's MCA library). A buffer
// has a size, no limit, or size 0: dispatch reserves a buffer of size 0 until the resource's units are free again.
#pragma once

#include "mca-core/engine/bits.h"
#include "mca-core/engine/resource_rules.h"

#include <array>
#include <bit>
#include <cstdint>

namespace mca {

class BufferState {
public:
  /// The buffers of one instruction.
  struct Entries {
    uint64_t mask = 0;                ///< state bits of the buffers
    std::array<uint64_t, 2> packed{}; ///< one entry in each, in the lanes of used_
  };

  /// Empties the buffers with the state bits `used`. Each has `scale` times the entries of the model.
  void reset(const ProcessorResources &processor, uint64_t used, uint32_t scale = 1);
  /// Returns the entries of an instruction that waits in the buffers with these state bits.
  Entries entriesOf(uint64_t mask) const;

  /// Whether one of the buffers has size 0 and its units are not free yet.
  bool isReserved(const Entries &entries) const { return entries.mask & reserved_; }
  /// Whether none of the buffers is reserved or full.
  bool haveRoom(const Entries &entries) const {
    return !(entries.mask & (reserved_ | full_)) &&
           !(((used_[0] + entries.packed[0]) | (used_[1] + entries.packed[1])) & kFullLanes);
  }
  /// Takes the entries of a dispatched instruction.
  void reserve(const Entries &entries) {
    reserved_ ^= entries.mask & zeroBuffers_;
    used_[0] += entries.packed[0];
    used_[1] += entries.packed[1];
    forEachBit(entries.mask & unpacked_, [this](unsigned index) {
      if (--freeEntries_[index] == 0)
        full_ ^= bitOf(index);
    });
  }
  /// Frees the entries of an issued instruction. Buffers of size 0 stay reserved until their units are free.
  void release(const Entries &entries) {
    used_[0] -= entries.packed[0];
    used_[1] -= entries.packed[1];
    full_ &= ~entries.mask;
    forEachBit(entries.mask & unpacked_, [this](unsigned index) { ++freeEntries_[index]; });
  }
  /// `mask`: state bits of buffers of size 0 that change between reserved and free.
  void toggleReserved(uint64_t mask) { reserved_ ^= mask; }

  /// Passes everything that later cycles depend on to `sink`; stops if that returns false.
  template <typename Sink>
  bool describe(Sink &sink) const {
    bool same = sink(reserved_, used_[0], used_[1]);
    forEachBit(unpacked_, [&](unsigned index) { same = same && sink(freeEntries_[index]); });
    return same;
  }
  uint64_t fingerprint() const { return used_[0] ^ std::rotl(used_[1], 7); }

private:
  static constexpr uint32_t kMaxEntries = 0x7FFF;
  static constexpr uint64_t kFullLanes = 0x8000'8000'8000'8000ull;

  uint64_t zeroBuffers_ = 0; ///< state bits of buffers of size 0
  uint64_t reserved_ = 0;    ///< of them
  /// One 16-bit lane per buffer: its used entries, plus kMaxEntries minus its size. The highest bit of a lane is set
  /// when the buffer overflows, so that one addition checks all of an instruction's buffers.
  std::array<uint64_t, 2> used_{};
  std::array<uint8_t, 8> packed_{}; ///< by lane: state index
  size_t packedCount_ = 0;          ///< lanes in use
  // Further buffers with a size, for which used_ has no lane:
  uint64_t unpacked_ = 0;                  ///< state bits
  uint64_t full_ = 0;                      ///< of them
  std::array<uint32_t, 64> freeEntries_{}; ///< by state index
};

} // namespace mca
