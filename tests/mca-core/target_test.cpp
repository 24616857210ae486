// Targets: what can be made, what is refused, and whose scheduling model the numbers rest on.
#include "tests/mca-core/parsed.h"

#include "llvm/MC/MCSubtargetInfo.h"

namespace mca {
namespace {

TEST(Target, KnowsItself) {
  const auto target = targetOf(kX86, "skylake", "+sse4a");
  EXPECT_EQ(target->triple().str(), kX86);
  EXPECT_EQ(target->cpu(), "skylake");
  EXPECT_EQ(target->features(), "+sse4a");
  EXPECT_TRUE(target->cpuIsKnown());
  EXPECT_TRUE(target->hasSchedulingModel());
  EXPECT_TRUE(target->isOutOfOrder());
  EXPECT_FALSE(targetOf(kAArch64, "cortex-a55")->isOutOfOrder());
}

TEST(Target, ShortTriplesAreCompleted) {
  EXPECT_EQ(targetOf("riscv64", "sifive-u74")->triple().getArchName(), "riscv64");
  EXPECT_EQ(targetOf("x86_64-linux", "skylake")->triple().getOS(), llvm::Triple::Linux);
}

TEST(Target, UnknownTripleFails) {
  for (const char *triple : {"pdp11-unknown-linux-gnu", "not a triple", "---"}) {
    const auto target = Target::create({.triple = triple, .cpu = "generic"});
    ASSERT_FALSE(target) << triple;
    EXPECT_FALSE(target.message().empty());
    EXPECT_FALSE(target.message().ends_with("\n"));
  }
}

TEST(Target, UnknownArchitectureFails) {
  const auto target = Target::create({.triple = kX86, .arch = "pdp11", .cpu = "skylake"});
  ASSERT_FALSE(target);
  EXPECT_NE(target.message().find("pdp11"), std::string::npos) << target.message();
}

TEST(Target, UnknownCpuIsToldApart) {
  const auto target = targetOf(kX86, "pentium-9000");
  EXPECT_FALSE(target->cpuIsKnown());
  EXPECT_EQ(target->cpu(), "pentium-9000");
}

TEST(Target, AliasesAreKnown) {
  EXPECT_TRUE(targetOf("arm64-apple-macosx", "apple-m1")->cpuIsKnown());
  EXPECT_TRUE(targetOf(kX86, "raptorlake")->cpuIsKnown());
}

TEST(Target, HostIsWhatNothingNames) {
  const auto target = Target::create({});
  ASSERT_TRUE(target);
  EXPECT_EQ((*target)->cpu(), hostCpu());
  EXPECT_EQ((*target)->triple().str(), hostTriple());
  const auto native = Target::create({.cpu = "native"});
  ASSERT_TRUE(native);
  EXPECT_EQ((*native)->cpu(), hostCpu());
}

TEST(Target, WithoutAModel) {
  EXPECT_FALSE(targetOf("i386-linux", "i486")->hasSchedulingModel());
  EXPECT_FALSE(targetOf("powerpc-linux", "440")->hasSchedulingModel()) << "itineraries are no model";
}

TEST(Target, PrintsInBothSyntaxes) {
  const Parsed parsed(kX86, "skylake", "addl $1, %eax\n");
  std::string att, intel;
  llvm::raw_string_ostream attStream(att), intelStream(intel);
  const llvm::MCInst &inst = parsed.program->instructions()[0].inst;
  parsed.target->createPrinter(0)->printInst(&inst, 0, "", parsed.target->subtarget(), attStream);
  parsed.target->createPrinter(1)->printInst(&inst, 0, "", parsed.target->subtarget(), intelStream);
  EXPECT_EQ(att, "\taddl\t$1, %eax");
  EXPECT_EQ(intel, "\tadd\teax, 1");
}

// ---- whose model ---------------------------------------------------------------------------------------------------

struct Origin {
  const char *triple, *cpu;
  ModelOrigin::Kind kind;
  const char *owner;
};

TEST(ModelOrigin, OfKnownCpus) {
  using Kind = ModelOrigin::Kind;
  for (const Origin &expected :
       {Origin{kX86, "znver4", Kind::Own, "znver4"}, Origin{kX86, "znver5", Kind::Borrowed, "znver4"},
        Origin{kX86, "skylake", Kind::Own, "skylake"}, Origin{"i386-linux", "i686", Kind::None, ""},
        Origin{"arm64-apple-macosx", "apple-m4", Kind::Borrowed, "apple-a7"},
        Origin{kAArch64, "apple-a7", Kind::Own, "apple-a7"}, Origin{kAArch64, "cortex-a57", Kind::Own, "cortex-a57"},
        Origin{kAArch64, "cortex-a72", Kind::Borrowed, "cortex-a57"},
        Origin{kAArch64, "cortex-a78", Kind::Borrowed, "cortex-a57"},
        Origin{kAArch64, "cortex-a55", Kind::Own, "cortex-a55"}, Origin{kAArch64, "a64fx", Kind::Own, "a64fx"},
        Origin{kRiscv, "spacemit-x60", Kind::Own, "spacemit-x60"}, Origin{"s390x-linux", "z14", Kind::Own, "z14"},
        Origin{"powerpc64le-linux", "pwr10", Kind::Own, "pwr10"},
        Origin{"mipsel-linux", "p5600", Kind::Own, "p5600"}}) {
    const ModelOrigin origin = targetOf(expected.triple, expected.cpu)->modelOrigin();
    EXPECT_EQ(origin.kind, expected.kind) << expected.cpu << ": " << origin.describe(expected.cpu);
    EXPECT_EQ(origin.owner, expected.owner) << expected.cpu;
  }
}

/// Whoever lends a model has it as its own, and knows the borrower among the sharers.
TEST(ModelOrigin, BorrowersAndOwnersAgree) {
  for (const char *triple : {kX86, kAArch64, "armv7-linux-gnueabihf", "powerpc64le-linux", "s390x-linux"}) {
    const auto any = targetOf(triple, "generic");
    for (const llvm::SubtargetSubTypeKV &cpu : any->subtarget().getAllProcessorDescriptions()) {
      const auto target = Target::create({.triple = triple, .cpu = cpu.Key});
      ASSERT_TRUE(target) << cpu.Key;
      const ModelOrigin &origin = (*target)->modelOrigin();
      EXPECT_EQ(origin.kind == ModelOrigin::Kind::None, !(*target)->hasSchedulingModel()) << cpu.Key;
      if (origin.kind != ModelOrigin::Kind::Borrowed)
        continue;
      const ModelOrigin lender = targetOf(triple, origin.owner)->modelOrigin();
      EXPECT_EQ(lender.kind, ModelOrigin::Kind::Own) << origin.owner << " lends to " << cpu.Key;
      EXPECT_NE(std::find(lender.sharers.begin(), lender.sharers.end(), cpu.Key), lender.sharers.end()) << cpu.Key;
    }
  }
}

TEST(ModelOrigin, InWords) {
  using Kind = ModelOrigin::Kind;
  EXPECT_EQ((ModelOrigin{Kind::Own, "znver4", {"znver5"}}.describe("znver4")), "znver4: its own model");
  EXPECT_EQ((ModelOrigin{Kind::Borrowed, "znver4", {"znver4"}}.describe("znver5")), "znver5: modelled as znver4");
  EXPECT_EQ((ModelOrigin{Kind::None, "", {}}.describe("i686")), "i686: LLVM has no scheduling model for it");
  EXPECT_EQ((ModelOrigin{Kind::Shared, "", {"a", "b", "c", "d", "e"}}.describe("x")),
            "x: shares its model with a, b, c and 2 more");
}

} // namespace
} // namespace mca
