// A compiler that waited says what one says that is started for the command, and serves no command but its own kind.
#include "analysis/compile/compiler_choice.h"
#include "analysis/compile/compiler_environment.h"
#include "analysis/compile/prewarmed_compiler.h"
#include "tests/analysis/compile/temp_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <optional>
#include <random>
#include <thread>
#include <unistd.h>

namespace analysis {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

/// Enough for a small file, and a stopped process is noticed soon.
const ChildLimits kLimits{.time = 20s};

class PrewarmedCompilerTest : public testing::Test {
protected:
  static void SetUpTestSuite() { std::signal(SIGPIPE, SIG_IGN); }

  ChildCommand command(const std::vector<std::string> &flags = {}) const {
    ChildCommand command{folder_.path(), {defaultCompiler("")}, compilerEnvironment()};
    command.arguments.insert(command.arguments.end(), flags.begin(), flags.end());
    command.arguments.insert(command.arguments.end(), {"-w", "-S", "-o", "-", source_});
    return command;
  }

  /// The process that waits; it is the only child of this one.
  static std::optional<pid_t> waitingProcess() {
    pid_t child = 0;
    const std::string self = std::to_string(getpid());
    return std::ifstream("/proc/" + self + "/task/" + self + "/children") >> child ? std::optional(child)
                                                                                   : std::nullopt;
  }

  /// A process that would serve no command: what is answered after that came from another one.
  void prepareAndStop() {
    ready_.prepare();
    ASSERT_TRUE(waitingProcess());
    kill(*waitingProcess(), SIGSTOP);
  }

  void expectServedByAnother(const ChildCommand &wanted) {
    const ChildResult result = ready_.run(wanted, kLimits, {});
    EXPECT_EQ(result.end, ChildResult::End::Exited);
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("text"));
    EXPECT_FALSE(waitingProcess()) << "the one that does not fit has ended";
  }

  TempFolder folder_;
  std::string source_ = folder_.write("a b.c", "#ifndef TEXT\n#define TEXT \"\"\n#endif\nconst char *text = TEXT;\n");
  PrewarmedCompiler ready_;
};

TEST_F(PrewarmedCompilerTest, SaysWhatARunSays) {
  const std::vector<std::vector<std::string>> all = {
      {},
      {"-DTEXT=\"plain\""},
      {"-DTEXT=\"two words, 'quotes', $dollar, \\\\back\\\\slash and \\\"these\\\"\""},
      {"-DTEXT=\"tab\\t\"", "-D", "EMPTY=", "-I", folder_.path() + "/no such folder"},
      {"-DTEXT=1 +"},
      {"-no-such-flag"},
      {"-include", "@file"},
      {"-D", ""},
  };
  for (const std::vector<std::string> &flags : all) {
    const ChildResult expected = runChild(command(flags), kLimits, {});
    (void)ready_.run(command(), kLimits, {});
    ready_.prepare();
    ASSERT_TRUE(waitingProcess());
    const ChildResult result = ready_.run(command(flags), kLimits, {});
    EXPECT_FALSE(waitingProcess());
    EXPECT_EQ(result.end, expected.end);
    EXPECT_EQ(result.status, expected.status);
    EXPECT_EQ(result.output, expected.output);
    EXPECT_EQ(result.errors, expected.errors);
  }
}

TEST_F(PrewarmedCompilerTest, HandsOverAnyArgument) {
  std::mt19937 random(3);
  const std::string odd = "a\"'\\ \t\n\r$@#%*?[]{}()<>|&;~^=-\xC3\xA9\xFF\x01";
  std::vector<std::string> flags{"-v"};
  for (int i = 0; i < 200; ++i) {
    std::string folder = "/none/";
    for (size_t length = 1 + random() % 12; length; --length)
      folder += odd[random() % odd.size()];
    flags.insert(flags.end(), {"-I", folder});
  }
  const ChildResult expected = runChild(command(flags), kLimits, {});
  EXPECT_THAT(expected.errors, HasSubstr("ignoring nonexistent directory"));
  (void)ready_.run(command(), kLimits, {});
  ready_.prepare();
  const ChildResult result = ready_.run(command(flags), kLimits, {});
  EXPECT_EQ(result.errors, expected.errors);
  EXPECT_EQ(result.output, expected.output);
}

TEST_F(PrewarmedCompilerTest, ServesInTheProcessThatWaits) {
  (void)ready_.run(command(), kLimits, {});
  prepareAndStop();
  EXPECT_EQ(ready_.run(command({"-O2"}), {.time = 300ms}, {}).end, ChildResult::End::IdleLimit);
  EXPECT_FALSE(waitingProcess());
}

TEST_F(PrewarmedCompilerTest, ReadsTheFileAsItIsWhenTheCommandComes) {
  (void)ready_.run(command(), kLimits, {});
  ready_.prepare();
  folder_.write("a b.c", "const char *later = 0;\n");
  EXPECT_THAT(ready_.run(command(), kLimits, {}).output, HasSubstr("later"));
}

TEST_F(PrewarmedCompilerTest, ServesNoOtherFolder) {
  (void)ready_.run(command(), kLimits, {});
  prepareAndStop();
  ChildCommand elsewhere = command();
  elsewhere.directory = "/";
  expectServedByAnother(elsewhere);
}

TEST_F(PrewarmedCompilerTest, ServesNoFolderThatWasMadeAnew) {
  const std::string build = folder_.path() + "/build";
  ChildCommand there = command();
  there.directory = build;
  there.arguments.back() = "a.c";
  folder_.write("build/a.c", "const char *text = \"old\";\n");
  (void)ready_.run(there, kLimits, {});
  prepareAndStop();
  std::filesystem::rename(build, folder_.path() + "/gone");
  folder_.write("build/a.c", "const char *text = \"new\";\n");
  expectServedByAnother(there);
}

TEST_F(PrewarmedCompilerTest, ServesNoOtherEnvironment) {
  (void)ready_.run(command(), kLimits, {});
  prepareAndStop();
  ChildCommand other = command();
  other.environment.push_back("CPATH=/usr/include");
  expectServedByAnother(other);
}

TEST_F(PrewarmedCompilerTest, ServesNoProgramThatWasReplaced) {
  const std::string link = folder_.path() + "/compiler";
  std::filesystem::create_symlink(defaultCompiler(""), link);
  ChildCommand linked = command();
  linked.arguments.front() = link;
  (void)ready_.run(linked, kLimits, {});
  prepareAndStop();
  std::filesystem::remove(link);
  std::filesystem::create_symlink("/bin/echo", link);
  const ChildResult result = ready_.run(linked, kLimits, {});
  EXPECT_THAT(result.output, HasSubstr("-w -S")) << "echo's";
  EXPECT_FALSE(waitingProcess());
}

TEST_F(PrewarmedCompilerTest, DoesWithoutAProcessThatEnded) {
  (void)ready_.run(command(), kLimits, {});
  ready_.prepare();
  const std::optional<pid_t> waiting = waitingProcess();
  ASSERT_TRUE(waiting);
  kill(*waiting, SIGKILL);
  siginfo_t info{};
  waitid(P_PID, static_cast<id_t>(*waiting), &info, WEXITED | WNOWAIT);
  expectServedByAnother(command());
}

TEST_F(PrewarmedCompilerTest, HandsEmptyArgumentsToARunOfTheirOwn) {
  (void)ready_.run(command(), kLimits, {});
  prepareAndStop();
  ChildCommand odd = command();
  odd.arguments.insert(odd.arguments.end() - 1, {"-isystem", ""});
  expectServedByAnother(odd);
}

TEST_F(PrewarmedCompilerTest, HandsLongCommandsToARunOfTheirOwn) {
  (void)ready_.run(command(), kLimits, {});
  prepareAndStop();
  expectServedByAnother(command(std::vector<std::string>(5'000, "-DTHIS_NAME_IS_DEFINED_TO_NOTHING=")));
}

TEST_F(PrewarmedCompilerTest, ANewOneReplacesOneThatDoesNotFit) {
  (void)ready_.run(command(), kLimits, {});
  ready_.prepare();
  const std::optional<pid_t> first = waitingProcess();
  ready_.prepare();
  EXPECT_EQ(waitingProcess(), first);
  ChildCommand elsewhere = command();
  elsewhere.directory = "/";
  (void)ready_.run(elsewhere, kLimits, {});
  ready_.prepare();
  prepareAndStop();
  EXPECT_EQ(ready_.run(elsewhere, {.time = 300ms}, {}).end, ChildResult::End::IdleLimit);
}

TEST_F(PrewarmedCompilerTest, StartsNothingButClang) {
  ready_.prepare();
  EXPECT_FALSE(waitingProcess()) << "nothing was compiled yet";
  const std::string script = folder_.write("clang", "#!/bin/sh\necho \"$@\" >> ran; cat\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  std::filesystem::create_directory(folder_.path() + "/masks");
  const std::string masked = folder_.path() + "/masks/clang-22";
  std::filesystem::create_symlink("/bin/cat", masked);
  for (const std::string &program : {script, masked, std::string("/nowhere/clang")}) {
    ChildCommand other = command();
    other.arguments.front() = program;
    (void)ready_.run(other, kLimits, {});
    ready_.prepare();
    EXPECT_FALSE(waitingProcess()) << program;
  }
}

TEST_F(PrewarmedCompilerTest, AStopKillsIt) {
  (void)ready_.run(command(), kLimits, {});
  prepareAndStop();
  std::stop_source stop;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(100ms);
    stop.request_stop();
  });
  EXPECT_EQ(ready_.run(command(), kLimits, stop.get_token()).end, ChildResult::End::Stopped);
  EXPECT_FALSE(waitingProcess());
}

TEST_F(PrewarmedCompilerTest, AnEndLeavesNothing) {
  (void)ready_.run(command(), kLimits, {});
  ready_.prepare();
  ready_.end();
  EXPECT_FALSE(waitingProcess());
  ready_.prepare();
  EXPECT_FALSE(waitingProcess());
}

} // namespace
} // namespace analysis
