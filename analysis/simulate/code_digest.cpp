// The bytes that are hashed: names end with a NUL, and each operand begins with a letter for its kind.
#include "analysis/simulate/code_digest.h"

#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <string>

namespace analysis {
namespace {

class CodeBytes {
public:
  explicit CodeBytes(const mca::Target &target) : target_(target) {}

  void add(const llvm::MCInst &inst) {
    addName(target_.instructions().getName(inst.getOpcode()));
    for (const llvm::MCOperand &operand : inst)
      add(operand);
  }
  uint64_t hash() const { return std::max<uint64_t>(llvm::xxh3_64bits(bytes_), 1); }

private:
  void add(const llvm::MCOperand &operand) {
    if (operand.isReg()) {
      bytes_ += 'r';
      addName(operand.getReg() ? target_.registers().getName(operand.getReg()) : "");
    } else if (operand.isImm()) {
      addNumber('i', static_cast<uint64_t>(operand.getImm()));
    } else if (operand.isDFPImm()) {
      addNumber('d', operand.getDFPImm());
    } else if (operand.isSFPImm()) {
      addNumber('f', operand.getSFPImm());
    } else if (operand.isInst()) {
      bytes_ += 'n';
      add(*operand.getInst());
    } else {
      bytes_ += 'e'; // the names of symbols may change: .LBB0_3 becomes .LBB1_3 after a new function
    }
  }
  void addName(llvm::StringRef name) {
    bytes_.append(name.data(), name.size());
    bytes_ += '\0';
  }
  void addNumber(char kind, uint64_t number) { addName(kind + std::to_string(number)); }

  const mca::Target &target_;
  std::string bytes_;
};

} // namespace

uint64_t codeDigest(const mca::Target &target, const mca::Program &program, std::span<const uint32_t> region) {
  CodeBytes bytes(target);
  for (const uint32_t index : region)
    bytes.add(program.instructions()[index].inst);
  return bytes.hash();
}

} // namespace analysis
