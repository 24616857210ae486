#include "tests/differential/same_output.h"

#include "tests/differential/process.h"

#include <sstream>

namespace differential {
namespace {

constexpr const char *kReference = LLVM_MCA;
constexpr const char *kStuck = "the simulated processor is stuck";
constexpr const char *kForEver = "3"; ///< seconds in which llvm-mca would end if it ever did
constexpr size_t kTold = 10;

/// `errors` with the program's path and its last part replaced by one word.
std::string withoutName(std::string errors, const std::string &program) {
  const auto replace = [&](const std::string &name) {
    for (size_t at = 0; (at = errors.find(name, at)) != std::string::npos; at += 3) {
      const size_t end = at + name.size();
      const bool whole = (at == 0 || errors[at - 1] == '\n' || errors[at - 1] == '\'' || errors[at - 1] == ' ') &&
                         (end == errors.size() || errors[end] == ':' || errors[end] == ' ');
      if (whole)
        errors.replace(at, name.size(), "MCA");
    }
  };
  replace(program);
  replace(program.substr(program.rfind('/') + 1));
  return errors;
}

std::string firstDifference(const char *where, const std::string &llvm, const std::string &ours) {
  if (llvm == ours)
    return {};
  std::istringstream left(llvm), right(ours);
  for (int number = 1;; ++number) {
    std::string a, b;
    const bool hasLeft = bool(std::getline(left, a)), hasRight = bool(std::getline(right, b));
    if (a != b || !(hasLeft || hasRight))
      return std::string("  ") + where + ", line " + std::to_string(number) + "\n    llvm-mca " + a +
             "\n    mca      " + b + "\n";
  }
}

} // namespace

const std::string kNothingToCompare = "llvm-mca crashed";

std::string differenceTo(const std::string &ours, const std::vector<std::string> &arguments) {
  const auto run = [&](std::vector<std::string> command) {
    command.insert(command.end(), arguments.begin(), arguments.end());
    return runProcess(command);
  };
  const ProcessResult got = run({ours});
  if (got.errors.find(kStuck) != std::string::npos) {
    constexpr int kTimeout = 124; // coreutils
    const bool ends = run({"timeout", kForEver, kReference}).status != kTimeout;
    return ends ? "  mca reports that the processor is stuck, and llvm-mca ends\n" : "";
  }
  const ProcessResult expected = run({kReference});
  if (expected.status > 128)
    return kNothingToCompare;
  std::string difference;
  if (expected.status != got.status)
    difference +=
        "  exit status: llvm-mca " + std::to_string(expected.status) + ", mca " + std::to_string(got.status) + "\n";
  difference += firstDifference("standard output", expected.output, got.output);
  difference +=
      firstDifference("standard error", withoutName(expected.errors, kReference), withoutName(got.errors, ours));
  return difference;
}

void Comparison::run(const std::vector<std::string> &arguments) {
  ++count_;
  const std::string difference = differenceTo(ours_, arguments);
  if (difference == kNothingToCompare) {
    ++crashes_;
    return;
  }
  if (difference.empty() || ++different_ > kTold)
    return;
  for (const std::string &argument : arguments)
    told_ += argument + " ";
  told_ += "\n" + difference;
}

std::string Comparison::report() const {
  if (different_ == 0)
    return {};
  return std::to_string(different_) + " of " + std::to_string(count_) + " differ:\n" + told_;
}

} // namespace differential
