#include "mca-core/engine/known_segments.h"

#include "mca-core/engine/steady_state.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>

namespace mca {

void KnownSegments::clear() {
  states_.clear();
  numbers_.clear();
  segments_.clear();
  index_.clear();
}

uint32_t KnownSegments::numberOf(const RegisterState &registers, const ResourceState &resources, int64_t now) {
  std::vector<uint64_t> words;
  StateWriter writer(words);
  // Every writer has retired, so nothing waits for it.
  registers.describe(writer, /*isStatic=*/true, [](const WriteRef &) { return true; });
  resources.describe(now, writer);
  writer(resources.generation());
  const auto [found, isNew] = numbers_.try_emplace(std::move(words), static_cast<uint32_t>(states_.size()));
  if (isNew)
    states_.push_back({.registers = registers, .units = resources.idleStates()});
  return found->second;
}

KnownSegments::Segment &KnownSegments::segment(uint32_t state, std::span<const uint32_t> instructions) {
  const auto *bytes = reinterpret_cast<const uint8_t *>(instructions.data());
  const uint64_t hash = llvm::xxh3_64bits(llvm::ArrayRef(bytes, instructions.size_bytes()));
  const auto [found, isNew] = index_.try_emplace({state, hash}, static_cast<uint32_t>(segments_.size()));
  if (isNew)
    segments_.emplace_back();
  Segment &segment = segments_[found->second];
  if (!std::ranges::equal(segment.instructions, instructions))
    segment = {.instructions = {instructions.begin(), instructions.end()}};
  return segment;
}

} // namespace mca
