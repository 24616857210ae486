// Register renaming while a region runs: who writes each register, which moves are eliminated, how full the physical
// register files are.
//
// The rules are llvm-mca 22.1's (class RegisterFile of LLVM's MCA library). A write stays in the map after it has
// retired, because a late read (a negative read-advance) may still have to wait for it.
#pragma once

#include "mca-core/model/body.h"

#include <cstdint>
#include <vector>

namespace mca {

/// A definition: an instance and the number of its write.
struct WriteRef {
  static constexpr uint64_t kNobody = ~0ull;
  uint64_t id = kNobody;
  uint32_t write = 0; ///< index into Body::writes
  bool operator==(const WriteRef &) const = default;
};

class RegisterState {
public:
  explicit RegisterState(const Body &body);

  /// True when the files have room for all definitions of the instruction.
  bool hasRoom(const BodyInstruction &instruction);
  void startCycle();

  /// Tries to carry out a move or a swap in the map alone. `zeros` tells, per write, whether zero was moved.
  bool eliminate(const BodyInstruction &instruction, std::vector<bool> &zeros);

  /// Calls `visit` with each definition that the register's value comes from, each once.
  template <typename Visit>
  void forEachWriter(RegisterIndex reg, Visit visit) const;

  /// Enters a definition. Returns the one that it must be merged into (a partial write), if there is one.
  WriteRef define(const BodyWrite &write, uint32_t writeIndex, uint64_t id, bool eliminated, bool zero);
  /// The definition has retired: its physical registers are free.
  void retire(const BodyWrite &write, bool zero);

  bool isZero(RegisterIndex reg) const { return map_[reg].zero; }
  const std::vector<uint32_t> &used() const { return used_; }
  /// Physical registers that define() or retire() took or gave since the last call, by file.
  std::vector<uint32_t> &changed() { return changed_; }

private:
  struct Entry {
    WriteRef writer;
    RegisterIndex alias = kNoRegister;
    bool zero = false;
  };
  bool canEliminate(const BodyWrite &write, const BodyRead &read, unsigned file) const;
  void alias(const BodyWrite &write, const BodyRead &read);
  void allocate(RegisterIndex reg);

  const Body &body_;
  std::vector<Entry> map_;
  std::vector<uint32_t> used_, changed_, wanted_, movesEliminated_;
};

template <typename Visit>
void RegisterState::forEachWriter(RegisterIndex reg, Visit visit) const {
  if (map_[reg].alias != kNoRegister)
    reg = map_[reg].alias;
  WriteRef seen[8];
  unsigned count = 0;
  const auto offer = [&](const WriteRef &writer) {
    if (writer.id == WriteRef::kNobody)
      return;
    for (unsigned i = 0; i < count; ++i)
      if (seen[i] == writer)
        return;
    if (count < 8)
      seen[count++] = writer;
    visit(writer);
  };
  offer(map_[reg].writer);
  for (const RegisterIndex sub : body_.registers[reg].subregisters)
    offer(map_[sub].writer);
}

} // namespace mca
