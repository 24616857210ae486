// One program, recorded in each way: the branches of a C function, counted by the program itself, by qemu, callgrind
// and gcov, and from a list of all executed instructions, as perf and BOLT would have written it.
#include "analysis/import/import.h"
#include "mca-core/trace/profile_counts.h"
#include "mca-core/trace/trace_walk.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

namespace analysis {
namespace {

// It calls a function of the text, one of the program's other file, and one of a library. Its inner loop is aligned, so
// that padding executes.
constexpr const char *kKernel = R"(
extern long total;
void outside(int x);
int rand(void);
__attribute__((noinline)) void helper(int x) {
  total += x;
  __asm__ volatile("");
}
void kern(const unsigned *a, int n) {
  for (int i = 0; i < n; ++i) {
    if (a[i] % 3 == 0)
      helper(1);
    for (unsigned steps = a[i] >> 10 & 7; steps != 0; --steps)
      __asm__ volatile(".p2align 4");
    if (a[i] % 5 == 0) {
      outside(2);
      total ^= rand();
      continue;
    }
    switch (a[i] % 7) {
    case 0: total ^= 1; break;
    case 1: total += 3; break;
    case 2: total *= 3; break;
    case 3: total -= 3; break;
    case 4: total ^= 77; break;
    case 5: total |= 3; break;
    default: total &= ~3l;
    }
  }
}
)";

// Prints the counts, and where `kern` is. Each call makes fewer taken branches than perf's reader allows in a sample.
constexpr const char *kMain = R"(
int printf(const char *format, ...);
long total;
void kern(const unsigned *, int);
void outside(int x) { total -= x; }
int main(void) {
  unsigned a[50], x = 1;
  int threes = 0, steps = 0, some = 0, fives = 0, sevens[7] = {0};
  for (int call = 0; call < 9; ++call) {
    for (int i = 0; i < 50; ++i) {
      x = x * 1664525u + 1013904223u;
      a[i] = x >> 9;
      threes += a[i] % 3 == 0;
      steps += a[i] >> 10 & 7;
      some += (a[i] >> 10 & 7) != 0;
      fives += a[i] % 5 == 0;
      if (a[i] % 5 != 0)
        ++sevens[a[i] % 7];
    }
    kern(a, 50);
  }
  printf("%ld %d %d %d %d", (long)kern, threes, steps, some, fives);
  for (int i = 0; i < 7; ++i)
    printf(" %d", sevens[i]);
  return 0;
}
)";

constexpr uint64_t kCalls = 9, kElements = 450;

std::string contentsOf(const std::string &path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// What the program counted.
struct OwnCounts {
  uint64_t kernel = 0; ///< where the function is
  uint64_t threes = 0, steps = 0, some = 0, fives = 0;
  std::vector<uint64_t> sevens;
};

/// The counts of one branch's ways, ascending.
using Ways = std::multiset<uint64_t>;

class Counts : public testing::Test {
protected:
  static void SetUpTestSuite() {
    std::string pattern = testing::TempDir() + "counts-XXXXXX";
    folder_ = std::string(mkdtemp(pattern.data())) + "/";
    std::ofstream(folder_ + "k.c") << kKernel;
    std::ofstream(folder_ + "main.c") << kMain;
    // Valgrind 3.19 does not read all of DWARF 5.
    const std::string clang = IMPORT_CLANG " --target=x86_64-linux-gnu -O2 -gdwarf-4 ";
    run(clang + "-S k.c -o k.s && " + clang + "k.c main.c -o k");
    run("qemu-x86_64 -d exec,nochain,page -D blocks ./k > out");
    // The names of the option in qemu 7 and 8.
    run("QEMU_SINGLESTEP=1 QEMU_ONE_INSN_PER_TB=1 qemu-x86_64 -d exec,nochain -D steps ./k > out");
    run(IMPORT_OBJDUMP " -d --no-show-raw-insn --no-leading-headers k > code");
    readRecordedBranches();
  }
  static void TearDownTestSuite() { std::filesystem::remove_all(folder_); }

  static void run(const std::string &command) {
    ASSERT_EQ(std::system(("cd " + folder_ + " && " + command).c_str()), 0) << command;
  }

  static OwnCounts ownCounts() {
    OwnCounts counts;
    std::ifstream in(folder_ + "out");
    in >> counts.kernel >> counts.threes >> counts.steps >> counts.some >> counts.fives;
    counts.sevens.assign(std::istream_iterator<uint64_t>(in), {});
    EXPECT_EQ(counts.sevens.size(), 7u);
    return counts;
  }

  /// A taken branch.
  struct Jump {
    uint64_t from, to;
  };
  static bool isOfProgram(uint64_t address) { return nextAddress_.contains(address - base_); }

  /// Finds the taken branches in the list of executed instructions: after them, execution continues elsewhere.
  static void readRecordedBranches() {
    std::ifstream code(folder_ + "code"), steps(folder_ + "steps");
    uint64_t before = 0, kernel = 0;
    bool isIndirect = true;
    for (std::string line; std::getline(code, line);) {
      const auto [address, rest] = llvm::StringRef(line).trim().split(':');
      uint64_t number = 0;
      if (rest.empty() && line.ends_with("<kern>:"))
        llvm::StringRef(line).split(' ').first.getAsInteger(16, kernel);
      if (rest.empty() || address.getAsInteger(16, number))
        continue;
      // A jump by a table may go to what follows it.
      if (!isIndirect)
        nextAddress_[before] = number;
      nextAddress_.try_emplace(number);
      isIndirect = rest.contains("jmp") && rest.contains('*');
      before = number;
    }
    base_ = ownCounts().kernel - kernel;
    before = 0;
    for (std::string line; std::getline(steps, line);) {
      uint64_t address = 0;
      if (!llvm::StringRef(line).starts_with("Trace ") ||
          llvm::StringRef(line).split('/').second.split('/').first.getAsInteger(16, address))
        continue;
      const bool continues = isOfProgram(before) && nextAddress_[before - base_] == address - base_;
      if (!continues && (isOfProgram(before) || isOfProgram(address)))
        jumps_.push_back({before, address});
      before = address;
    }
    ASSERT_GT(jumps_.size(), kElements);
  }

  /// One sample for each call of `kern`, without what `main` does between them.
  static std::string perfText() {
    std::ostringstream text;
    text << std::hex << "PERF_RECORD_MMAP2 100/100: [0x" << base_ << "(0x5000) @ 0 08:01 1 1]: r-xp " << folder_
         << "k\n";
    const uint64_t entry = ownCounts().kernel;
    for (auto at = jumps_.begin(); (at = std::ranges::find(at, jumps_.end(), entry, &Jump::to)) != jumps_.end();) {
      const uint64_t back = base_ + nextAddress_[at->from - base_];
      const auto end = std::ranges::find(at, jumps_.end(), back, &Jump::to) + 1;
      text << " " << entry;
      for (auto newest = std::reverse_iterator(end); newest != std::reverse_iterator(at); ++newest)
        text << " 0x" << newest->from << "/0x" << newest->to << "/P/-/-/1";
      text << "\n";
      at = end;
    }
    return text.str();
  }

  /// With the addresses of the file, as perf2bolt has them, and the straight lines between branches.
  static std::string boltText() {
    std::map<std::string, uint64_t> records;
    const auto add = [&](char kind, uint64_t first, uint64_t second) {
      std::ostringstream text;
      text << std::hex << kind;
      for (const uint64_t address : {first, second})
        text << (isOfProgram(address) ? " " : " X:") << (isOfProgram(address) ? address - base_ : address);
      ++records[text.str()];
    };
    for (size_t i = 0; i < jumps_.size(); ++i) {
      add('B', jumps_[i].from, jumps_[i].to);
      if (i + 1 < jumps_.size() && isOfProgram(jumps_[i].to) && isOfProgram(jumps_[i + 1].from))
        add('F', jumps_[i].to, jumps_[i + 1].from);
    }
    std::string text;
    for (const auto &[record, count] : records)
      text += record + " " + std::to_string(count) + (record.starts_with("B") ? " 0\n" : "\n");
    return text;
  }

  /// Imports a recording. Returns the trace's text.
  static std::string import(const std::string &kind, const std::string &recording) {
    const ImportRequest request = {.kind = kind,
                                   .recording = folder_ + recording,
                                   .program = folder_ + "k",
                                   .assembly = folder_ + "k.s",
                                   .output = folder_ + kind + ".mcatrace"};
    const auto made = importTrace(request, [](const auto &) {}, [](const auto &) {});
    EXPECT_TRUE(made) << kind << ": " << made.message();
    return made ? contentsOf(*made) : "";
  }

  static inline std::string folder_;
  static inline uint64_t base_ = 0;                        ///< where the program was loaded
  static inline std::map<uint64_t, uint64_t> nextAddress_; ///< of each instruction of the file, the one after it
  static inline std::vector<Jump> jumps_;                  ///< from, to or within the program, in order
};

/// The counts of all edges, by function, branch and successor.
std::map<std::string, uint64_t> edgesOf(const std::string &trace) {
  const auto text = std::get<mca::TraceText>(mca::readTrace(trace));
  std::map<std::string, uint64_t> edges;
  for (const mca::TraceEdge &edge : text.edges)
    edges[edge.function + " " + mca::textOf(text.tokens[edge.from]) + " -> " + mca::textOf(text.tokens[edge.to])] +=
        edge.count;
  return edges;
}

/// The ways of each branch of `kern`.
std::vector<Ways> waysOf(const std::string &trace) {
  std::map<std::string, Ways> ways;
  for (const auto &[edge, count] : edgesOf(trace))
    if (edge.starts_with("kern "))
      ways[edge.substr(0, edge.find(" -> "))].insert(count);
  std::vector<Ways> all;
  for (const auto &[branch, counts] : ways)
    all.push_back(counts);
  return all;
}

/// What the function's branches do, by the program's own counts.
std::vector<Ways> expectedWays(const OwnCounts &own) {
  return {{own.threes, kElements - own.threes},
          {own.some, kElements - own.some},
          {own.some, own.steps - own.some},
          {own.fives, kElements - own.fives},
          {kCalls, kElements - kCalls}};
}

TEST_F(Counts, OfQemuAreTheProgramsOwn) {
  const OwnCounts own = ownCounts();
  const std::string trace = import("qemu", "blocks");
  const std::vector<Ways> ways = waysOf(trace);
  for (const Ways &expected : expectedWays(own))
    EXPECT_EQ(std::ranges::count(ways, expected), 1) << testing::PrintToString(expected) << "\n" << trace;
  // The compiler tests for one case, and jumps by a table to the others.
  const auto isSwitch = [&](const Ways &one) {
    return one.size() == 6 && std::ranges::includes(Ways(own.sevens.begin(), own.sevens.end()), one);
  };
  EXPECT_EQ(std::ranges::count_if(ways, isSwitch), 1) << trace;
  const auto edges = edgesOf(trace);
  EXPECT_EQ(edges.at("helper helper -> RET"), own.threes);
  const auto countTo = [&](const std::string &callee) {
    uint64_t sum = 0;
    for (const auto &[edge, count] : edges)
      sum += edge.ends_with(" -> " + callee) ? count : 0;
    return sum;
  };
  EXPECT_EQ(countTo("helper"), own.threes);
  EXPECT_EQ(countTo("outside"), own.fives);
  EXPECT_EQ(countTo("rand"), own.fives);
}

TEST_F(Counts, OfPerfAndBoltAreThoseOfQemu) {
  std::ofstream(folder_ + "perf") << perfText();
  std::ofstream(folder_ + "bolt") << boltText();
  const auto edges = edgesOf(import("qemu", "blocks"));
  EXPECT_EQ(edgesOf(import("perf", "perf")), edges);
  EXPECT_EQ(edgesOf(import("bolt", "bolt")), edges);
}

// Callgrind has no returns, and its calls of other files are not imported.
TEST_F(Counts, OfCallgrindAreThoseOfQemu) {
  run("valgrind -q --tool=callgrind --dump-instr=yes --collect-jumps=yes --branch-sim=yes "
      "--callgrind-out-file=callgrind ./k > out.callgrind");
  auto edges = edgesOf(import("qemu", "blocks"));
  std::erase_if(edges,
                [](const auto &edge) { return edge.first.ends_with(" -> RET") || edge.first.ends_with(" -> rand"); });
  EXPECT_EQ(edgesOf(import("callgrind", "callgrind")), edges);
}

// gcov counts the branches of the source, so their ways are compared; imported are the counts of lines.
TEST_F(Counts, OfGcovAreThoseOfQemu) {
  run("gcc --coverage k.c main.c -o counted && ./counted > out.gcov && "
      "gcov --json-format --branch-probabilities --stdout counted-k.gcda > gcov");
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(contentsOf(folder_ + "gcov"));
  ASSERT_TRUE(bool(parsed));
  std::vector<Ways> ways;
  for (const llvm::json::Value &file : *parsed->getAsObject()->getArray("files"))
    for (const llvm::json::Value &line : *file.getAsObject()->getArray("lines")) {
      ways.emplace_back();
      for (const llvm::json::Value &branch : *line.getAsObject()->getArray("branches"))
        ways.back().insert(static_cast<uint64_t>(*branch.getAsObject()->getInteger("count")));
    }
  const OwnCounts own = ownCounts();
  EXPECT_EQ(std::ranges::count(ways, Ways{own.threes, kElements - own.threes}), 1);
  EXPECT_EQ(std::ranges::count(ways, Ways{own.fives, kElements - own.fives}), 1);
  EXPECT_EQ(std::ranges::count(ways, Ways(own.sevens.begin(), own.sevens.end())), 1);

  const auto target = std::move(*mca::Target::create({.triple = "x86_64-linux-gnu", .cpu = "skylake"}));
  const auto program = mca::Program::parse(contentsOf(folder_ + "k.s"), *target, {});
  const mca::ProgramBranches branches(*target, *program);
  const auto executed = std::get<mca::TraceText>(mca::readTrace(import("qemu", "blocks")));
  const mca::TokenTargets targets(branches, executed, [](uint32_t) { return 1; });
  std::map<uint32_t, uint64_t> executions;
  for (const mca::TraceStatement &statement : executed.traces) {
    mca::TraceWalk walk(targets, statement);
    for (mca::TraceStep step; walk.next(step);)
      ++executions[step.instruction];
  }
  const auto counted = std::get<mca::TraceText>(mca::readTrace(import("gcov", "gcov")));
  const auto counts = std::get<mca::ProfileCounts>(mca::findCounts({branches, counted, [](uint32_t) { return 1; }}));
  EXPECT_GE(counts.blocks.size(), 9u);
  for (const mca::PlaceCount &block : counts.blocks)
    EXPECT_EQ(block.count, executions[block.instruction]) << "line " << branches.lineOf(block.instruction);
}

} // namespace
} // namespace analysis
