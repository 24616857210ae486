// A line that cannot be read belongs to the regions that its instruction would belong to.
#include "analysis/source_map/inline_scopes.h"
#include "tests/mca-core/parsed.h"

#include "analysis/regions/region.h"

#include <random>
#include <set>

namespace analysis {
namespace {

using mca::kAArch64;
using mca::kX86;
using mca::Parsed;
using mca::Strings;

/// The number of unread lines that a region is known to have.
uint32_t unreadIn(const Region &region) {
  for (const wire::Caveat &caveat : region.caveats)
    if (caveat.kind == wire::Caveat::Kind::UnreadLine)
      return caveat.count;
  return 0;
}

std::vector<Region> regionsOf(const Parsed &parsed) {
  const TextLines lines(parsed.program->text());
  const SourceMap map = SourceMap::ofAssembly(*parsed.program, lines);
  return findAssemblyRegions({*parsed.target, *parsed.program}, map, {}).regions;
}

/// "loop in f: 2" for each region.
Strings unreadOf(const std::string &text, const char *triple = kX86, const char *cpu = "skylake") {
  const Parsed parsed(triple, cpu, text);
  Strings found;
  for (const Region &region : regionsOf(parsed))
    found.push_back(wire::fullName(region) + ": " + std::to_string(unreadIn(region)));
  return found;
}

TEST(UnreadLines, AtTheEndsOfALoop) {
  const auto loop = [](const std::string &body) { return ".type f,@function\nf:\n" + body + "ret\n"; };
  const std::string bad = "bogus %eax\n";
  EXPECT_EQ(unreadOf(loop(".L1:\n" + bad + "incl %eax\njne .L1\n")), Strings{"loop in f: 1"}) << "the first";
  EXPECT_EQ(unreadOf(loop(".L1:\nincl %eax\n" + bad + "jne .L1\n")), Strings{"loop in f: 1"}) << "in the middle";
  EXPECT_EQ(unreadOf(loop(bad + ".L1:\nincl %eax\njne .L1\n")), Strings{"loop in f: 0"}) << "before the label";
  EXPECT_EQ(unreadOf(loop(".L1:\nincl %eax\njne .L1\n" + bad)), Strings{"loop in f: 0"}) << "after the branch";
  EXPECT_EQ(unreadOf(loop(".L1: " + bad + bad + "jne .L1\n" + bad)), Strings{"loop in f: 2"}) << "all but the branch";
  EXPECT_EQ(unreadOf(loop(bad + ".L1: " + bad + ".L2: " + bad + "incl %eax\njne .L2\n")), Strings{"loop in f: 1"});
}

TEST(UnreadLines, OnOnePathOfALoop) {
  const std::string text = ".L1:\ntestl %eax, %eax\nje .L2\nbogus\nincl %ecx\n.L2:\ndecl %edx\njne .L1\n";
  EXPECT_EQ(unreadOf(text), (Strings{"loop, through line 5: 1", "loop, not through line 5: 0"}));
  EXPECT_EQ(unreadOf(".L1:\ntestl %eax, %eax\nje .L2\nincl %ecx\njmp .L3\nbogus\n.L2:\nnotl %ecx\n.L3:\n"
                     "decl %edx\njne .L1\n"),
            (Strings{"loop, through lines 4, 5: 0", "loop, through line 8: 0"}))
      << "behind a jump that nothing jumps over";
}

TEST(UnreadLines, OfAWholeText) {
  EXPECT_EQ(unreadOf("bogus\nincl %eax\n"), Strings{"whole text: 1"});
  EXPECT_EQ(unreadOf("incl %eax\nbogus\n"), Strings{"whole text: 1"});
  EXPECT_EQ(unreadOf("f:\nbogus\nincl %eax\nret\nbogus; bogus\n"), Strings{"whole text: 3"});
}

TEST(UnreadLines, OfOneOfSeveralFunctions) {
  EXPECT_EQ(unreadOf("f:\nbogus\nincl %eax\nret\nbogus\ng:\nnop\nret\n"), (Strings{"function f: 2", "function g: 0"}));
  EXPECT_EQ(unreadOf("f:\nnop\nret\ng:\n.Lx: bogus\nnop\nbogus\nret\n"), (Strings{"function f: 0", "function g: 2"}));
  EXPECT_EQ(unreadOf("f:\nnop\n.section .text.g,\"ax\"\ng:\nbogus\nret\n.text\nbogus\nret\n"),
            (Strings{"function f: 1", "function g: 1"}))
      << "a text may come back to a function's section";
}

TEST(UnreadLines, OfMarkedLines) {
  const std::string begin = "# LLVM-MCA-BEGIN\n", end = "# LLVM-MCA-END\n";
  EXPECT_EQ(unreadOf(begin + "bogus\nincl %eax\nbogus\n" + end), Strings{": 2"});
  EXPECT_EQ(unreadOf("bogus\n" + begin + "incl %eax\n" + end + "bogus\n"), Strings{": 0"});
  EXPECT_EQ(unreadOf(begin + "jmp *%rax\nbogus\nincl %eax\n" + end), Strings{": 1"}) << "executed or not";
}

TEST(UnreadLines, AreThoseThatMayHoldInstructions) {
  const auto countIn = [](const std::string &line) {
    return unreadOf(".L1:\nincl %eax\n" + line + "\njne .L1\n").front().back() - '0';
  };
  EXPECT_EQ(countIn("\t.cfi_adjust_cfa_offset 8"), 0) << "the text has no .cfi_startproc";
  EXPECT_EQ(countIn("\t.size f, "), 0);
  EXPECT_EQ(countIn("\t.inst 0xd503201f"), 1) << "unknown to x86";
  EXPECT_EQ(countIn("\tmovl %eax, %zz"), 1);
  EXPECT_EQ(countIn("a: b: bogus"), 1);
  EXPECT_EQ(countIn("\t.include \"nothing\""), 1);
  EXPECT_EQ(countIn("\tincl %ecx"), 0);
  EXPECT_EQ(countIn("\tjmp 7f"), 0) << "an undefined label, which is found at the end of the text";
}

TEST(UnreadLines, OfMacros) {
  const std::string macro = ".macro m\nincl %eax\nbogus\n.endm\n";
  EXPECT_EQ(unreadOf(macro + ".L1:\nm\njne .L1\n"), Strings{"loop: 1"});
  EXPECT_EQ(unreadOf(macro + ".L1:\nm\njne .L1\nm\n"), Strings{"loop: 1"});
  EXPECT_EQ(unreadOf(".macro m\nbogus\n.endm\nm\n.L1:\ndecl %eax\njne .L1\nm\n"), Strings{"loop: 0"});
  EXPECT_EQ(unreadOf(".L1:\n.rept 3\nbogus\n.endr\ndecl %eax\njne .L1\n"), Strings{"loop: 3"});
}

TEST(UnreadLines, InSectionsThatATextComesBackTo) {
  EXPECT_EQ(unreadOf(".text\n.L1:\nincl %eax\n.section .cold,\"ax\"\nbogus\n.text\nbogus\njne .L1\n"),
            Strings{"loop: 1"});
  EXPECT_EQ(unreadOf(".text\n.L1:\nbogus\n.section .cold,\"ax\"\nnop\n.text\nincl %eax\njne .L1\n"),
            Strings{"loop: 1"});
  EXPECT_EQ(unreadOf(".text\n.L1:\nincl %eax\n.data\n.bogus 7\n.text\njne .L1\n"), Strings{"loop: 0"});
}

TEST(UnreadLines, OfOtherTargets) {
  EXPECT_EQ(unreadOf(".L1:\n bogus x0\n add x0, x0, x1\n cbnz x0, .L1\n", kAArch64, "neoverse-n1"), Strings{"loop: 1"});
  // A delay slot is executed with the branch before it.
  EXPECT_EQ(unreadOf(".set noreorder\n$L1:\n bogus $2\n addiu $2, $2, 1\n bne $2, $3, $L1\n nop\n bogus $2\n",
                     "mipsel-linux-gnu", "p5600"),
            Strings{"loop: 1"});
}

// ---- random texts --------------------------------------------------------------------------------------------------

/// A text of instructions, labels, branches and sometimes markers, a line each.
Strings randomLines(std::mt19937 &random) {
  const auto below = [&](uint32_t bound) { return static_cast<uint32_t>(random() % bound); };
  const uint32_t labels = 2 + below(5), count = 8 + below(16);
  Strings lines{"f:"};
  for (uint32_t i = 0; i < count; ++i) {
    const std::string label = ".L" + std::to_string(below(labels));
    switch (below(8)) {
    case 0:
      lines.push_back("jne " + label);
      break;
    case 1:
      lines.push_back(below(3) ? "je " + label : below(4) ? "jmp " + label : "ret");
      break;
    default:
      lines.push_back("addl $" + std::to_string(i + 1) + ", %eax");
    }
  }
  for (uint32_t i = 0; i < labels; ++i)
    lines.insert(lines.begin() + 1 + below(static_cast<uint32_t>(lines.size())), ".L" + std::to_string(i) + ":");
  if (below(3) == 0) {
    const uint32_t begin = 1 + below(static_cast<uint32_t>(lines.size()) - 1);
    lines.insert(lines.begin() + begin, "# LLVM-MCA-BEGIN");
    lines.insert(lines.begin() + begin + 1 + below(static_cast<uint32_t>(lines.size()) - begin), "# LLVM-MCA-END");
  }
  return lines;
}

std::string joined(const Strings &lines) {
  std::string text;
  for (const std::string &line : lines)
    text += line + "\n";
  return text;
}

using LineSet = std::set<uint32_t>;

LineSet linesOf(const Region &region) {
  return {region.lines.begin(), region.lines.end()};
}

/// Replaces one instruction after the other by a line that cannot be read. A region lacks it if and only if the text
/// with the instruction has the same region with it.
TEST(UnreadLines, BelongToTheRegionsOfTheirInstructions) {
  std::mt19937 random(35);
  size_t missing = 0, complete = 0;
  for (int round = 0; round < 400; ++round) {
    const Strings lines = randomLines(random);
    const std::vector<Region> before = regionsOf(Parsed(kX86, "skylake", joined(lines)));
    for (uint32_t i = 0; i < lines.size(); ++i) {
      if (!lines[i].starts_with("addl"))
        continue;
      Strings changed = lines;
      changed[i] = "bogus %eax";
      SCOPED_TRACE("line " + std::to_string(i + 1) + " of\n" + joined(lines));
      for (const Region &region : regionsOf(Parsed(kX86, "skylake", joined(changed)))) {
        const auto hadLines = [&](const LineSet &ofRegion) {
          return std::ranges::any_of(before, [&](const Region &one) {
            const bool isMarked = one.kind == wire::RegionKind::Marker;
            return isMarked == (region.kind == wire::RegionKind::Marker) && linesOf(one) == ofRegion;
          });
        };
        LineSet whole = linesOf(region);
        const bool hadNone = hadLines(whole);
        whole.insert(i + 1);
        const bool had = hadLines(whole);
        const uint32_t unread = unreadIn(region);
        EXPECT_LE(unread, 1u);
        if (had) {
          EXPECT_EQ(unread, 1u) << wire::fullName(region);
        } else if (hadNone) {
          EXPECT_TRUE(unread == 0 || region.severalPaths) << wire::fullName(region);
        }
        ++(unread ? missing : complete);
      }
    }
  }
  EXPECT_GT(missing, 500u);
  EXPECT_GT(complete, 500u);
}

// ---- compiled source -----------------------------------------------------------------------------------------------

/// The buffer has five lines; the marked ones are 2 to 4.
class MarkedSource {
public:
  explicit MarkedSource(const std::string &assembly) : parsed_(kX86, "skylake", ".file 1 \"/d\" \"a.c\"\n" + assembly) {
    const SourceMap map = SourceMap::ofSource(*parsed_.program, lines_, "/d/a.c", "/d", {});
    const LoopStatements statements(text_, wire::Language::C);
    SourceFacts facts{.markers = {}, .statements = &statements};
    facts.markers = {{.name = "m", .begin = lines_.range(1).begin, .end = lines_.range(3).begin}};
    regions_ = findSourceRegions({*parsed_.target, *parsed_.program}, map, facts, {.loops = false}).regions;
  }
  uint32_t unread() const { return regions_.empty() ? 0 : unreadIn(regions_.front()); }

private:
  const std::string text_ = "int f(int *p) {\n//begin\n  p[0]++;\n//end\n  return 0; }\n";
  const TextLines lines_{text_};
  const Parsed parsed_;
  std::vector<Region> regions_;
};

TEST(UnreadLines, OfMarkedLinesOfASource) {
  const std::string before = ".loc 1 1 1\nnop\n", after = ".loc 1 5 3\nret\n";
  EXPECT_EQ(MarkedSource(before + ".loc 1 3 3\nbogus\nincl %eax\n" + after).unread(), 1u) << "the first";
  EXPECT_EQ(MarkedSource(before + ".loc 1 3 3\nincl %eax\nbogus\n" + after).unread(), 1u) << "the last";
  EXPECT_EQ(MarkedSource(before + ".loc 1 3 3\nincl %eax\n.loc 1 3 7\nbogus\n" + after).unread(), 1u)
      << "alone after its .loc";
  EXPECT_EQ(MarkedSource(before + "bogus\n.loc 1 3 3\nincl %eax\n" + after + "bogus\n").unread(), 0u);
  EXPECT_EQ(MarkedSource(before + ".loc 1 3 3\nincl %eax\n.loc 1 1 1\nbogus\n.loc 1 3 3\nincl %eax\n" + after).unread(),
            0u)
      << "of another line, which the compiler put between";
}

} // namespace
} // namespace analysis
