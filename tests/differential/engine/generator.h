// Random bodies with random options. A body is known by its CPU, the pool it is drawn from and its seed.
#pragma once

#include "tests/differential/engine/cpus.h"
#include "tests/differential/engine/engine_case.h"
#include "tests/differential/engine/instruction_maker.h"
#include "tests/differential/engine/instruction_pool.h"

#include <cstdint>
#include <vector>

namespace differential {

class CaseGenerator {
public:
  /// `pool` must have instructions and outlive the generator.
  CaseGenerator(const Cpu &cpu, const InstructionPool &pool) : cpu_(cpu), pool_(pool) {}

  /// 1 to 80 instructions and 1 to 400 iterations, mostly few of both.
  EngineCase make(uint64_t seed) const;

private:
  std::vector<std::string> makeLines(Random &random) const;
  const std::string &anyLine(Random &random, uint32_t oddOfTen) const;

  Cpu cpu_;
  const InstructionPool &pool_;
};

} // namespace differential
