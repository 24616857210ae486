// Completion at the cursor, which stands where the text has a `|`.
#include "lsp/features/features.h"

#include "tests/lsp/analysed_document.h"

#include <gtest/gtest.h>

namespace lsp::features {
namespace {

using Labels = std::vector<std::string>;

std::vector<protocol::CompletionItem> itemsAt(std::string text, const std::string &language,
                                              const std::string &triple) {
  const auto cursor = static_cast<uint32_t>(text.find('|'));
  text.erase(cursor, 1);
  Analysis analysis;
  analysis.target.triple = triple;
  const Document document = makeDocument(text, analysis, language);
  const auto client = fullClient();
  return completions(document, document.text().positionOf(cursor, client.encoding), {"znver4", "skylake"}, client);
}

Labels labelsAt(const std::string &text, const std::string &language = "asm", const std::string &triple = "x86_64") {
  Labels labels;
  for (const protocol::CompletionItem &item : itemsAt(text, language, triple))
    labels.push_back(item.label);
  return labels;
}

const Labels kMarkers{"mca:", "LLVM-MCA-BEGIN", "LLVM-MCA-END", "LLVM-MCA-LATENCY"};

TEST(Completion, OffersMarkersInCommentsOnly) {
  EXPECT_EQ(labelsAt("  nop # LLVM|"), kMarkers);
  EXPECT_EQ(labelsAt("#|"), kMarkers);
  EXPECT_EQ(labelsAt("// LLVM-MCA-|", "cpp"), (Labels{"mca:", "LLVM-MCA-BEGIN", "LLVM-MCA-END"}));
  EXPECT_EQ(labelsAt("/* m|", "c").size(), 3u);
  EXPECT_EQ(labelsAt("  LLVM-MCA-|"), Labels{});
  EXPECT_EQ(labelsAt("a - |", "c"), Labels{});
  EXPECT_EQ(labelsAt("a / |", "c"), Labels{});
  EXPECT_EQ(labelsAt("// an LLVM-MCA-|", "c"), Labels{});
  EXPECT_EQ(labelsAt("mov x0, #|", "asm", "aarch64"), Labels{});
  EXPECT_EQ(labelsAt("# LLVM|\n", "asm", "riscv64").size(), 6u);
}

TEST(Completion, ReplacesTheWordBeforeTheCursor) {
  const auto items = itemsAt("nop # LLVM-MCA-B| rest", "asm", "x86_64");
  ASSERT_FALSE(items.empty());
  EXPECT_EQ(items[1].edit.range, (protocol::Range{{0, 6}, {0, 16}}));
  EXPECT_EQ(items[1].edit.newText, "LLVM-MCA-BEGIN");
}

TEST(Completion, NamesOpenRegionsBehindEnd) {
  const std::string text = "# LLVM-MCA-BEGIN one\n# LLVM-MCA-BEGIN two\n# LLVM-MCA-END one\n# LLVM-MCA-BEGIN three\n";
  EXPECT_EQ(labelsAt(text + "# LLVM-MCA-END |\n"), (Labels{"two", "three"}));
  EXPECT_EQ(labelsAt(text + "# LLVM-MCA-END t|\n# LLVM-MCA-BEGIN late\n"), (Labels{"two", "three"}));
  EXPECT_EQ(labelsAt(text + "# LLVM-MCA-BEGIN |"), Labels{});
}

TEST(Completion, KnowsTheValues) {
  EXPECT_EQ(labelsAt("# LLVM-MCA-RISCV-SEW |", "asm", "riscv64"), (Labels{"E8", "E16", "E32", "E64"}));
  EXPECT_EQ(labelsAt("# LLVM-MCA-RISCV-LMUL M|", "asm", "riscv64").size(), 7u);
  EXPECT_EQ(labelsAt("# mca: iterations=5 |"),
            (Labels{"cpu=", "triple=", "features=", "iterations=", "syntax=", "n="}));
  EXPECT_EQ(labelsAt("// mca: iterations=5 |", "c"), (Labels{"cpu=", "triple=", "features=", "iterations=", "n="}));
  EXPECT_EQ(labelsAt("# mca: syntax=i|"), (Labels{"intel", "att"}));
  EXPECT_EQ(labelsAt("# mca:|").size(), 6u);
  const auto items = itemsAt("// mca: cpu=zn|", "c", "");
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(items[0].label, "znver4");
  EXPECT_EQ(items[0].edit.range, (protocol::Range{{0, 12}, {0, 14}}));
}

} // namespace
} // namespace lsp::features
