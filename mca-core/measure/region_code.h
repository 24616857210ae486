// A region of a program as machine code that can run alone: LLVM's encoder gives the bytes, and the places that an
// assembler and a linker would fill in are filled in here.
//
// Symbols of data get places in the memory for measured code, so that instructions such as `addps .LCPI0_0(%rip),
// %xmm0` run; what they hold is not the program's data. A branch to the region's first instruction closes it, and goes
// on with the next iteration; other branches inside go where they go. A branch out of the region ends the measurement
// if it is ever taken. Calls, returns and computed jumps are refused.
#pragma once

#include "mca-core/measure/code_run.h"
#include "mca-core/program/branches.h"

#include "llvm/ADT/SmallVector.h"

namespace mca::measure {

/// Why a region cannot be measured.
struct RegionRefusal {
  std::string reason;             ///< as in CodeRefusal
  uint32_t instruction = kNone;   ///< of the program
  bool holdsForBothForms = false; ///< it does not end, or disturbs the clock: it would in the other form, too
};

/// How the copies of a body follow each other.
enum class Repeating : uint8_t {
  Unrolled, ///< one after the other, without the branch that closes them
  Counted,  ///< a loop closed by `dec` and `jne` on RegionCode::counter()
  Own       ///< a loop closed by the region's own branch
};

class RegionCode {
public:
  /// `instructions`: indices in the program, one after the other in its text. `symbols`: where the places of symbols
  /// may be; each needs 64 bytes.
  static std::variant<RegionCode, RegionRefusal> assemble(const Target &target, const Program &program,
                                                          const ProgramBranches &branches,
                                                          std::span<const uint32_t> instructions,
                                                          MeasureMemory symbols);

  /// Writes CodeToRun::code and `relative` of one form. `count`: the copies of Unrolled, and of Counted in one
  /// iteration, whose iterations are expected in the counter; Own has one copy. `counted`: each iteration increments
  /// the word at CodeRunner::noteAddress(), which makes it slower. False if a branch that has only a short form does
  /// not reach its target, or there is no counter.
  bool emit(CodeToRun &code, Repeating repeating, uint32_t count, bool counted = false) const;

  /// Instructions of one iteration; those of Unrolled are without the branch that closes the region.
  size_t size() const { return pieces_.size(); }
  bool hasOwnClosing() const { return hasClosing_ && isConditional_; }
  /// Index of a general register that the region does not use; kNone if there is none.
  uint32_t counter() const { return counter_; }
  /// Whether the region uses a register, or a part of it.
  bool uses(uint32_t generalRegister) const { return used_ >> generalRegister & 1; }
  uint32_t vectorBits() const { return vectorBits_; }
  size_t symbolCount() const { return symbolCount_; }
  /// The instruction of the program at an offset in the code that emit() made with the same arguments; kNone for none.
  /// Also finds the branch whose exit the offset is; `isExit` is then set.
  uint32_t instructionAt(uint32_t offset, Repeating repeating, uint32_t count, bool counted, bool &isExit) const;

private:
  static constexpr uint32_t kFirst = 0, kOutside = ~0u - 1;
  /// A field of an instruction that holds an address, or the distance to it.
  struct Field {
    uint32_t position = 0; ///< in the bytes
    uint32_t size = 4;
    uint64_t value = 0;
    bool isRelative = false;
  };
  /// One instruction. The target of a branch is an index in `pieces_`, or kOutside.
  struct Piece {
    uint32_t instruction = kNone;
    llvm::SmallVector<uint8_t, 16> bytes;
    llvm::SmallVector<Field, 1> fields; ///< relative ones; the others are written already
    uint32_t target = kNone;            ///< kNone: no branch
    uint8_t displacementBytes = 0;      ///< at the end of a branch
  };
  struct Placed;
  class Assembler;
  RegionCode() = default;
  std::vector<Placed> place(Repeating repeating, uint32_t count, bool counted) const;
  std::optional<std::vector<Placed>> placeAll(Repeating repeating, uint32_t count, bool counted) const;

  std::vector<Piece> pieces_;
  bool hasClosing_ = false; ///< the last piece is a branch to the first
  bool isConditional_ = false;
  uint32_t counter_ = kNone;
  uint32_t used_ = 0;
  uint32_t vectorBits_ = 128;
  size_t symbolCount_ = 0;
};

} // namespace mca::measure
