// What a confined program can read, write, run and reach. Each refusal is compared with the same program unconfined, so
// that none of them passes for another reason.
#include "analysis/process/confinement.h"
#include "analysis/process/process.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/wait.h>

namespace analysis {
namespace {

const std::vector<std::string> kSystem = {"/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache"};

class ConfinementTest : public testing::Test {
public:
  ConfinementTest() {
    const ConfinementSupport support = confinementSupport();
    hasFiles_ = support.landlock > 0;
    hasCalls_ = support.seccomp;
    std::string pattern = std::filesystem::temp_directory_path() / "confinement-XXXXXX";
    folder_ = mkdtemp(pattern.data());
    for (const char *name : {"open", "closed", "scratch"})
      std::filesystem::create_directory(folder_ + "/" + name);
    std::ofstream(folder_ + "/open/text") << "open text\n";
    std::ofstream(folder_ + "/closed/text") << "closed text\n";
    std::filesystem::create_symlink(folder_ + "/closed/text", folder_ + "/open/link");
    std::filesystem::copy("/bin/echo", folder_ + "/open/program");
  }
  ~ConfinementTest() override { std::filesystem::remove_all(folder_); }

  /// What the shell script prints, with the folder as $1.
  std::string outputOf(const std::string &script, std::optional<Confinement> confinement) const {
    std::optional<Pipe> output = makePipe();
    const StartedProcess started = startProcess({.arguments = {"/bin/sh", "-c", script, "sh", folder_},
                                                 .output = output->write.get(),
                                                 .errors = output->write.get(),
                                                 .confinement = std::move(confinement)});
    output->write.close();
    EXPECT_EQ(started.failure, StartedProcess::Failure::None) << started.error;
    std::string text;
    std::array<char, 4096> buffer;
    for (ssize_t count = 0; (count = read(output->read.get(), buffer.data(), buffer.size())) > 0;)
      text.append(buffer.data(), static_cast<size_t>(count));
    waitpid(started.pid, nullptr, 0);
    return text;
  }

  Confinement confinement() const {
    return {.files = Confinement::Files{.read = {folder_ + "/open", "/nowhere/at/all"}, .run = kSystem},
            .write = {folder_ + "/scratch"}};
  }

  /// `free` is what the script prints without a confinement, `confined` what it prints with one.
  void expectRefused(const std::string &script, const std::string &free, const std::string &confined) const {
    EXPECT_EQ(outputOf(script, std::nullopt), free) << script;
    EXPECT_EQ(outputOf(script, confinement()), confined) << script;
  }

  std::string folder_;
  bool hasFiles_ = false, hasCalls_ = false;
};

class ConfinedFiles : public ConfinementTest {
  void SetUp() override {
    if (!hasFiles_)
      GTEST_SKIP() << "this kernel has no Landlock";
  }
};

class ConfinedCalls : public ConfinementTest {
  void SetUp() override {
    if (!hasCalls_)
      GTEST_SKIP() << "this kernel has no filters of system calls";
  }
};

TEST_F(ConfinedFiles, OnlyGrantedFoldersCanBeRead) {
  EXPECT_EQ(outputOf("cat $1/open/text", confinement()), "open text\n");
  expectRefused("cat $1/closed/text 2>/dev/null || echo no", "closed text\n", "no\n");
  expectRefused("cat $1/open/../closed/text 2>/dev/null || echo no", "closed text\n", "no\n");
  expectRefused("cat $1/open/link 2>/dev/null || echo no", "closed text\n", "no\n");
  expectRefused("ls $1/closed 2>/dev/null || echo no", "text\n", "no\n");
  expectRefused("head -c 1 /proc/self/environ >/dev/null 2>&1 && echo yes || echo no", "yes\n", "no\n");
  expectRefused("head -c 1 /dev/zero >/dev/null 2>&1 && echo yes || echo no", "yes\n", "no\n");
}

TEST_F(ConfinedFiles, OnlyTheTemporaryFolderCanBeWritten) {
  EXPECT_EQ(outputOf("echo a > $1/scratch/new && mkdir $1/scratch/sub && mv $1/scratch/new $1/scratch/sub/old && "
                     "cat $1/scratch/sub/old && rm -r $1/scratch/sub && echo a > /dev/null && echo done",
                     confinement()),
            "a\ndone\n");
  for (const char *action : {"echo a > $1/open/new", "echo a >> $1/open/text", "mkdir $1/open/sub", "ln -s a $1/open/a",
                             "mkfifo $1/open/fifo", "mv $1/open/text $1/open/other", "rm $1/open/other",
                             "mv $1/open/program $1/scratch/program"})
    expectRefused("{ " + std::string(action) + "; } 2>/dev/null && echo yes || echo no", "yes\n", "no\n");
}

TEST_F(ConfinedFiles, AFileBelowAReadableFolderCannotBeRun) {
  expectRefused("$1/open/program ran 2>/dev/null || echo no", "ran\n", "no\n");
  Confinement runnable = confinement();
  runnable.files->run.push_back(folder_ + "/open");
  EXPECT_EQ(outputOf("$1/open/program ran", runnable), "ran\n");
}

TEST_F(ConfinedFiles, WithoutAListAllCanBeReadAndRun) {
  EXPECT_EQ(outputOf("cat $1/closed/text && $1/open/program ran && { echo a > $1/open/new || echo no; } 2>/dev/null",
                     Confinement{}),
            "closed text\nran\nno\n");
}

TEST_F(ConfinedCalls, TheNetworkIsOutOfReach) {
  expectRefused("perl -e 'use Socket; socket(my $s, AF_INET, SOCK_DGRAM, 0) ? print \"yes\" : print \"no\"'", "yes",
                "no");
  expectRefused("perl -e 'use Socket; socket(my $s, AF_UNIX, SOCK_STREAM, 0) ? print \"yes\" : print \"no\"'", "yes",
                "no");
}

TEST_F(ConfinedCalls, AttributesOfFilesStay) {
  expectRefused("chmod 600 $1/open/text 2>/dev/null && echo yes || echo no", "yes\n", "no\n");
  expectRefused("touch $1/open/text 2>/dev/null && echo yes || echo no", "yes\n", "no\n");
  expectRefused("perl -e 'print truncate(\"$ARGV[0]/closed/text\", 0) ? \"yes\" : \"no\"' $1", "yes", "no");
  // fchmodat2(2), by its number. A kernel before 6.6 has no such call, but the filter is asked first: EPERM is 1.
  EXPECT_EQ(outputOf("perl -e 'syscall(452, -100, \"$ARGV[0]/open/text\", 0600, 0); print $! + 0' $1", confinement()),
            "1");
}

TEST_F(ConfinedCalls, WhatItStartsStaysInItsGroup) {
  expectRefused("setsid true 2>/dev/null && echo yes || echo no", "yes\n", "no\n");
  Confinement leaving = confinement();
  leaving.leavesGroup = true;
  EXPECT_EQ(outputOf("setsid true && echo yes || echo no", leaving), "yes\n");
}

TEST_F(ConfinedCalls, LimitsOfOtherProcessesStay) {
  expectRefused("prlimit --pid $PPID --core=0:0 2>/dev/null && echo yes || echo no", "yes\n", "no\n");
  EXPECT_EQ(outputOf("ulimit -n 64 && ulimit -n", confinement()), "64\n");
}

TEST(ConfinementSupport, WhatIsMissingIsSaidInWords) {
  EXPECT_EQ(describeMissing({.landlock = 7, .seccomp = true}), "");
  EXPECT_EQ(describeMissing({.landlock = 0, .seccomp = true}),
            "Landlock is not enabled in this kernel: the compiler can read any file that you can read");
  EXPECT_EQ(describeMissing({.landlock = 3, .seccomp = false}),
            "seccomp filters are not available: the worker and the compiler are not kept from the network");
}

} // namespace
} // namespace analysis
