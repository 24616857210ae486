// Statements about pointers: which operations they put into one class, and what that does to the cycles of a loop.
#include "mca-core/model/memory_classes.h"
#include "mca-core/report/simulator.h"
#include "tests/mca-core/parsed.h"

#include <array>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace mca {
namespace {

struct Setting {
  std::string triple = kX86;
  std::string cpu = "znver3";
  bool noAlias = true;
  bool steadyState = true;
};

uint64_t cyclesOf(const std::string &text, const Setting &run = {}) {
  const Parsed parsed(run.triple, run.cpu, text);
  EXPECT_FALSE(parsed.program->hasErrors()) << text;
  std::vector<uint32_t> region(parsed.count());
  std::iota(region.begin(), region.end(), 0);
  const auto simulation =
      Simulator(*parsed.target)
          .simulate(*parsed.program, region, {.noAlias = run.noAlias, .steadyState = run.steadyState});
  EXPECT_TRUE(simulation) << text;
  return simulation ? (*simulation).report.summary.cycles : 0;
}

Strings problemsOf(const std::string &text, const char *triple = kX86, const char *cpu = "znver3") {
  const Parsed parsed(triple, cpu, text);
  MemoryClassifier classifier(*parsed.target);
  Strings problems;
  for (const PointerStatement &statement : parsed.program->pointerStatements())
    for (const Diagnostic &problem : classifier.check(*parsed.program, statement))
      problems.push_back(problem.message);
  return problems;
}

uint64_t ofOrderedLoop(const std::string &load, const std::string &statement, const Setting &run = {}) {
  return cyclesOf("# mca: " + statement + "\n" + load + "\naddq $1, %rax\nmovq %rax, (%rdi)\n", run);
}

constexpr const char *kPrefixSum = "movl (%rdi,%rcx,4), %eax\naddl %edx, %eax\nmovl %eax, 4(%rdi,%rcx,4)\nincq %rcx\n";
constexpr const char *kCopy = "movl (%rsi,%rcx,4), %eax\naddl $1, %eax\nmovl %eax, (%rdi,%rcx,4)\nincq %rcx\n";

TEST(PointerStatements, AreReadFromCommentsOfTheirOwn) {
  const auto read = readPointerStatement(" mca: alias %rdi,rsi */", 10);
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->meet);
  EXPECT_EQ(read->names, (Strings{"rdi", "rsi"}));
  EXPECT_EQ(read->begin, 16u);
  EXPECT_EQ(read->end, 30u);
  EXPECT_FALSE(readPointerStatement("mca: distinct p", 0)->meet);
  EXPECT_TRUE(readPointerStatement("mca: alias", 0)->names.empty());
  for (const char *other : {"mca: cpu=x", "mca: aliases rdi", "see mca: alias rdi", "LLVM-MCA-BEGIN", ""})
    EXPECT_FALSE(readPointerStatement(other, 0)) << other;
  const Parsed parsed(kX86, "znver3", "nop # mca: alias rdi\n  ## mca: alias rdi\nnop\n");
  ASSERT_EQ(parsed.program->pointerStatements().size(), 1u);
  EXPECT_EQ(parsed.lineOf(parsed.program->pointerStatements()[0].begin), 2u);
}

TEST(PointerStatements, HoldForTheSmallestCodeAroundThem) {
  const auto held = [](const std::string &text) {
    const Parsed parsed(kX86, "znver3", text);
    Strings extents;
    for (const PointerStatement &one : parsed.program->pointerStatements())
      extents.push_back(std::to_string(one.firstInstruction) + "-" + std::to_string(one.endInstruction));
    return extents;
  };
  EXPECT_EQ(held("nop\n# mca: alias rdi\nnop\n"), Strings{"0-2"});
  const std::string loops =
      ".type f,@function\nf: nop\n# mca: alias rsi\n.L1: nop\n.L2: nop\n# mca: alias rdi\n jne .L2\n"
      " jne .L1\nret\n.type g,@function\ng: nop\n# mca: alias rdx\nret\n";
  EXPECT_EQ(held(loops), (Strings{"1-5", "2-4", "6-8"}));
  EXPECT_EQ(held("nop\n# LLVM-MCA-BEGIN\nnop\n# mca: alias rdi\nnop\n# LLVM-MCA-END\nnop\n"), Strings{"1-3"});
  EXPECT_EQ(held("# mca: alias rdi\n"), Strings{"0-0"});
}

TEST(PointerStatements, OfARegionAreThoseThatHoldForSomeOfIt) {
  const Parsed parsed(
      kX86, "znver3",
      "a:\n# mca: alias rdi\naddl (%rdi), %eax\njne a\nb:\n# mca: alias rsi\naddl (%rsi), %eax\njne b\nnop\n");
  const auto statementsFor = [&](const std::vector<uint32_t> &instructions) {
    Strings statements;
    for (const PointerStatement *one : parsed.program->statementsFor(instructions))
      statements.push_back(textOf(*one));
    return statements;
  };
  EXPECT_EQ(statementsFor({0}), Strings{"alias rdi"});
  EXPECT_EQ(statementsFor({3, 1}), (Strings{"alias rdi", "alias rsi"})) << "in text order";
  EXPECT_EQ(statementsFor({4}), Strings{});
  EXPECT_EQ(statementsFor({}), Strings{});
}

TEST(PointerStatements, HoldForTheSmallestOfPiecesThatOverlap) {
  const Parsed parsed(
      kX86, "znver3",
      "# mca: alias rax\n.L1: nop\n# mca: alias rbx\n.L2: nop\n# mca: alias rcx\n# mca: alias rdx\njne .L1\n"
      "# mca: alias rsi\nnop\nnop\njne .L2\n# LLVM-MCA-BEGIN\nnop\n# mca: alias rdi\n# LLVM-MCA-END\nnop\n");
  Strings extents;
  for (const PointerStatement &one : parsed.program->pointerStatements())
    extents.push_back(one.names.front() + " " + std::to_string(one.firstInstruction) + "-" +
                      std::to_string(one.endInstruction));
  EXPECT_EQ(extents, (Strings{"rax 0-3", "rbx 0-3", "rcx 0-3", "rdx 0-3", "rsi 1-6", "rdi 6-7"}));
}

/// So many of a kind, each with its own loop.
std::string loopsWith(const std::string &statement, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    const std::string label = "a" + std::to_string(i);
    text += label + ":\n# mca: " + statement + "\naddl (%rdi), %eax\njne " + label + "\n";
  }
  return text;
}

TEST(PointerStatements, ThoseBeyondTheMostOfTheirKindAreWarnedOf) {
  for (const auto &[statement, about] : {std::pair("alias rdi", PointerStatement::About::Pointers),
                                         {"same-operands", PointerStatement::About::Operands}}) {
    const size_t most = mostStatements(about);
    const Parsed parsed(kX86, "znver3", loopsWith(statement, most + 2));
    MemoryClassifier classifier(*parsed.target);
    const auto all = parsed.program->pointerStatements();
    ASSERT_EQ(all.size(), most + 1) << statement;
    EXPECT_EQ(classifier.check(*parsed.program, all[most - 1]).size(), 0u) << statement;
    EXPECT_EQ(parsed.program->statementsFor(std::array{2 * static_cast<uint32_t>(most) - 1}).size(), 1u) << statement;
    const std::vector<Diagnostic> problems = classifier.check(*parsed.program, all[most]);
    ASSERT_EQ(problems.size(), 1u) << statement;
    EXPECT_NE(problems[0].message.find("a text may have " + std::to_string(most)), std::string::npos);
    EXPECT_TRUE(parsed.program->statementsFor(std::array{2 * static_cast<uint32_t>(most)}).empty()) << statement;
  }
}

TEST(PointerStatements, MoveWithAnEdit) {
  const std::string before = "nop\nnop\n# mca: alias rdi\nmovl (%rdi), %eax\n";
  const Parsed parsed(kX86, "znver3", before);
  const std::string after = "nop\nincl %eax\nincl %ecx\n# mca: alias rdi\nmovl (%rdi), %eax\n";
  ASSERT_TRUE(parsed.program->update(after, *parsed.target));
  ASSERT_EQ(parsed.program->pointerStatements().size(), 1u);
  const PointerStatement &moved = parsed.program->pointerStatements()[0];
  EXPECT_EQ(after.substr(moved.begin, moved.end - moved.begin), "alias rdi");
  EXPECT_EQ(moved.endInstruction, 4u);
  EXPECT_FALSE(parsed.program->update(after + "# mca: distinct rdi\n", *parsed.target)) << "it is parsed instead";
}

TEST(PointerStatements, AreSeenAmongRepeatedLines) {
  std::string text;
  for (int i = 0; i < 50; ++i)
    text += "addl $1, %eax\n# an ordinary comment\n";
  const Parsed parsed(kX86, "znver3", text + "# mca: alias rdi\n" + text);
  EXPECT_EQ(parsed.program->pointerStatements().size(), 1u);
}

TEST(MemoryClasses, AliasMakesLoadsWait) {
  const std::string alias = std::string("# mca: alias rdi\n") + kPrefixSum;
  EXPECT_LT(cyclesOf(kPrefixSum), 200u);
  EXPECT_GT(cyclesOf(alias), 500u) << "a load's latency, an addition and a store in each iteration";
  EXPECT_EQ(cyclesOf(alias), cyclesOf(kPrefixSum, {.noAlias = false}));
  EXPECT_EQ(cyclesOf("# mca: alias rdi, rsi\n" + std::string(kCopy)), cyclesOf(kCopy, {.noAlias = false}));
}

TEST(MemoryClasses, OtherPointersKeepTheirRule) {
  EXPECT_EQ(cyclesOf("# mca: alias rdi\n" + std::string(kCopy)), cyclesOf(kCopy));
  EXPECT_EQ(cyclesOf("# mca: alias rdx\n" + std::string(kPrefixSum)), cyclesOf(kPrefixSum));
  EXPECT_EQ(cyclesOf("# mca: distinct rdi, rsi\n" + std::string(kCopy)), cyclesOf(kCopy)) << "as assumed";
}

TEST(MemoryClasses, DistinctFreesLoads) {
  const Setting ordered{.noAlias = false};
  EXPECT_GT(cyclesOf(kCopy, ordered), 500u);
  EXPECT_LT(cyclesOf("# mca: distinct rdi, rsi\n" + std::string(kCopy), ordered), 300u);
  EXPECT_EQ(cyclesOf("# mca: distinct rdx, rsi\n" + std::string(kCopy), ordered), cyclesOf(kCopy, ordered));
  EXPECT_LT(cyclesOf("# mca: distinct rdi\n" + std::string(kPrefixSum), ordered), 300u) << "about the pointer alone";
  EXPECT_EQ(cyclesOf("# mca: distinct rdi, rsi\n" + std::string(kPrefixSum), ordered), cyclesOf(kPrefixSum, ordered));
  EXPECT_EQ(cyclesOf("# mca: distinct rdi\n# mca: alias rdi\n" + std::string(kPrefixSum), ordered),
            cyclesOf(kPrefixSum, ordered))
      << "of a contradiction, alias counts";
}

struct Followed {
  const char *name;
  const char *triple;
  const char *cpu;
  const char *text;
  bool follows = true;
};
std::ostream &operator<<(std::ostream &out, const Followed &test) {
  return out << test.name;
}

class FollowedPointers : public testing::TestWithParam<Followed> {};

TEST_P(FollowedPointers, AreInTheClass) {
  const Followed &test = GetParam();
  const Setting run{.triple = test.triple, .cpu = test.cpu};
  const std::string comment = std::string(test.triple) == kAArch64 ? "// " : "# ";
  const std::string reg = std::string(test.triple) == kX86 ? "rdi" : std::string(test.triple) == kAArch64 ? "x0" : "a0";
  const uint64_t without = cyclesOf(test.text, run),
                 with = cyclesOf(comment + "mca: alias " + reg + "\n" + test.text, run);
  EXPECT_EQ(with > without, test.follows) << with << " and " << without;
}

INSTANTIATE_TEST_SUITE_P(
    Instructions, FollowedPointers,
    testing::Values(
        Followed{"copy", kX86, "znver3", "movq %rdi, %r8\nmovl (%r8), %eax\naddl %edx, %eax\nmovl %eax, (%rdi)\n"},
        Followed{"lea", kX86, "znver3", "leaq 8(%rdi,%rcx,4), %r8\nmovl (%rdi), %eax\nmovl %eax, (%r8)\n"},
        Followed{"add", kX86, "znver3", "movq %rdi, %r8\naddq %rcx, %r8\nmovl (%r8), %eax\nmovl %eax, (%rdi)\n"},
        Followed{"index", kX86, "znver3", "movl (%rcx,%rdi), %eax\nmovl %eax, 4(%rcx,%rdi)\n"},
        Followed{"scaled_index", kX86, "znver3", "movl (%rcx,%rdi,4), %eax\nmovl %eax, 4(%rcx,%rdi,4)\n", false},
        Followed{"lower_half", kX86, "znver3", "movl (%edi), %eax\nmovl %eax, 4(%edi)\n"},
        Followed{"next_iteration", kX86, "znver3", "movl (%r8), %eax\nmovl %eax, 4(%r8)\nleaq 4(%rdi), %r8\n"},
        Followed{"read_modify_write", kX86, "znver3", "movl %ecx, (%rdi)\naddl %ecx, 4(%rdi)\nmovl 8(%rdi), %ecx\n"},
        Followed{"loaded", kX86, "znver3", "movq (%rcx), %r8\nmovl (%r8), %eax\nmovl %eax, (%rdi)\n", false},
        Followed{"overwritten", kX86, "znver3",
                 "movq %rdi, %r8\nmovq %rcx, %r8\nmovl (%r8), %eax\naddl %ecx, %eax\nmovl %eax, (%rdi)\n", false},
        Followed{"aarch64", kAArch64, "neoverse-n1", "ldr w1, [x0, x2]\nadd w1, w1, w3\nstr w1, [x0, #4]\n"},
        Followed{"aarch64_copy", kAArch64, "neoverse-n1",
                 "mov x4, x0\nldr w1, [x4, #4]!\nadd w1, w1, w3\nstr w1, [x4]\n"},
        Followed{"aarch64_post", kAArch64, "neoverse-n1",
                 "add x4, x0, #8\nldr w1, [x4], #4\nadd w1, w1, w3\nstr w1, [x4], #4\n"},
        Followed{"aarch64_other", kAArch64, "neoverse-n1", "ldr w1, [x5]\nadd w1, w1, w3\nstr w1, [x0]\n", false},
        Followed{"aarch64_in_order", kAArch64, "cortex-a55", "ldr w1, [x0]\nadd w1, w1, w3\nstr w1, [x0, #4]\n"},
        Followed{"riscv", kRiscv, "sifive-p470", "mv a4, a0\nlw a1, 0(a4)\naddi a1, a1, 1\nsw a1, 4(a0)\n"}),
    [](const auto &info) { return info.param.name; });

/// A loop with operations on a few pointers, some of them copies.
std::string randomBody(std::mt19937 &random) {
  static constexpr const char *kKinds[] = {"movl (%P), %R\n",     "movl %R, 4(%P)\n", "addl %R, (%P)\n",
                                           "addl 8(%P), %R\n",    "addl %R, %R\n",    "movq %rdi, %r8\n",
                                           "leaq 4(%rsi), %r9\n", "mfence\n"};
  static constexpr const char *kPointers[] = {"rdi", "rsi", "rdx", "r8", "r9"},
                              *kValues[] = {"eax", "ebx", "ecx", "ebp"};
  std::string body;
  for (size_t left = 2 + random() % 12; left; --left) {
    const size_t kind = random() % 40 ? random() % 7 : 7;
    for (const char *c = kKinds[kind]; *c; ++c)
      if (*c == 'P')
        body += kPointers[random() % 5];
      else if (*c == 'R')
        body += kValues[random() % 4];
      else
        body += *c;
  }
  return body;
}

TEST(MemoryClasses, SteadyStateIsExact) {
  std::mt19937 random{3};
  for (int i = 0; i < 60; ++i) {
    const std::string body = "# mca: alias rdi, rdx\n# mca: distinct rsi, rdx\n" + randomBody(random);
    for (const char *cpu : {"znver3", "skylake", "atom"})
      for (const bool noAlias : {false, true})
        EXPECT_EQ(cyclesOf(body, {.cpu = cpu, .noAlias = noAlias}),
                  cyclesOf(body, {.cpu = cpu, .noAlias = noAlias, .steadyState = false}))
            << cpu << noAlias << "\n"
            << body;
  }
}

TEST(MemoryClasses, OneClassThatSaysWhatIsAssumedChangesNothing) {
  std::mt19937 random{5};
  for (int i = 0; i < 60; ++i) {
    const std::string body = randomBody(random);
    for (const char *cpu : {"znver3", "skylake", "atom"}) {
      EXPECT_EQ(cyclesOf("# mca: alias rdi, rsi, rdx, r8, r9\n" + body, {.cpu = cpu, .noAlias = false}),
                cyclesOf(body, {.cpu = cpu, .noAlias = false}))
          << cpu << "\n"
          << body;
      EXPECT_EQ(cyclesOf("# mca: distinct rdi, rsi, rdx, r8, r9\n" + body, {.cpu = cpu}), cyclesOf(body, {.cpu = cpu}))
          << cpu << "\n"
          << body;
    }
  }
}

TEST(MemoryClasses, WrongStatementsAreReported) {
  EXPECT_EQ(problemsOf("# mca: alias rdi\n" + std::string(kPrefixSum)), Strings());
  EXPECT_EQ(
      problemsOf("# mca: alias rdx, foo\n" + std::string(kPrefixSum)),
      (Strings{"no load or store goes through rdx where this statement holds", "'foo' is no register of x86_64"}));
  EXPECT_EQ(problemsOf("# mca: distinct\nnop\n"), Strings{"expected the names of pointers after 'distinct'"});
  EXPECT_EQ(problemsOf("// mca: alias x0\nldr x1, [x0]\n", kAArch64, "neoverse-n1"), Strings());
}

TEST(MemoryClasses, LoadsThatLookLikeTheStacks) {
  EXPECT_GT(ofOrderedLoop("popcntq (%rdi), %rax", "alias rdi"), 600u);
}

TEST(MemoryClasses, AMistypedNameChangesNothing) {
  const Setting ordered{.noAlias = false};
  EXPECT_EQ(ofOrderedLoop("movq (%rdi), %rax", "distinct rdi, rsx", ordered),
            ofOrderedLoop("movq (%rdi), %rax", "distinct rdi, rsi", ordered));
  EXPECT_LT(ofOrderedLoop("movq (%rdi), %rax", "distinct rdi", ordered), 200u);
}

TEST(MemoryClasses, ScaledRegistersAreNoPointers) {
  const Setting arm{.triple = "aarch64", .cpu = "cortex-a76"};
  const std::string scaled = "ldr x1, [x2, x0, lsl #3]\nadd x1, x1, #1\nstr x1, [x2, x0, lsl #3]\n";
  EXPECT_EQ(cyclesOf("# mca: alias x0\n" + scaled, arm), cyclesOf(scaled, arm));
  const std::string lea = "leaq (,%rdi,8), %rcx\nmovq (%rcx), %rax\naddq $1, %rax\nmovq %rax, (%rcx)\n";
  EXPECT_EQ(cyclesOf("# mca: alias rdi\n" + lea), cyclesOf(lea));
}

TEST(MemoryClasses, CallsEndWhatRegistersHold) {
  const std::string code = "movq (%rdi), %rcx\nmovq %rdi, %rax\ncall f\nimulq %rcx, %rcx\nmovq %rcx, (%rax)\n";
  EXPECT_EQ(cyclesOf("# mca: alias rdi\n" + code), cyclesOf(code));
}

TEST(MemoryClasses, LowPartsOfARegisterAreTheRegister) {
  EXPECT_EQ(problemsOf("# mca: alias al\nmovb (%rax), %cl\nmovb %cl, (%rax)\n"), Strings{});
}

TEST(PointerStatements, HaveAtMostSixteenNames) {
  std::string text = " mca: alias";
  for (int i = 0; i < 1000; ++i)
    text += " rdi";
  const auto read = readPointerStatement(text, 0);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->names.size(), 17u);
  EXPECT_EQ(read->end, text.size());
}

TEST(PointerStatements, EndWithTheirLine) {
  const auto read = readPointerStatement(" mca: alias rdi\nud2 */", 0);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->names, Strings{"rdi"});
}

} // namespace
} // namespace mca
