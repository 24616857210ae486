// Which characters of a name no reader gets.
#include "analysis/text/visible_text.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

TEST(VisibleText, ControlCharactersAreReplaced) {
  EXPECT_EQ(visibleText("\x1b]8;;x\x07y"), "\uFFFD]8;;x\uFFFDy");
  EXPECT_EQ(visibleText("a\x7f\xC2\x80\xC2\x9F"), "a\uFFFD\uFFFD\uFFFD") << "DEL and C1";
  EXPECT_EQ(visibleText(std::string_view("\0\r", 2)), "\uFFFD\uFFFD");
  EXPECT_EQ(visibleText("a\tb\nc"), "a\tb\nc") << "tabs and line feeds are part of texts of several lines";
}

TEST(VisibleText, DirectionsAndWidthlessCharactersAreReplaced) {
  for (const std::string_view hidden : {"\u061C", "\u200B", "\u200E", "\u200F", "\u2028", "\u2029", "\u202A", "\u202E",
                                        "\u2066", "\u2067", "\u2068", "\u2069", "\uFEFF", "\U000E0001", "\U000E007F"}) {
    EXPECT_EQ(hiddenBytes(hidden), hidden.size()) << hidden;
    EXPECT_EQ(visibleText(std::string("a").append(hidden).append("b")), "a\uFFFDb") << hidden;
  }
}

TEST(VisibleText, TheNextCharactersStay) {
  for (const char *shown :
       {"", "µ ≥ ≈ · █ …", "\u00A0\u061B\u061D\u200A\u200C\u200D\u2010\u2027\u202F\u2065\u206A\uFEFE",
        "\U0001F600 שלום 漢字", "\U000E0080\U000E0100", "\xF3\xA0\x80", "\xE2\x80", "\xC2", "\xff"}) {
    EXPECT_TRUE(isVisible(shown)) << shown;
    EXPECT_EQ(visibleText(shown), shown);
  }
  EXPECT_FALSE(isVisible("a\u2066"));
}

} // namespace
} // namespace analysis
