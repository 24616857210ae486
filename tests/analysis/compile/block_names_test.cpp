// The names of blocks that clang prints only if it compiles a module from a file.
#include "analysis/compile/block_names.h"

#include "gtest/gtest.h"

namespace analysis {
namespace {

constexpr const char *kGap = "                                "; // up to column 40

TEST(BlockNames, AreTakenOut) {
  EXPECT_EQ(withoutBlockNames(std::string("# %bb.1:") + kGap + "# %for.body\n\taddl\t%eax, %ebx\n"),
            "# %bb.1:\n\taddl\t%eax, %ebx\n");
  EXPECT_EQ(withoutBlockNames(std::string(".LBB0_4:") + kGap + "# %\"odd name:\"\n.LBB0_5:"), ".LBB0_4:\n.LBB0_5:");
  EXPECT_EQ(withoutBlockNames(std::string(".LBB0_4:") + kGap + "// %vector.body\n"), ".LBB0_4:\n");
}

TEST(BlockNames, TheNextCommentTakesTheirPlace) {
  EXPECT_EQ(withoutBlockNames(std::string(".LBB0_4:") + kGap + "# %vector.body\n        " + kGap +
                              "# =>This Inner Loop Header: Depth=1\n        " + kGap + "#   more\n"),
            std::string(".LBB0_4:") + kGap + "# =>This Inner Loop Header: Depth=1\n        " + kGap + "#   more\n");
}

TEST(BlockNames, WhatIsAboutRegistersKeepsItsLine) {
  const std::string kill = std::string("        ") + kGap + "# kill: def $eax killed $eax killed $rax\n";
  EXPECT_EQ(withoutBlockNames(std::string(".LBB0_4:") + kGap + "# %exit\n" + kill), ".LBB0_4:\n" + kill);
}

TEST(BlockNames, OtherTextStays) {
  for (const std::string &text :
       {std::string(".LBB0_4:") + kGap + "# =>This Inner Loop Header: Depth=1\n",
        std::string("f:      # @f\n# %bb.0:\n"), std::string("\tmovl\t%eax, %ebx # %not.a.block\n"), std::string(""),
        std::string("no line end")})
    EXPECT_EQ(withoutBlockNames(text), text);
}

} // namespace
} // namespace analysis
