// What the structural probes share: short names for their instructions, and their times. Private to this folder.
#pragma once

#include "mca-core/calibration/calibration.h"
#include "mca-core/measure/probes/instances.h"
#include "mca-core/measure/probes/probe_batch.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <string>
#include <vector>

namespace mca::measure {

using Insts = std::vector<llvm::MCInst>;
using Values = std::map<std::string, double>; // of a rule, by their names

// Registers of these probes: the base, a second pointer to the same place, values, and constants.
constexpr uint8_t kBase = 15, kOtherBase = 12, kValue = 8, kSecond = 9, kStackPointer = 4;
constexpr uint8_t kOne = 3, kZero = 11, kVector = 1;
/// Nops beside a pair whose slots are counted: enough to hide what executes.
constexpr size_t kPadding = 10;
/// How far a count of slots may be from the whole number.
constexpr double kSlotTolerance = .5;

/// Rounds events per cycle to steps of 1/`parts`, or cycles per event if there is less than one a cycle.
double roundedRate(double perCycle, double parts);
/// Calibration files have no blanks in the names of probes.
Provenance provenanceOf(const char *probe, const Timing &timing);

/// Short names for the instructions of these probes, and their times.
class StructuralProbes {
public:
  StructuralProbes(const InstanceMaker &maker, ProbeTimer &timer, double slots, Calibration &calibration)
      : maker_(maker), slots_(slots), timer_(timer), calibration_(calibration) {}

protected:
  llvm::MCOperand general(uint8_t number) const {
    return llvm::MCOperand::createReg(maker_.fullRegister(RegisterFamily::General, number));
  }
  llvm::MCOperand part(uint8_t number, llvm::StringRef opcode, unsigned operand) const {
    return llvm::MCOperand::createReg(maker_.registerFor(*maker_.opcodeOf(opcode), operand, number));
  }
  static llvm::MCOperand immediate(int64_t value) { return llvm::MCOperand::createImm(value); }
  llvm::MCInst make(llvm::StringRef opcode, llvm::ArrayRef<llvm::MCOperand> operands) const {
    return maker_.assemble(opcode, operands);
  }
  llvm::MCInst nop() const { return maker_.nop(); }
  Insts nops(size_t count) const { return Insts(count, nop()); }
  llvm::MCInst jump(int64_t condition) const { return make("JCC_1", {immediate(0), immediate(condition)}); }
  /// An instance of the probes' registers.
  llvm::MCInst plain(llvm::StringRef opcode) const {
    return *maker_.make(*maker_.opcodeOf(opcode), {}, formPlacement(), 0);
  }

  std::vector<llvm::MCOperand> address(uint8_t base, int64_t displacement, bool indexed = false) const {
    return {general(base), immediate(1), indexed ? general(kZero) : llvm::MCOperand::createReg(llvm::MCRegister()),
            immediate(displacement), llvm::MCOperand::createReg(llvm::MCRegister())};
  }
  llvm::MCInst load(llvm::StringRef opcode, llvm::MCOperand to, uint8_t base, int64_t displacement = 0,
                    bool indexed = false) const {
    std::vector<llvm::MCOperand> operands{to};
    llvm::append_range(operands, address(base, displacement, indexed));
    return make(opcode, operands);
  }
  llvm::MCInst store(llvm::StringRef opcode, llvm::MCOperand from, uint8_t base, int64_t displacement = 0,
                     bool indexed = false) const {
    std::vector<llvm::MCOperand> operands = address(base, displacement, indexed);
    operands.push_back(from);
    return make(opcode, operands);
  }
  llvm::MCInst extend(uint8_t to, uint8_t from) const {
    return make("MOVSX64rr32", {general(to), part(from, "MOVSX64rr32", 1)});
  }
  llvm::MCInst lea(uint8_t to, uint8_t base, int64_t displacement) const {
    return load("LEA64r", general(to), base, displacement);
  }

  size_t add(const char *name, Insts block, Insts setup = {}, bool isLoop = false, uint32_t executions = 0) {
    return batch_.add({.name = name,
                       .setup = std::move(setup),
                       .block = std::move(block),
                       .isLoop = isLoop,
                       .executions = executions});
  }
  void run() { batch_.run(timer_); }
  std::optional<double> cycles(size_t probe) const { return batch_.cycles(probe); }
  // What is out of its range was measured badly, and is left out.
  void fact(const char *name, double value, const char *probe, size_t number) {
    setFact(calibration_, name, value, provenanceOf(probe, batch_.timing(number).value_or(Timing())));
  }
  void rule(const char *name, const Values &values, const char *probe, size_t number) {
    switchOn(calibration_, name, values, provenanceOf(probe, batch_.timing(number).value_or(Timing())));
  }

  /// A probe of the slots of a few instructions, which are padded with nops.
  size_t addCount(const char *name, Insts insts, Insts setup = {}) {
    llvm::append_range(insts, nops(kPadding));
    return add(name, std::move(insts), std::move(setup));
  }
  std::optional<double> count(size_t probe) const {
    const std::optional<double> time = cycles(probe);
    return time ? std::optional(*time * slots_ - double(kPadding)) : std::nullopt;
  }
  bool isOneSlot(size_t probe) const {
    const std::optional<double> slots = count(probe);
    return slots && *slots < 1 + kSlotTolerance;
  }

  const InstanceMaker &maker_;
  const double slots_;

private:
  ProbeTimer &timer_;
  Calibration &calibration_;
  ProbeBatch batch_;
};

// The two halves of measureStructure().
void measureFrontEnd(const InstanceMaker &maker, ProbeTimer &timer, double slotsPerCycle, Calibration &calibration);
void measureMemory(const InstanceMaker &maker, ProbeTimer &timer, double slotsPerCycle, Calibration &calibration);

} // namespace mca::measure
