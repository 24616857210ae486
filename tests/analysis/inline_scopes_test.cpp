// The inlined calls around each instruction, from what gcc and clang write, and from what no compiler would.
#include "analysis/source_map/inline_scopes.h"
#include "tests/analysis/compiled_samples.h"
#include "tests/mca-core/parsed.h"

#include <chrono>
#include <random>

namespace analysis {
namespace {

using mca::kX86;
using mca::Parsed;
using mca::Strings;

constexpr const char *kMips = "mips-linux-gnu";

mca::ParseOptions keepDwarf() {
  return {.keepData = InlineScopes::sections()};
}

Parsed parse(const std::string &text, const std::string &triple = kX86, const std::string &cpu = "skylake") {
  return {triple, cpu, text, keepDwarf()};
}

/// The inlined calls around the instruction, innermost first.
std::vector<CallSite> callsAround(const InlineScopes &scopes, uint32_t instruction) {
  std::vector<CallSite> calls;
  for (uint32_t scope = scopes.scopeOf(instruction); scope != InlineScopes::kNone;
       scope = scopes.scopes()[scope].parent)
    calls.push_back(scopes.scopes()[scope].call);
  return calls;
}

/// "2:12 half@5:10 more@9:8": the place by `.loc`, then the calls around it, innermost first.
Strings stacks(const Parsed &parsed) {
  EXPECT_EQ(parsed.diagnostics(), Strings{});
  const InlineScopes scopes = InlineScopes::read(*parsed.program);
  Strings result;
  for (uint32_t i = 0; i < parsed.count(); ++i) {
    const mca::LineEntry &entry = parsed.program->lines()[parsed.program->instructions()[i].line];
    std::string text = std::to_string(entry.line) + ":" + std::to_string(entry.column);
    uint32_t scope = scopes.scopeOf(i);
    for (const CallSite &call : callsAround(scopes, i)) {
      EXPECT_EQ(call.file, entry.file);
      text += " " + std::string(scopes.nameOf(scopes.scopes()[scope])) + "@" + std::to_string(call.line) + ":" +
              std::to_string(call.column);
      scope = scopes.scopes()[scope].parent;
    }
    result.push_back(text);
  }
  return result;
}

const char *const kHalfInMore = "2:12 half@5:10 more@9:8";
const char *const kHalf = "2:12 half@10:14";

TEST(InlineScopes, OfGccsDwarf5) {
  EXPECT_EQ(stacks(parse(kGccDwarf5)),
            (Strings{kHalfInMore, "8:12", kHalfInMore, kHalfInMore, kHalfInMore, kHalf, kHalf, kHalfInMore, kHalf,
                     "5:18 more@9:8", "9:5", kHalf, "10:12", "11:1"}));
}

TEST(InlineScopes, OfGccsDwarf4InBigEndian) {
  EXPECT_EQ(stacks(parse(kGccDwarf4BigEndian, kMips, "mips32r2")),
            (Strings{kHalfInMore, "8:7", kHalf, "8:7", kHalfInMore, kHalf, kHalfInMore, "8:7", kHalf, kHalfInMore,
                     "5:18 more@9:8", "9:5", "11:1", "11:1"}));
}

TEST(InlineScopes, OfClangsDwarf5) {
  EXPECT_EQ(stacks(parse(kClangDwarf5)),
            (Strings{"8:11", "8:11", "9:13", kHalfInMore, kHalfInMore, kHalfInMore, kHalfInMore, "9:5", "9:5", kHalf,
                     kHalf, kHalf, kHalf, "10:12", "10:3"}));
}

TEST(InlineScopes, NoneWithoutDwarf) {
  const InlineScopes scopes = InlineScopes::read(*parse("nop\n").program);
  EXPECT_TRUE(scopes.scopes().empty());
  EXPECT_EQ(scopes.scopeOf(0), InlineScopes::kNone);
  EXPECT_TRUE(callsAround(scopes, 0).empty());
  EXPECT_TRUE(callsAround(scopes, 99).empty());
}

// ---- what no compiler writes ---------------------------------------------------------------------------------------

std::string directives(const std::string &section, std::string_view bytes) {
  std::string text = ".section " + section + ",\"\",@progbits\n";
  for (size_t i = 0; i < bytes.size(); ++i)
    text += (i % 32 ? "," : "\n.byte ") + std::to_string(static_cast<unsigned char>(bytes[i]));
  return text + "\n";
}

/// Instructions, and DWARF sections given as bytes.
class Bytes {
public:
  explicit Bytes(const Parsed &parsed) : instructions_(parsed.count()) {
    for (const std::string &name : InlineScopes::sections())
      if (const std::string_view data = parsed.program->data(name); !data.empty())
        sections.emplace_back(name, data);
  }

  /// Whatever they say, every instruction's calls can be asked for.
  void read(const std::string &triple, const std::string &cpu) const {
    std::string text;
    for (size_t i = 0; i < instructions_; ++i)
      text += "nop\n";
    for (const auto &[name, bytes] : sections)
      text += directives(name, bytes);
    const Parsed parsed = parse(text, triple, cpu);
    const InlineScopes scopes = InlineScopes::read(*parsed.program);
    for (uint32_t i = 0; i < parsed.count(); ++i) {
      EXPECT_LE(callsAround(scopes, i).size(), scopes.scopes().size());
      if (const uint32_t scope = scopes.scopeOf(i); scope != InlineScopes::kNone)
        scopes.nameOf(scopes.scopes()[scope]);
    }
  }

  std::vector<std::pair<std::string, std::string>> sections;

private:
  size_t instructions_;
};

class BrokenDwarf : public testing::TestWithParam<std::tuple<const char *, const char *, const char *>> {
protected:
  const std::string text = std::get<0>(GetParam()), triple = std::get<1>(GetParam()), cpu = std::get<2>(GetParam());
  const Bytes whole{parse(text, triple, cpu)};
};

TEST_P(BrokenDwarf, Truncated) {
  for (size_t s = 0; s < whole.sections.size(); ++s)
    for (size_t length = 0; length < whole.sections[s].second.size(); length += 3) {
      Bytes cut = whole;
      cut.sections[s].second.resize(length);
      cut.read(triple, cpu);
    }
}

TEST_P(BrokenDwarf, WithFlippedBits) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    Bytes flipped = whole;
    for (int flips = 1 + round % 4; flips; --flips) {
      std::string &bytes = flipped.sections[random() % flipped.sections.size()].second;
      bytes[random() % bytes.size()] ^= static_cast<char>(1 << random() % 8);
    }
    flipped.read(triple, cpu);
  }
}

TEST_P(BrokenDwarf, WithOtherBytes) {
  std::mt19937 random(11);
  for (int round = 0; round < 200; ++round) {
    Bytes replaced = whole;
    std::string &bytes = replaced.sections[round % replaced.sections.size()].second;
    for (int i = 0; i < 8; ++i)
      bytes[random() % bytes.size()] = static_cast<char>(random() % 2 ? random() : 0xFF);
    replaced.read(triple, cpu);
  }
}

INSTANTIATE_TEST_SUITE_P(InlineScopes, BrokenDwarf,
                         testing::Values(std::tuple(kGccDwarf5, kX86, "skylake"),
                                         std::tuple(kGccDwarf4BigEndian, kMips, "mips32r2"),
                                         std::tuple(kClangDwarf5, kX86, "skylake")));

/// A DWARF 4 unit of inlined calls, all with the one list of ranges, each in the one before or beside it.
std::string unitOfCalls(int calls, bool nested, const std::string &ranges) {
  const std::string count = std::to_string(calls);
  return ".text\nnop\nnop\nnop\nnop\n"
         ".section .debug_abbrev,\"\",@progbits\n"
         ".uleb128 1, 0x11, 1, 0, 0\n"                        // the unit, with children
         ".uleb128 2, 0x1d, 1, 0x55, 0x17, 0x59, 0xb, 0, 0\n" // a call with ranges, line and children
         ".byte 0\n.section .debug_info,\"\",@progbits\n.long .Lend-.Lbegin\n.Lbegin: .short 4\n.long 0\n.byte 8\n"
         ".uleb128 1\n.rept " +
         count + "\n.uleb128 2\n.long 0\n.byte 5\n" + (nested ? ".endr\n.zero " + count + "\n" : ".byte 0\n.endr\n") +
         ".byte 0\n.Lend:\n.section .debug_ranges,\"\",@progbits\n" + ranges + ".quad 0, 0\n";
}

TEST(InlineScopes, CallsInCallsInCalls) {
  const Parsed parsed = parse(unitOfCalls(20'000, /*nested=*/true, ".quad 1, 3\n"));
  const InlineScopes scopes = InlineScopes::read(*parsed.program);
  EXPECT_TRUE(callsAround(scopes, 0).empty());
  EXPECT_EQ(callsAround(scopes, 1).size(), 256u);
  EXPECT_EQ(callsAround(scopes, 2).size(), 256u);
  EXPECT_TRUE(callsAround(scopes, 3).empty());
}

TEST(InlineScopes, CallsBesideCalls) {
  const Parsed parsed = parse(unitOfCalls(20'000, /*nested=*/false, ".quad 1, 3\n"));
  const InlineScopes scopes = InlineScopes::read(*parsed.program);
  EXPECT_EQ(scopes.scopes().size(), 20'000u);
  EXPECT_EQ(callsAround(scopes, 1).size(), 1u);
}

TEST(InlineScopes, ManyCallsWithManyRanges) {
  const auto start = std::chrono::steady_clock::now();
  const Parsed parsed = parse(unitOfCalls(20'000, /*nested=*/false, ".rept 20000\n.quad 1, 3\n.endr\n"));
  EXPECT_TRUE(InlineScopes::read(*parsed.program).scopes().empty());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

} // namespace
} // namespace analysis
