// The values of registers with which a region runs, and how many iterations of it make sense.
//
// Registers that serve as addresses point into 60 KiB of their own, to the middle, each at other low 12 bits: equal
// ones on different pages make loads wait for stores that they have nothing to do with. Other registers have small
// values, which are good indices, counts and divisors. What a register serves for is found by going through the body
// backwards, twice, as the first iteration may use what the second one began with.
#pragma once

#include "mca-core/measure/code_run.h"
#include "mca-core/measure/measure_statement.h"
#include "mca-core/measure/registers.h"
#include "mca-core/program/branches.h"

namespace mca::measure {

class RegionSetup {
public:
  /// The last `kSymbolBytes` of the memory are for symbols.
  static constexpr uint64_t kSymbolBytes = 32 << 10;

  RegionSetup(const Target &target, const Program &program, std::span<const uint32_t> instructions,
              std::span<const RegisterSetting> settings, MeasureMemory memory);

  /// From now on numbers, which may be indices, are multiples of 64, so that the addresses of vectors are aligned.
  /// False if they were already.
  bool alignNumbers();
  /// Writes CodeToRun::registers.
  void apply(CodeToRun &code) const;
  /// The same for a loop that its own branch closes, so that it ends after about `iterations`. False if it is not known
  /// how; then the registers are those of apply().
  bool applyFor(CodeToRun &code, uint64_t iterations) const;
  /// How many iterations stay within the pointers' memory and 16 KiB together, at most `most`.
  uint64_t iterations(uint64_t most) const;

private:
  /// A memory operand, by the indices of registers.
  struct Address {
    std::optional<uint32_t> base, index;
    int64_t scale = 1;
  };
  std::optional<Address> addressOf(const llvm::MCInst &inst) const;
  void findPointers();
  void alignIndices();
  void findSteps();
  void placePointers(MeasureMemory memory);
  void override(std::span<const RegisterSetting> settings);
  bool isPointer(uint32_t one) const { return pointers_ >> one & 1; }
  void setPointer(uint32_t one, bool value) { pointers_ = (pointers_ & ~(1u << one)) | (value ? 1u << one : 0); }
  std::optional<std::pair<uint32_t, int64_t>> stepOf(const llvm::MCInst &inst) const;
  std::optional<uint32_t> registerAt(const llvm::MCInst &inst, unsigned operand) const;
  llvm::StringRef nameOf(const llvm::MCInst &inst) const { return target_.instructions().getName(inst.getOpcode()); }

  const Target &target_;
  GeneralRegisters registers_;
  std::vector<llvm::MCInst> body_;
  uint32_t pointers_ = 0, fixed_ = 0; ///< masks of registers; fixed: the user's
  bool areAligned_ = false;
  std::array<std::optional<int64_t>, 16> steps_; ///< added per iteration; nothing: not a constant
  std::array<uint64_t, 16> values_{};
  std::array<uint64_t, 16> places_{}; ///< where each would point
  std::array<uint64_t, 16> room_{};   ///< bytes that a pointer may walk over
};

} // namespace mca::measure
