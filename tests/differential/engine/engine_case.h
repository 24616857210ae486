// One comparison of the simulator with its reference, and its form on paper: a file of engine_cases/.
//
// A file is assembly text with two comments in front, in the comment syntax of its target:
//   # mca: triple=x86_64-unknown-linux-gnu cpu=znver4
//   # engine: iterations=12 bottlenecks=1 dispatchWidth=3
// Options that are not named have their defaults. Further comments say what it is about.
#pragma once

#include "mca-core/report/simulator.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace differential {

struct EngineCase {
  std::string triple;
  std::string cpu;
  mca::SimulationOptions options;
  std::vector<std::string> lines; ///< instructions

  mca::TargetSelection selection() const { return {.triple = triple, .cpu = cpu}; }
};

/// An option that a case may set, by the name of its member.
struct EngineOption {
  const char *name;
  std::variant<uint32_t mca::SimulationOptions::*, bool mca::SimulationOptions::*, int mca::SimulationOptions::*>
      member;
};

/// All of SimulationOptions but what both sides of a comparison set themselves.
const std::vector<EngineOption> &engineOptions();

int64_t valueOf(const mca::SimulationOptions &options, const EngineOption &option);
void setValue(mca::SimulationOptions &options, const EngineOption &option, int64_t value);

/// Those options that differ from the defaults: "iterations=12 bottlenecks=1".
std::string describeOptions(const mca::SimulationOptions &options);

/// The text of a file; `remark`, a line or more, becomes a comment.
std::string writeCase(const EngineCase &engineCase, const std::string &remark);
/// Throws std::runtime_error when the comments are missing or name what is unknown.
EngineCase readCase(const std::string &text);

} // namespace differential
