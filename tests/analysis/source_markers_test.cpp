// Marker comments in C and C++: what is a comment, the lexer says.
#include "analysis/regions/source_markers.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

using Strings = std::vector<std::string>;
using wire::Language;

/// "name: text of the region", the text from the begin marker's to the end marker's.
Strings regions(const std::string &source, Language language = Language::Cxx) {
  const SourceMarkers found = findSourceMarkers(source, language);
  Strings result;
  for (const mca::MarkerRegion &region : found.regions) {
    const uint32_t end = region.end == mca::MarkerRegion::kOpen ? static_cast<uint32_t>(source.size()) : region.end;
    result.push_back(region.name + ": " + source.substr(region.begin, end - region.begin));
  }
  return result;
}

TEST(SourceMarkers, LineAndBlockComments) {
  EXPECT_EQ(regions("// LLVM-MCA-BEGIN a\nx;\n// LLVM-MCA-END a\n"), (Strings{"a:  LLVM-MCA-BEGIN a\nx;\n//"}));
  EXPECT_EQ(regions("/* LLVM-MCA-BEGIN */ x; /* LLVM-MCA-END */"), (Strings{" :  LLVM-MCA-BEGIN */ x; /*"}));
  EXPECT_EQ(regions("/* LLVM-MCA-BEGIN a */ x; /* LLVM-MCA-END a */").size(), 1u);
  EXPECT_EQ(regions("// LLVM-MCA-BEGIN a\r\nx;\r\n// LLVM-MCA-END a\r\n")[0].substr(0, 2), "a:");
}

TEST(SourceMarkers, BehindCode) {
  EXPECT_EQ(regions("x; // LLVM-MCA-BEGIN\ny;\nz; // LLVM-MCA-END\n"), (Strings{":  LLVM-MCA-BEGIN\ny;\nz; //"}));
}

TEST(SourceMarkers, NotInLiterals) {
  EXPECT_EQ(regions("const char *s = \"// LLVM-MCA-BEGIN a\";\n"), Strings{});
  EXPECT_EQ(regions("const char *s = \"\\\"// LLVM-MCA-BEGIN a\";\n"), Strings{});
  EXPECT_EQ(regions("auto s = R\"(\n// LLVM-MCA-BEGIN a\n)\";\n"), Strings{});
  EXPECT_EQ(regions("auto s = R\"x(\n)\" // LLVM-MCA-BEGIN a\n)x\";\n"), Strings{});
  EXPECT_EQ(regions("char c = '\"'; // LLVM-MCA-BEGIN a\n").size(), 1u);
}

TEST(SourceMarkers, BehindDigitSeparators) {
  EXPECT_EQ(regions("int million = 1'000'000; // LLVM-MCA-BEGIN a\nx;\n// LLVM-MCA-END a\n").size(), 1u);
}

TEST(SourceMarkers, BehindOneDigitSeparator) {
  EXPECT_EQ(regions("int thousand = 1'000; // LLVM-MCA-BEGIN a\nx;\n// LLVM-MCA-END a\n").size(), 1u);
}

TEST(SourceMarkers, OnlyAtTheBeginOfAComment) {
  EXPECT_EQ(regions("// see LLVM-MCA-BEGIN a\n/** LLVM-MCA-BEGIN b */\n/// LLVM-MCA-BEGIN c\n"), Strings{});
}

TEST(SourceMarkers, InCodeThatIsNotCompiled) {
  EXPECT_EQ(regions("#if 0\n// LLVM-MCA-BEGIN a\nx;\n// LLVM-MCA-END a\n#endif\n").size(), 1u)
      << "the lexer sees it; the region then has no instruction";
}

TEST(SourceMarkers, LongLines) {
  EXPECT_EQ(regions("// LLVM-MCA-BEGIN a \\\n goes on\nx;\n// LLVM-MCA-END\n").size(), 1u);
}

TEST(SourceMarkers, MistakesAreTold) {
  const std::string source = "// LLVM-MCA-BEGIN a\n// LLVM-MCA-BEGIN a\n// LLVM-MCA-END b\n// LLVM-MCA-END a\n";
  const SourceMarkers found = findSourceMarkers(source, Language::Cxx);
  ASSERT_EQ(found.diagnostics.size(), 2u);
  EXPECT_EQ(found.diagnostics[0].message, "overlapping regions cannot have the same name");
  EXPECT_EQ(source.substr(found.diagnostics[0].begin, found.diagnostics[0].end - found.diagnostics[0].begin),
            " LLVM-MCA-BEGIN a");
  EXPECT_EQ(found.diagnostics[1].message, "found an invalid region end directive");
  EXPECT_EQ(found.regions.size(), 1u);
}

TEST(SourceMarkers, OddSources) {
  EXPECT_EQ(regions(""), Strings{});
  EXPECT_EQ(regions("/* LLVM-MCA-BEGIN a"), Strings{}) << "a comment without an end is none";
  EXPECT_EQ(regions("\"unterminated // LLVM-MCA-BEGIN a\nx; // LLVM-MCA-BEGIN b\n").size(), 1u);
  EXPECT_EQ(regions(std::string("x;\0 // LLVM-MCA-BEGIN a\ny;\n", 26)).size(), 1u);
  EXPECT_EQ(regions("\xff\xfe // LLVM-MCA-BEGIN a\n").size(), 1u);
}

} // namespace
} // namespace analysis
