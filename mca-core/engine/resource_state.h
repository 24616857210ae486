// The processor's resources while a region runs: which units are free, who reserved what, and which unit is next.
//
// The rules are llvm-mca 22.1's (class ResourceManager of LLVM's MCA library, and DefaultResourceStrategy for the
// choice of a unit): a unit that is taken is taken in every group that holds it; a group gives out its highest free
// unit that is next in sequence, and a round ends when none is left; uses by other groups count for the next round.
#pragma once

#include "mca-core/model/body.h"
#include "mca-core/views/collectors.h"

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace mca {

class ResourceState {
public:
  explicit ResourceState(const ResourceTable &table);

  enum class Buffers { Free, Full, Reserved };
  Buffers buffersFor(uint64_t buffers) const {
    if (buffers & reservedBuffers_)
      return Buffers::Reserved;
    return buffers & ~freeBuffers_ ? Buffers::Full : Buffers::Free;
  }
  void reserveBuffers(uint64_t buffers);
  void releaseBuffers(uint64_t buffers);

  /// True when every resource that the instruction needs has a free unit.
  bool canIssue(const BodyInstruction &instruction, const BodyResource *resources) const {
    if (instruction.plainResources)
      return !(instruction.needed & ~ready_) && !(instruction.groups & reservedGroups_);
    return busyMask(instruction, resources) == 0;
  }
  /// The masks of what is missing; 0 when nothing is.
  uint64_t busyMask(const BodyInstruction &instruction, const BodyResource *resources) const;
  /// Takes the units, from cycle `now` on, and lists them in `used`.
  void issue(const BodyInstruction &instruction, const BodyResource *resources, int64_t now,
             std::vector<UsedUnit> &used);
  /// Gives back what is free again at the start of cycle `now`.
  void startCycle(int64_t now);

private:
  struct Resource {
    uint64_t mask = 0;
    uint64_t units = 0; ///< all of them: bits of units, or of the members of a group
    uint64_t free = 0;
    uint64_t groups = 0;  ///< bits of the groups that hold it
    uint64_t next = 0;    ///< of the selection strategy: units left in this round
    uint64_t skipped = 0; ///< used by others, to be left out of the next round
    int32_t bufferSize = 0;
    uint32_t freeSlots = 0;
    uint16_t id = 0; ///< in the scheduling model
    bool group = false;
    bool reserved = false;
    bool several = false; ///< a single resource with several units
  };
  struct Busy {
    int64_t until;
    uint64_t unit; ///< 0: the reservation of a whole group
    uint8_t resource;
  };

  bool isReady(const Resource &resource, unsigned units = 1) const {
    return (!resource.reserved || resource.bufferSize == 0) &&
           static_cast<unsigned>(std::popcount(resource.free)) >= units;
  }
  void updateReady(unsigned index) {
    const uint64_t bit = 1ull << index;
    ready_ = isReady(resources_[index]) ? ready_ | bit : ready_ & ~bit;
  }
  uint64_t select(Resource &resource);
  void noteUse(Resource &resource, uint64_t unit);
  void take(unsigned index, const BodyResource &use, int64_t now, std::vector<UsedUnit> &used);
  void giveBack(unsigned index, uint64_t unit);
  void reserve(const BodyResource &use, int64_t now);
  void unreserve(unsigned index);
  void holdUntil(unsigned index, uint64_t unit, int64_t now, uint32_t cycles);
  void issueOverlapping(const BodyInstruction &instruction, const BodyResource *resources, int64_t now,
                        std::vector<UsedUnit> &used);
  uint64_t busyInOverlap(const BodyInstruction &instruction, const BodyResource *resources, uint64_t consumed,
                         std::vector<std::pair<uint64_t, unsigned>> &available) const;

  std::vector<Resource> resources_; // by state index
  std::vector<Busy> busy_;
  uint64_t ready_ = 0;    ///< bits of resources with a free unit
  uint64_t unitMask_ = 0; ///< bits of resources that are no groups
  uint64_t reservedGroups_ = 0;
  uint64_t reservedBuffers_ = 0;
  uint64_t freeBuffers_ = ~0ull;
};

} // namespace mca
