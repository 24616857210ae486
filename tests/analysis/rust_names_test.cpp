// Names of Rust's functions have no hash, and are not C++'s.
#include "analysis/regions/function_names.h"
#include "analysis/regions/rust_names.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

TEST(RustNames, OfTheOlderManglingHaveNoHash) {
  EXPECT_EQ(rustName("_ZN3lib4pick17h0123456789abcdefE"), "lib::pick");
  EXPECT_EQ(rustName("_ZN4core3ptr42drop_in_place$LT$alloc..string..String$GT$17h0123456789abcdefE"),
            "core::ptr::drop_in_place<alloc::string::String>");
  EXPECT_EQ(rustName("_ZN53_$LT$lib..Sum$u20$as$u20$core..ops..Add$LT$u8$GT$$GT$3add17hfedcba9876543210E"),
            "<lib::Sum as core::ops::Add<u8>>::add");
  EXPECT_EQ(rustName("_ZN3lib4main28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE.llvm.42"),
            "lib::main::{{closure}}");
  EXPECT_EQ(rustName("__ZN3lib4pick17h0123456789abcdefE"), "lib::pick");
}

TEST(RustNames, OfTheNewerManglingHaveNoSuffix) {
  EXPECT_EQ(rustName("_RNvCs15kBYyAo9fc_7mycrate7example.llvm.123"), "mycrate::example");
}

TEST(RustNames, ThatWereDemangledLoseTheirHash) {
  EXPECT_EQ(rustName("core::ptr::drop::h0123456789abcdef"), "core::ptr::drop");
  EXPECT_EQ(rustName("core::ptr::drop"), std::nullopt);
  EXPECT_EQ(rustName("core::ptr::h0123"), std::nullopt);
}

TEST(RustNames, AreNotThoseOfOtherLanguages) {
  EXPECT_EQ(rustName("_ZN2ns4listIiE4pushEi"), std::nullopt);
  EXPECT_EQ(rustName("_ZN3lib17h0123456789abcdefEv"), std::nullopt);
  EXPECT_EQ(rustName("main"), std::nullopt);
  EXPECT_EQ(rustName("_R"), std::nullopt);
  EXPECT_EQ(rustName("_ZN99999999999999999999a"), std::nullopt);
  EXPECT_EQ(rustName(""), std::nullopt);
}

TEST(RustNames, AreThoseOfFunctions) {
  EXPECT_EQ(shortFunctionName("_ZN3lib4pick17h0123456789abcdefE"), "lib::pick");
  EXPECT_EQ(shortFunctionName("_ZN3lib4pick17h0123456789abcdefE.llvm.42"), "lib::pick");
  EXPECT_EQ(shortFunctionName("_ZN2ns4listIiE4pushEi"), "ns::list::push");
}

} // namespace
} // namespace analysis
