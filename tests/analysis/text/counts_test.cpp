// Numbers, counts and lists in sentences, texts of instructions, and the names of ports.
#include "analysis/text/counts.h"
#include "analysis/text/instruction_text.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

TEST(Counts, OneHasNoPlural) {
  EXPECT_EQ(counted(0, "loop"), "0 loops");
  EXPECT_EQ(counted(1, "loop"), "1 loop");
  EXPECT_EQ(counted(2, "micro-op"), "2 micro-ops");
}

TEST(Counts, WhatAListLeavesOutIsCounted) {
  EXPECT_EQ(andMore(3, 3), "");
  EXPECT_EQ(andMore(2, 3), "");
  EXPECT_EQ(andMore(7, 3), " and 4 more");
}

TEST(Counts, NumbersAreRoundedHalfUp) {
  EXPECT_EQ(decimals(0.25, 1), "0.3");
  EXPECT_EQ(decimals(2.675, 2), "2.68");
  EXPECT_EQ(decimals(1e300, 0).size(), 301u);
}

TEST(Counts, NamesInAList) {
  EXPECT_EQ(listOf({}, 2), "");
  EXPECT_EQ(listOf({"a"}, 2), "a");
  EXPECT_EQ(listOf({"a", "b"}, 2), "a and b");
  EXPECT_EQ(listOf({"a", "b", "c", "d"}, 2), "a, b and 2 more");
}

TEST(Counts, ATextIsCutAtACharacter) {
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shortened("abcd", 3), "abc…");
  EXPECT_EQ(shortened("abäd", 3), "ab…");
}

TEST(InstructionText, InOneLine) {
  EXPECT_EQ(flatText("addl\t%eax,  %ebx"), "addl %eax, %ebx");
  EXPECT_EQ(mnemonicOf("addl\t%eax"), "addl");
  EXPECT_EQ(mnemonicOf(""), "");
}

TEST(InstructionText, AUnitHasANumberWhereThereAreSeveral) {
  EXPECT_EQ(unitName("SKLPort5", 0, 1), "SKLPort5");
  EXPECT_EQ(unitName("Zn4LSU", 2, 3), "Zn4LSU.2");
}

TEST(PortName, HasAFamilyAndANumber) {
  const std::optional<PortName> port = portNameOf("LNLPVPort02");
  ASSERT_TRUE(port);
  EXPECT_EQ(port->family, "LNLPV");
  EXPECT_EQ(port->number, "02");
  for (const char *other : {"Port5", "SKLPort", "SKLPort0x", "SKLDivider", ""})
    EXPECT_FALSE(portNameOf(other)) << other;
}

} // namespace
} // namespace analysis
