// No option that gcc has makes clang fail: gcc is asked for its own list of options and their values, and clang
// compiles with each of them. Each either does what it says or is left out with a note.
#include "analysis/compile/compile.h"
#include "analysis/process/child_process.h"
#include "tests/analysis/compile/temp_folder.h"

#include "llvm/ADT/StringExtras.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace analysis {
namespace {

using llvm::StringRef;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const char *const kLoop = "void add(int *restrict a, const int *b, int n) {\n"
                          "  for (int i = 0; i < n; ++i)\n"
                          "    a[i] += b[i] * 3;\n"
                          "}\n";

/// What gcc prints; empty where there is no such program.
std::string print(const std::string &gcc, const std::string &option) {
  return runChild({"/", {"/usr/bin/env", gcc, "-Q", option}, {"PATH=/usr/bin:/bin", "LC_ALL=C"}}, {}, {}).output;
}

/// By option, as "-march=": the words of the indented lines below "Known … (for use with the -march= option):".
std::map<std::string, std::vector<std::string>> readKnownValues(StringRef help) {
  std::map<std::string, std::vector<std::string>> known;
  std::vector<std::string> options;
  for (StringRef line : llvm::split(help, '\n')) {
    if (line.ends_with(":")) {
      options.clear();
      llvm::SmallVector<StringRef> words;
      line.split(words, ' ');
      for (const StringRef word : words)
        for (StringRef option : llvm::split(word.trim("():"), '/'))
          if (option.starts_with("-") && option.ends_with("="))
            options.push_back(option.str());
    } else if (line.starts_with("    ")) {
      llvm::SmallVector<StringRef> values;
      line.split(values, ' ', -1, /*KeepEmpty=*/false);
      for (const std::string &option : options)
        known[option].insert(known[option].end(), values.begin(), values.end());
    }
  }
  return known;
}

/// "-mavx2", "-mno-avx2", "-mabi=ms", … of what gcc prints.
std::vector<std::string> readOptions(const std::string &help) {
  const std::map<std::string, std::vector<std::string>> known = readKnownValues(help);
  std::vector<std::string> options;
  for (StringRef line : llvm::split(help, '\n')) {
    const StringRef option = line.ltrim().split(' ').first;
    if (!line.starts_with("  -"))
      continue;
    const size_t equals = option.find('=');
    if (equals == StringRef::npos) {
      options.push_back(option.str());
      options.push_back((option.take_front(2) + "no-" + option.drop_front(2)).str());
      continue;
    }
    const std::string name = option.take_front(equals + 1).str();
    const StringRef form = option.drop_front(equals + 1);
    if (const auto values = known.find(name); values != known.end()) {
      for (const std::string &value : values->second)
        options.push_back(name + value);
    } else if (form.starts_with("[")) {
      for (StringRef value : llvm::split(form.trim("[]"), '|'))
        options.push_back(name + value.str());
    } else {
      options.push_back(name + "1");
      if (const StringRef value = line.rsplit('\t').second.trim(); !value.empty() && !value.starts_with("["))
        options.push_back(value.starts_with("-") ? value.str() : name + value.str());
    }
  }
  return options;
}

/// Compiles with one flag after the other, as the entry of a database that names `gcc`.
class Project {
public:
  explicit Project(std::string gcc) : gcc_(std::move(gcc)), file_(folder_.write("a.c", kLoop)) {}

  CompileCommand commandFor(const std::string &flags) const {
    folder_.write("compile_commands.json", R"([{"directory": ")" + folder_.path() +
                                               R"(", "file": "a.c", "command": ")" + gcc_ + " -O2 " + flags +
                                               R"( -c a.c"}])");
    return findCompileCommand(file_, wire::Language::C, {});
  }

  void expectCompiles(const std::string &flags) {
    const CompileCommand command = commandFor(flags);
    if (!compiled_.insert(command.arguments).second)
      return;
    const CompileResult result = compile(command, {});
    EXPECT_TRUE(result.succeeded) << gcc_ << " " << flags << ": " << result.failure
                                  << (result.diagnostics.empty() ? "" : result.diagnostics.front().message);
  }

private:
  TempFolder folder_;
  std::string gcc_, file_;
  std::set<std::vector<std::string>> compiled_;
};

class GccOptions : public testing::TestWithParam<std::tuple<const char *, const char *>> {};

TEST_P(GccOptions, NoneMakesClangFail) {
  const auto &[gcc, list] = GetParam();
  const std::string help = print(gcc, list);
  ASSERT_FALSE(help.empty()) << "there is no " << gcc;
  const std::vector<std::string> options = readOptions(help);
  ASSERT_GT(options.size(), 30u) << help;
  Project project(gcc);
  for (const std::string &option : options)
    project.expectCompiles(option);
}

INSTANTIATE_TEST_SUITE_P(, GccOptions,
                         testing::Values(std::tuple("x86_64-linux-gnu-gcc", "--help=target"),
                                         std::tuple("aarch64-linux-gnu-gcc", "--help=target"),
                                         std::tuple("riscv64-linux-gnu-gcc", "--help=target"),
                                         std::tuple("x86_64-linux-gnu-gcc", "--help=optimizers"),
                                         std::tuple("aarch64-linux-gnu-gcc", "--help=optimizers"),
                                         std::tuple("riscv64-linux-gnu-gcc", "--help=optimizers")),
                         [](const auto &info) {
                           std::string name;
                           for (const char c : std::get<0>(info.param) + std::string(std::get<1>(info.param)))
                             name += llvm::isAlnum(c) ? std::string(1, c) : "";
                           return name;
                         });

TEST(RefusedFlags, OnlyTheyAreLeftOutWithANote) {
  const Project project("gcc");
  const CompileCommand command = project.commandFor(
      "-mtune=intel -mavx2 -mcmodel=32 -funroll-loops -fprofile-use=/nowhere -march=haswell -mfpmath=both");
  EXPECT_THAT(command.notes, Contains("flags left out, as clang refuses them here: -mtune=intel, -mcmodel=32, "
                                      "-mfpmath=both, -fprofile-use=/nowhere"));
  for (const char *kept : {"-mavx2", "-funroll-loops", "-march=haswell", "-O2"})
    EXPECT_THAT(command.arguments, Contains(kept));
  for (const std::string &argument : command.arguments)
    EXPECT_THAT(argument, Not(testing::AnyOf(HasSubstr("intel"), HasSubstr("=32"), HasSubstr("profile"))));
}

TEST(RefusedFlags, TheTargetIsNoneOfThem) {
  const Project project("gcc");
  const CompileCommand command = project.commandFor("--target=aarch64-linux-gnu -mcpu=no-such-core -mavx2");
  EXPECT_THAT(command.arguments, Contains("--target=aarch64-linux-gnu"));
  EXPECT_THAT(command.notes, Contains(HasSubstr("-mcpu=no-such-core")));
  EXPECT_EQ(targetOf(command).triple, "aarch64-unknown-linux-gnu");
}

TEST(RefusedFlags, AProfileThatClangCanReadIsKept) {
  const TempFolder folder;
  folder.write("a.proftext", "add\n1\n1\n7\n");
  const ChildLimits limits{.fileBytes = 1 << 20};
  const ChildResult merged = runChild({folder.path(),
                                       {"/usr/bin/env", "llvm-profdata-22", "merge", "-o", "a.profdata", "a.proftext"},
                                       {"PATH=/usr/bin:/bin"}},
                                      limits, {});
  ASSERT_EQ(merged.status, 0) << merged.errors;
  const std::string flag = "-fprofile-use=" + folder.path() + "/a.profdata";
  const CompileCommand command = Project("clang").commandFor(flag);
  EXPECT_THAT(command.arguments, Contains(HasSubstr("profile")));
  EXPECT_THAT(command.notes, IsEmpty());
  EXPECT_TRUE(tellsDuplication(command));
  EXPECT_THAT(command.arguments, Not(Contains(HasSubstr("inline-deferral")))) << "a profile's inlining is as it was";
  EXPECT_THAT(Project("clang").commandFor("-O2").arguments, Contains(HasSubstr("inline-deferral")));
}

TEST(RefusedFlags, VeryManyTakeNoMinutes) {
  const Project project("gcc");
  std::string flags;
  for (int i = 0; i < 3000; ++i)
    flags += " -march=none" + std::to_string(i) + " -fsanitize=none" + std::to_string(i);
  const auto begin = std::chrono::steady_clock::now();
  (void)project.commandFor(flags);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

} // namespace
} // namespace analysis
