// Assigns a lane of 16 bits to each buffer that fits.
#include "mca-core/engine/buffer_state.h"

namespace mca {

void BufferState::reset(const ProcessorResources &processor, uint64_t used, uint32_t scale) {
  zeroBuffers_ = processor.zeroBuffers;
  reserved_ = 0;
  used_ = {};
  full_ = unpacked_ = 0;
  packedCount_ = 0;
  forEachBit(used & processor.buffered, [&](unsigned index) {
    const auto size = static_cast<uint32_t>(processor.resources[index].bufferSize) * scale;
    if (packedCount_ == packed_.size() || size > kMaxEntries) {
      unpacked_ |= bitOf(index);
      freeEntries_[index] = size;
      return;
    }
    used_[packedCount_ / 4] += uint64_t(kMaxEntries - size) << packedCount_ % 4 * 16;
    packed_[packedCount_++] = static_cast<uint8_t>(index);
  });
}

BufferState::Entries BufferState::entriesOf(uint64_t mask) const {
  Entries entries{.mask = mask};
  for (size_t i = 0; i < packedCount_; ++i)
    entries.packed[i / 4] += (mask >> packed_[i] & 1) << i % 4 * 16;
  return entries;
}

} // namespace mca
