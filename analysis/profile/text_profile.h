// What a profile says of an assembly text: the weight of each of its instructions.
//
// A function counts with its instructions if it is the code that was recorded (function_match.h). Of one that differs,
// because it was edited or compiled in another way since, only the whole is known. Several functions of one name and
// the same code, such as copies in several files, add up: they are one in the source.
#pragma once

#include "analysis/profile/profile.h"
#include "mca-core/program/branches.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace analysis {

class TextProfile {
public:
  /// The profile must outlive it.
  TextProfile(const Profile &profile, const mca::ProgramBranches &branches);

  struct Function {
    uint64_t weight = 0;    ///< of all that was recorded of it
    std::string difference; ///< the first one from the code that was recorded; empty if it is the same
    std::vector<const ProfiledFunction *> recorded; ///< what it was then, if it differs
  };
  /// By index in ProgramBranches::functions(). Null if it has no samples.
  const Function *function(uint32_t index) const;

  struct Sum {
    uint64_t weight = 0;
    uint64_t executions = 0; ///< 0: unknown
  };
  /// Of an instruction; of a function that differs nothing.
  Sum at(uint32_t instruction) const { return instruction < instructions_.size() ? instructions_[instruction] : Sum(); }
  uint64_t weightOf(std::span<const uint32_t> instructions) const;

private:
  void add(const ProfiledFunction &function, const std::vector<uint64_t> &offsets,
           const std::vector<uint32_t> &instructions);

  std::map<uint32_t, Function> functions_;
  std::vector<Sum> instructions_; ///< of all; empty if no function was recorded
};

} // namespace analysis
