// Each golden through the library and through the real server: both must say what the golden says.
//
// MCA_UPDATE_GOLDENS=1 rewrites the goldens with what the library says.
#include "lsp/features/features.h"
#include "tests/goldens/editor.h"
#include "tests/goldens/workspace.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>

namespace goldens {
namespace {

bool updating() {
  return std::getenv("MCA_UPDATE_GOLDENS") != nullptr;
}

std::string identifierOf(const testing::TestParamInfo<std::string> &info) {
  std::string name = info.param;
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, IsWhatTheLibrarySays) {
  const Workspace workspace(GetParam());
  const analysis::Shown result = workspace.shown();
  Annotations annotations = annotationsOf(result, workspace.source());
  for (Annotation &summary : summariesOf(result, workspace.source()))
    annotations.push_back(std::move(summary));
  const std::string said = splice(workspace.source(), std::move(annotations));
  if (updating())
    writeFile(kRoot / GetParam(), said);
  else
    EXPECT_EQ(workspace.golden(), said) << "MCA_UPDATE_GOLDENS=1 rewrites tests/goldens/" << GetParam();
}

TEST_P(Golden, IsWhatTheServerSays) {
  const Workspace workspace(GetParam());
  Editor editor(MCA_LSP_PROGRAM);
  const nlohmann::json diagnostics = editor.open(workspace.uri(), workspace.languageId(), workspace.source());
  const nlohmann::json hints = editor.inlayHints(workspace.uri());
  const std::string said = splice(workspace.source(), annotationsOf(hints, diagnostics, workspace.uri()));
  EXPECT_EQ(editorPartOf(workspace.golden()), said);
  EXPECT_EQ(editor.shutdown(), 0);
}

INSTANTIATE_TEST_SUITE_P(Files, Golden, testing::ValuesIn(goldens()), identifierOf);

// ---- hovers --------------------------------------------------------------------------------------------------------

/// A golden under hover/, and the place in another golden's source that it is about.
struct HoverCase {
  const char *golden;
  const char *source;
  const char *line; ///< the hover is asked for on the first line that holds this
};

void PrintTo(const HoverCase &hover, std::ostream *out) {
  *out << hover.golden;
}

constexpr HoverCase kHovers[] = {
    {"x86_marker.md", "assembly/x86_markers.s", "LLVM-MCA-BEGIN inner"},
    {"aarch64_in_order_loop.md", "assembly/aarch64_in_order.s", ".Lloop:"},
    {"riscv_assumed_vtype.md", "assembly/riscv_no_vtype.s", "copy:"},
    {"cxx_loop.md", "cxx/plain_loops.cpp", "for (unsigned"},
};

class Hover : public testing::TestWithParam<HoverCase> {};

TEST_P(Hover, IsWhatLibraryAndServerSay) {
  const Workspace workspace(GetParam().source);
  lsp::Document document({workspace.uri(), workspace.languageId(), 1, ""}, workspace.source());
  AnalysisResult result = workspace.analyse();
  document.setAnalysis(lsp::Analysis::take(result, {}));
  const size_t offset = workspace.source().find(GetParam().line);
  ASSERT_NE(offset, std::string::npos);
  const lsp::protocol::Position at =
      document.text().positionOf(static_cast<uint32_t>(offset), lsp::protocol::PositionEncoding::Utf8);
  lsp::protocol::ClientCapabilities client;
  client.encoding = lsp::protocol::PositionEncoding::Utf8;
  client.markdownHover = true;
  const auto hover = lsp::features::hover(document, at, client);
  ASSERT_TRUE(hover);
  const fs::path golden = kRoot / "hover" / GetParam().golden;
  if (updating())
    writeFile(golden, hover->contents.value + "\n");
  EXPECT_EQ(readFile(golden), hover->contents.value + "\n");

  Editor editor(MCA_LSP_PROGRAM);
  editor.open(workspace.uri(), workspace.languageId(), workspace.source());
  const nlohmann::json answer = editor.hover(workspace.uri(), at.line, at.character);
  ASSERT_TRUE(answer.is_object()) << answer.dump();
  EXPECT_EQ(answer["contents"]["kind"], "markdown");
  EXPECT_EQ(readFile(golden), answer["contents"]["value"].get<std::string>() + "\n");
  EXPECT_EQ(editor.shutdown(), 0);
}

INSTANTIATE_TEST_SUITE_P(Files, Hover, testing::ValuesIn(kHovers), [](const testing::TestParamInfo<HoverCase> &info) {
  const std::string name = info.param.golden;
  return name.substr(0, name.find('.'));
});

// ---- the format itself ---------------------------------------------------------------------------------------------

TEST(Annotations, AreTakenOutAsTheyWerePutIn) {
  const std::string source = "# mca: cpu=skylake\n\tnop\n# plain comment\n";
  const std::string golden =
      splice(source, {{1, "^ hint: IPC 1.00 · 1.0 cyc"}, {1, "| finding 1-2: a\n|   line 1: b"}});
  EXPECT_EQ(golden, "# mca: cpu=skylake\n\tnop\n#  ^ hint: IPC 1.00 · 1.0 cyc\n#  | finding 1-2: a\n#  |   line 1: b\n"
                    "# plain comment\n");
  EXPECT_EQ(sourceOf(golden), source);
  EXPECT_EQ(editorPartOf(splice(golden, {{0, "| target: x"}, {0, "| region r\n|   caveat: c"}})), golden);
}

} // namespace
} // namespace goldens
