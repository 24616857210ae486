// Counts in sentences, and the names of ports.
#include "analysis/common/counts.h"
#include "analysis/common/port_name.h"

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
