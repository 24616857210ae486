// Every instruction of a target that its assembler takes and its scheduling model knows, as assembly text: what random
// bodies are drawn from.
//
// Each opcode is made with random operands, printed and parsed back; what parses and what LLVM's pipeline can run
// stays. All of that happens in child processes, as LLVM ends its process on some instructions. Those are left out.
#pragma once

#include "mca-core/target/target.h"

#include <cstdint>
#include <string>
#include <vector>

namespace differential {

struct InstructionPool {
  std::vector<std::string> lines;      ///< one instruction each, mostly
  std::vector<std::string> odd;        ///< the hand-picked ones of odd_instructions.h
  std::vector<std::string> unmodelled; ///< a few that the scheduling model says nothing about
  std::vector<std::string> leftOut;    ///< those that ended LLVM's process, each with how
};

/// The same for the same `seed`. At most about `limit` opcodes, chosen by the seed; 0: all of them.
InstructionPool makeInstructionPool(const mca::TargetSelection &selection, uint64_t seed, size_t limit = 0);

} // namespace differential
