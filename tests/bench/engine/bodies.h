// Real code to simulate: the functions and innermost loops of compiled kernels and of libraries that are headers.
#pragma once

#include "mca-core/assembly/program.h"
#include "tests/differential/engine/cpus.h"

#include <memory>
#include <string>
#include <vector>

namespace bench {

constexpr uint32_t kMaxInstructions = 500;

struct Body {
  std::shared_ptr<const mca::Program> program;
  std::vector<uint32_t> region;
  bool isLoop = false;

  /// The instructions alone, as a text of its own.
  std::string text() const;
};

/// At most `count` bodies of 1 to kMaxInstructions instructions, taken evenly from all that there are. `levels` are the
/// compiler's: "-O2". The target must outlive the bodies. Throws std::runtime_error when the compiler fails.
std::vector<Body> compileBodies(const differential::Cpu &cpu, const mca::Target &target,
                                const std::vector<const char *> &levels, size_t count);

} // namespace bench
