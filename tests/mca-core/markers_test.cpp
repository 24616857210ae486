// Region markers: every rule of names, nesting and overlap, and llvm-mca's words for what breaks them.
#include "mca-core/assembly/markers.h"
#include "tests/mca-core/parsed.h"

namespace mca {
namespace {

/// Markers in a text of one comment a line.
struct Marked {
  explicit Marked(const Strings &comments) {
    for (uint32_t i = 0; i < comments.size(); ++i)
      accepted.push_back(markers.handleComment(100 * i, comments[i]));
    diagnostics = markers.takeDiagnostics();
  }
  /// "name begin-end"; an open end is "...".
  Strings regions() const {
    Strings result;
    for (const MarkerRegion &region : markers.regions())
      result.push_back(region.name + " " + std::to_string(region.begin) + "-" +
                       (region.end == MarkerRegion::kOpen ? "..." : std::to_string(region.end)));
    return result;
  }
  Strings messages() const {
    Strings result;
    for (const Diagnostic &diagnostic : diagnostics) {
      result.push_back(std::to_string(diagnostic.begin) + ": " + diagnostic.message);
      for (const Diagnostic::Related &related : diagnostic.related)
        result.push_back(std::to_string(related.begin) + ": " + related.message);
    }
    return result;
  }
  RegionMarkers markers;
  std::vector<bool> accepted;
  std::vector<Diagnostic> diagnostics;
};

TEST(Markers, NamedAndAnonymous) {
  const Marked marked({"LLVM-MCA-BEGIN one", "LLVM-MCA-END one", "LLVM-MCA-BEGIN", "LLVM-MCA-END"});
  EXPECT_EQ(marked.regions(), (Strings{"one 0-100", " 200-300"}));
  EXPECT_EQ(marked.messages(), Strings{});
}

TEST(Markers, BlanksAroundTheKeywordAndTheName) {
  const Marked marked({"\t  LLVM-MCA-BEGIN\t two words ", "  LLVM-MCA-END two words "});
  EXPECT_EQ(marked.regions(), (Strings{"two words  0-100"}));
}

TEST(Markers, OtherCommentsAreNone) {
  const Marked marked(
      {"", "LLVM-MCA", "llvm-mca-begin", "see LLVM-MCA-BEGIN", "LLVM-MCA-LATENCY 5", "# LLVM-MCA-BEGIN"});
  EXPECT_EQ(marked.accepted, std::vector<bool>(6, false));
  EXPECT_EQ(marked.regions(), Strings{});
}

TEST(Markers, AKeywordMayRunIntoTheName) {
  EXPECT_EQ(Marked({"LLVM-MCA-BEGINNING", "LLVM-MCA-ENDNING"}).regions(), (Strings{"NING 0-100"}));
}

TEST(Markers, Nest) {
  const Marked marked({"LLVM-MCA-BEGIN a", "LLVM-MCA-BEGIN b", "LLVM-MCA-END b", "LLVM-MCA-END a"});
  EXPECT_EQ(marked.regions(), (Strings{"a 0-300", "b 100-200"}));
}

TEST(Markers, Overlap) {
  const Marked marked({"LLVM-MCA-BEGIN a", "LLVM-MCA-BEGIN b", "LLVM-MCA-END a", "LLVM-MCA-END b"});
  EXPECT_EQ(marked.regions(), (Strings{"a 0-200", "b 100-300"}));
  EXPECT_EQ(marked.messages(), Strings{});
}

TEST(Markers, ANameMayComeAgain) {
  const Marked marked({"LLVM-MCA-BEGIN a", "LLVM-MCA-END a", "LLVM-MCA-BEGIN a", "LLVM-MCA-END a"});
  EXPECT_EQ(marked.regions(), (Strings{"a 0-100", "a 200-300"}));
}

TEST(Markers, ARegionMayStayOpen) {
  EXPECT_EQ(Marked({"LLVM-MCA-BEGIN a"}).regions(), (Strings{"a 0-..."}));
  EXPECT_EQ(Marked({"LLVM-MCA-BEGIN a"}).messages(), Strings{});
}

TEST(Markers, AnEndWithoutANameClosesTheOnlyOpenRegion) {
  EXPECT_EQ(Marked({"LLVM-MCA-BEGIN a", "LLVM-MCA-END"}).regions(), (Strings{"a 0-100"}));
}

TEST(Markers, AnEndBeforeAnyBeginClosesTheTextSoFar) {
  const Marked marked({"comment", "LLVM-MCA-END", "LLVM-MCA-BEGIN a", "LLVM-MCA-END a"});
  EXPECT_EQ(marked.regions(), (Strings{" 0-100", "a 200-300"}));
  EXPECT_FALSE(marked.markers.regions()[0].hasBegin);
  EXPECT_TRUE(marked.markers.regions()[1].hasBegin);
}

TEST(Markers, AnonymousRegionsMayNotOverlap) {
  const Marked marked({"LLVM-MCA-BEGIN", "LLVM-MCA-BEGIN", "LLVM-MCA-END"});
  EXPECT_EQ(marked.regions(), (Strings{" 0-200"}));
  EXPECT_EQ(marked.messages(), (Strings{"100: found multiple overlapping anonymous regions",
                                        "0: Previous anonymous region was defined here"}));
}

TEST(Markers, RegionsOfOneNameMayNotOverlap) {
  const Marked marked({"LLVM-MCA-BEGIN a", "LLVM-MCA-BEGIN a", "LLVM-MCA-END a"});
  EXPECT_EQ(marked.regions(), (Strings{"a 0-200"}));
  EXPECT_EQ(marked.messages(),
            (Strings{"100: overlapping regions cannot have the same name", "0: region a was previously defined here"}));
}

TEST(Markers, AnAnonymousOneMayOverlapANamedOne) {
  const Marked marked({"LLVM-MCA-BEGIN a", "LLVM-MCA-BEGIN", "LLVM-MCA-END a", "LLVM-MCA-END"});
  EXPECT_EQ(marked.regions(), (Strings{"a 0-200", " 100-300"}));
}

TEST(Markers, AnEndNeedsItsBegin) {
  const Marked marked({"LLVM-MCA-BEGIN a", "LLVM-MCA-END b", "LLVM-MCA-END a", "LLVM-MCA-END"});
  EXPECT_EQ(marked.regions(), (Strings{"a 0-200"}));
  EXPECT_EQ(marked.messages(),
            (Strings{"100: found an invalid region end directive", "100: unable to find an active region named b",
                     "300: found an invalid region end directive", "300: unable to find an active anonymous region"}));
  EXPECT_TRUE(marked.diagnostics[0].fromMarker);
}

TEST(Markers, AnEndWithoutANameIsNoneOfTwo) {
  const Marked marked({"LLVM-MCA-BEGIN a", "LLVM-MCA-BEGIN b", "LLVM-MCA-END"});
  EXPECT_EQ(marked.regions(), (Strings{"a 0-...", "b 100-..."}));
  EXPECT_EQ(marked.messages(),
            (Strings{"200: found an invalid region end directive", "200: unable to find an active anonymous region"}));
}

TEST(Markers, AFirstEndWithANameIsAnError) {
  EXPECT_EQ(Marked({"LLVM-MCA-END a"}).regions(), Strings{});
  EXPECT_EQ(Marked({"LLVM-MCA-END a"}).messages().size(), 2u);
}

// ---- in a program --------------------------------------------------------------------------------------------------

TEST(MarkersInAProgram, SelectTheInstructionsBetweenThem) {
  const Parsed parsed(kX86, "skylake",
                      "nop\n# LLVM-MCA-BEGIN a\nnop\n# LLVM-MCA-BEGIN b\nnop\n# LLVM-MCA-END a\nnop\n");
  const auto regions = parsed.program->markerRegions();
  ASSERT_EQ(regions.size(), 2u);
  EXPECT_EQ(parsed.program->instructionsOf(regions[0]), (Lines{1, 2}));
  EXPECT_EQ(parsed.program->instructionsOf(regions[1]), (Lines{2, 3}));
}

TEST(MarkersInAProgram, StandBehindTheInstructionOfTheirLine) {
  const Parsed parsed(kX86, "skylake", "nop # LLVM-MCA-BEGIN a\nnop; nop\nnop # LLVM-MCA-END a\nnop\n");
  EXPECT_EQ(parsed.program->instructionsOf(parsed.program->markerRegions()[0]), (Lines{1, 2, 3}));
}

TEST(MarkersInAProgram, MayBeEmpty) {
  const Parsed parsed(kX86, "skylake", "nop\n# LLVM-MCA-BEGIN a\n# LLVM-MCA-END a\nnop\n");
  ASSERT_EQ(parsed.program->markerRegions().size(), 1u);
  EXPECT_EQ(parsed.program->instructionsOf(parsed.program->markerRegions()[0]), Lines{});
}

TEST(MarkersInAProgram, AreNotReadInStringsAndInInactiveCode) {
  const Parsed parsed(kX86, "skylake", ".asciz \"# LLVM-MCA-BEGIN a\"\nnop\n");
  EXPECT_EQ(parsed.program->markerRegions().size(), 0u);
  EXPECT_FALSE(parsed.program->hasErrors());
}

TEST(MarkersInAProgram, MistakesKeepTheOtherRegions) {
  const Parsed parsed(kX86, "skylake", "# LLVM-MCA-BEGIN a\nnop\n# LLVM-MCA-END b\nnop\n# LLVM-MCA-END a\n");
  ASSERT_EQ(parsed.program->markerRegions().size(), 1u);
  EXPECT_EQ(parsed.program->instructionsOf(parsed.program->markerRegions()[0]).size(), 2u);
  EXPECT_EQ(parsed.diagnostics(), (Strings{"3: found an invalid region end directive"}));
  EXPECT_TRUE(parsed.program->hasErrors());
}

} // namespace
} // namespace mca
