// The program `mca` against the installed llvm-mca: the same standard output, byte for byte, the same exit status, and
// every message of llvm-mca among ours.
#include "tests/differential/corpus.h"
#include "tests/differential/process.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

namespace differential {
namespace {

const std::vector<std::vector<std::string>> kOptionSets = {
    {},
    {"-iterations=1"},
    {"-timeline"},
    {"-bottleneck-analysis"},
    {"-iterations=1", "-timeline", "-bottleneck-analysis"},
};

std::string text(const std::vector<std::string> &words) {
  std::string line;
  for (const std::string &word : words)
    line += word + " ";
  return line;
}

/// The messages in a standard error, from "error: ", "note: " or "warning: " on, without llvm-mca's advice about an
/// option of its own.
std::set<std::string> messagesIn(const std::string &errors) {
  std::set<std::string> messages;
  std::istringstream stream(errors);
  for (std::string line; std::getline(stream, line);)
    for (const char *kind : {"error: ", "note: ", "warning: "})
      if (const size_t at = line.find(kind); at != std::string::npos) {
        const std::string message = line.substr(at);
        messages.insert(message.substr(0, message.find(", use -skip-unsupported-instructions")));
        break;
      }
  return messages;
}

/// llvm-mca's messages that ours lacks. Ours may say more in a message, and more messages; what llvm-mca says once a
/// region we may say once.
std::vector<std::string> missingMessages(const std::string &llvm, const std::string &ours) {
  const std::set<std::string> said = messagesIn(ours);
  std::vector<std::string> missing;
  for (const std::string &message : messagesIn(llvm))
    if (std::none_of(said.begin(), said.end(), [&](const std::string &other) { return other.starts_with(message); }))
      missing.push_back(message);
  return missing;
}

/// The first line that differs, with its number.
std::string firstDifference(const std::string &llvm, const std::string &ours) {
  std::istringstream left(llvm), right(ours);
  for (int number = 1;; ++number) {
    std::string a, b;
    const bool hasLeft = bool(std::getline(left, a)), hasRight = bool(std::getline(right, b));
    if (a != b || !(hasLeft || hasRight))
      return "line " + std::to_string(number) + "\n  llvm-mca " + a + "\n  mca      " + b + "\n";
  }
}

/// What differs between the two programs, in words; empty when nothing does.
std::string differences(const Case &testCase, const std::vector<std::string> &options, int expectedStatus = -1) {
  const ProcessResult llvm = runProcess(commandFor(LLVM_MCA, testCase.reference, options));
  const ProcessResult ours = runProcess(commandFor(MCA_PROGRAM, testCase.path, options));
  std::string found;
  if (expectedStatus >= 0 && llvm.status != expectedStatus)
    found += "llvm-mca's exit status is " + std::to_string(llvm.status) + ":\n" + llvm.errors;
  if (llvm.status != ours.status)
    found += "exit status: llvm-mca " + std::to_string(llvm.status) + ", mca " + std::to_string(ours.status) + "\n";
  if (llvm.output != ours.output)
    found += "standard output:\n" + firstDifference(llvm.output, ours.output);
  for (const std::string &message : missingMessages(llvm.errors, ours.errors))
    found += "not said: " + message + "\n";
  return found.empty() ? found : "with options: " + text(options) + "\n" + found;
}

void compare(const Case &testCase, const std::vector<std::vector<std::string>> &optionSets, int expectedStatus) {
  std::string found;
  for (const std::vector<std::string> &options : optionSets)
    found += differences(testCase, options, expectedStatus);
  if (const char *why = knownDifference(Path::Program, testCase.name))
    EXPECT_NE(found, "") << "does not differ any more (" << why << "): take it off the list of known differences";
  else
    EXPECT_TRUE(found.empty()) << found;
}

std::string nameOf(const testing::TestParamInfo<Case> &info) {
  return identifier(info.param.name);
}

class Program : public testing::TestWithParam<Case> {};

TEST_P(Program, PrintsWhatLlvmMcaPrints) {
  compare(GetParam(), kOptionSets, /*expectedStatus=*/0);
}

INSTANTIATE_TEST_SUITE_P(Corpus, Program, testing::ValuesIn(comparedCases()), nameOf);

class Misuse : public testing::TestWithParam<Case> {};

TEST_P(Misuse, FailsAsLlvmMcaFails) {
  compare(GetParam(), {{}, {"-bottleneck-analysis"}}, /*expectedStatus=*/-1);
}

INSTANTIATE_TEST_SUITE_P(Files, Misuse, testing::ValuesIn(misuseCases()), nameOf);

/// The comparison itself must see a difference of any kind, or the tests above prove nothing.
TEST(Comparison, SeesDifferences) {
  const std::string folder = std::string(DIFFERENTIAL_FILES) + "/corpus/x86/";
  const Case other{"other", folder + "divisions.s", folder + "atomics.s"};
  EXPECT_NE(differences(other, {}).find("standard output"), std::string::npos);
  const Case failing{"failing", folder + "divisions.s", std::string(DIFFERENTIAL_FILES) + "/misuse/end_twice.s"};
  const std::string found = differences(failing, {});
  EXPECT_NE(found.find("exit status: llvm-mca 1, mca 0"), std::string::npos) << found;
  EXPECT_NE(found.find("not said: error: found an invalid region end directive"), std::string::npos) << found;
  EXPECT_THROW(runProcess({"llvm-mca-that-is-not-installed"}), std::runtime_error);
}

TEST(Corpus, IsAsLargeAsPromised) {
  EXPECT_GE(comparedCases().size(), 45u);
}

} // namespace
} // namespace differential
