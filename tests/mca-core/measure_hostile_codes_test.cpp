// Thousands of codes that try to do anything but compute: each ends as times or as a refusal with a reason, within its
// time, and leaves no file, no process and no change of this process's memory.
#include "mca-core/measure/child_layout.h"
#include "tests/mca-core/hostile_codes.h"

#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace mca::measure;
namespace fs = std::filesystem;

// The limit is 1.2 s; the rest is for a machine whose processors are taken.
#ifdef MCA_SANITIZED
constexpr auto kMostTime = std::chrono::seconds(20);
#else
constexpr auto kMostTime = std::chrono::seconds(5);
#endif
constexpr uint64_t kPattern = 0x5ca1ab1e'0ddba11;

/// Memory of this process that no code may reach. Its address is in the codes.
std::vector<uint64_t> watchedMemory(size_t(64) << 10, kPattern);

uint64_t addressOf(const void *object) {
  return reinterpret_cast<uint64_t>(object);
}

CodeToRun toRun(const hostile::Code &code, const CodeRunner &runner) {
  CodeToRun made{.code = code.bytes, .repetitions = 1};
  for (uint32_t i = 0; i < 16 && !code.hasZeros; ++i)
    made.registers[i] = i + 2;
  for (const uint32_t pointer : {4, 6, 7}) // rsp, rsi, rdi
    if (pointer == 4 || !code.hasZeros)
      made.registers[pointer] = runner.memory().begin + (pointer << 16);
  return made;
}

class HostileCodes : public testing::Test {
protected:
  void SetUp() override {
    auto made = CodeRunner::create();
    if (!made)
      GTEST_SKIP() << made.message();
    runner_ = std::move(*made);
    // A process that a code left behind would become ours.
    ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    std::string pattern = (fs::temp_directory_path() / "mca-hostile-XXXXXX").string();
    ASSERT_TRUE(mkdtemp(pattern.data()));
    folder_ = pattern;
    before_ = fs::current_path();
    fs::current_path(folder_);
  }
  void TearDown() override {
    if (folder_.empty())
      return;
    fs::current_path(before_);
    fs::remove_all(folder_);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
  }

  void runAll(const std::vector<hostile::Code> &codes) {
    ASSERT_FALSE(codes.empty());
    const size_t files = openFiles();
    for (const hostile::Code &code : codes) {
      SCOPED_TRACE(code.name);
      run(code);
    }
    EXPECT_EQ(openFiles(), files);
    EXPECT_TRUE(fs::is_empty(folder_)) << "a file was written";
    EXPECT_TRUE(llvm::all_of(watchedMemory, [](uint64_t word) { return word == kPattern; }));
    // The runner still measures.
    const CodeToRun harmless{.code = {0x48, 0x0f, 0xaf, 0xc0}};
    EXPECT_EQ(runner_->run({&harmless, 1}).front().index(), 0u);
  }

  std::unique_ptr<CodeRunner> runner_;

private:
  static size_t openFiles() {
    return static_cast<size_t>(std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
  }

  void run(const hostile::Code &code) {
    const CodeToRun one = toRun(code, *runner_);
    const auto start = std::chrono::steady_clock::now();
    const std::vector<CodeResult> results = runner_->run({&one, 1});
    EXPECT_LT(std::chrono::steady_clock::now() - start, kMostTime);
    ASSERT_EQ(results.size(), 1u);
    const auto *refusal = std::get_if<CodeRefusal>(&results.front());
    EXPECT_TRUE(refusal || !code.mustBeRefused) << "it was not refused";
    EXPECT_TRUE(!refusal || !refusal->reason.empty());
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
  }

  fs::path folder_, before_;
};

TEST_F(HostileCodes, SystemCalls) {
  runAll(hostile::systemCalls());
}

TEST_F(HostileCodes, SystemInstructions) {
  const auto target = mca::Target::create({.triple = "x86_64-unknown-linux-gnu", .cpu = "x86-64-v4"});
  ASSERT_TRUE(target);
  runAll(hostile::systemInstructions(**target));
}

TEST_F(HostileCodes, Accesses) {
  int local = 0;
  const hostile::Address addresses[] = {
      {"null", 0},
      {"the first page", 0xff8},
      {"the lowest mapping", 64 << 10},
      {"a program", 0x400000},
      {"before the image", kImageAddress - 16},
      {"after the image", kImageAddress + sizeof(Image) + 256},
      {"before the control page", kControlAddress - 16},
      {"after the control page", kControlAddress + sizeof(Control) + 256},
      {"before the memory", kMemoryAddress - 16},
      {"after the memory", kMemoryAddress + kMemoryBytes + 256},
      {"this process's heap", addressOf(watchedMemory.data())},
      {"this process's stack", addressOf(&local)},
      {"this process's code", addressOf(reinterpret_cast<const void *>(&hostile::endless))},
      {"the C library", addressOf(reinterpret_cast<const void *>(&std::abort))},
      {"the vdso", getauxval(AT_SYSINFO_EHDR)},
      {"the vsyscall page", 0xffffffff'ff600000},
      {"the end of the user's addresses", kAddressEnd},
      {"what is not canonical", 0x8000'0000'0000},
      {"what is far from canonical", 0x1234'5678'1234'5678},
      {"the kernel's direct map", 0xffff8880'00000000},
      {"the kernel", 0xffffffff'81000000},
      {"the last byte", ~uint64_t{0}},
      {"the control page", kControlAddress, true},
      {"the result", kControlAddress + offsetof(Control, repetitions), true},
      {"the number of the code", kControlAddress + offsetof(Control, current), true},
      {"the handler's stack", kControlAddress + offsetof(Control, signalStack) + Control::kStackBytes - 256, true},
      {"the stack", kControlAddress + offsetof(Control, stack) + Control::kStackBytes - 256, true},
      {"the memory", kMemoryAddress, true},
      {"the end of the memory", kMemoryAddress + kMemoryBytes - 16, true},
      {"the code", kImageAddress + offsetof(Image, code), true},
      {"the filter", kImageAddress + offsetof(Image, filter), true}};
  runAll(hostile::accesses(addresses));
}

TEST_F(HostileCodes, JumpsIntoTheHarness) {
  std::vector<hostile::Code> codes;
  for (uint32_t offset = 0; offset < Image::kMaxHarness; offset += 97) {
    hostile::Code code{.name = "offset " + std::to_string(offset), .bytes = {0xb8}}; // mov $ADDRESS, %eax; jmp *%rax
    for (unsigned i = 0; i < 4; ++i)
      code.bytes.push_back(static_cast<uint8_t>((kImageAddress + offset) >> (8 * i)));
    code.bytes.insert(code.bytes.end(), {0xff, 0xe0});
    codes.push_back(std::move(code));
  }
  runAll(codes);
}

TEST_F(HostileCodes, OpcodeSweep) {
  runAll(hostile::opcodeSweep());
}

TEST_F(HostileCodes, ProcessorState) {
  runAll(hostile::processorState());
}

TEST_F(HostileCodes, Endless) {
  runAll(hostile::endless());
}

} // namespace
