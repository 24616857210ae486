// Hovers as markdown and as plain text.
#include "lsp/wording/rich_text.h"

#include <gtest/gtest.h>

namespace lsp::wording {
namespace {

using Kind = Block::Kind;

const RichText kDocument{{Kind::Heading, "loop `dot`"},
                         {Kind::Paragraph, "IPC 2.37"},
                         {Kind::Item, "port 1"},
                         {Kind::Item, "port 2"},
                         {Kind::Preformatted, "[0,0] DeER\n"}};

TEST(RichText, Markdown) {
  EXPECT_EQ(renderMarkdown(kDocument),
            "### loop \\`dot\\`\n\nIPC 2.37\n\n- port 1\n- port 2\n\n```text\n[0,0] DeER\n```");
}

TEST(RichText, PlainText) {
  EXPECT_EQ(renderPlainText(kDocument), "loop `dot`\n\nIPC 2.37\n\n- port 1\n- port 2\n\n[0,0] DeER");
}

TEST(RichText, TheFenceIsLongerThanAnyInside) {
  EXPECT_EQ(renderMarkdown({{Kind::Preformatted, "a\n```\nb"}}), "````text\na\n```\nb\n````");
}

TEST(RichText, OnlyMarkupIsEscaped) {
  const auto paragraph = [](const char *text) { return renderMarkdown({{Kind::Paragraph, text}}); };
  EXPECT_EQ(paragraph("4.0 cyc · p0 < p1, 3 * 4"), "4.0 cyc · p0 < p1, 3 * 4");
  EXPECT_EQ(paragraph("snake_case and _Z3foo_"), "snake_case and \\_Z3foo\\_");
  EXPECT_EQ(paragraph("vector<int>"), "vector\\<int>");
  EXPECT_EQ(paragraph("a*b*c"), "a\\*b\\*c");
  EXPECT_EQ(paragraph("[x](y) [rdi + 8]"), "[x\\](y) [rdi + 8]");
  EXPECT_EQ(paragraph("# no heading"), "\\# no heading");
  EXPECT_EQ(paragraph("1. no list"), "1\\. no list");
  EXPECT_EQ(paragraph("12.5 cycles"), "12.5 cycles");
  EXPECT_EQ(paragraph("+avx2 -fma"), "+avx2 -fma");
  EXPECT_EQ(paragraph("---"), "\\---");
  EXPECT_EQ(paragraph("- no item\n    no code"), "\\- no item  \nno code");
  EXPECT_EQ(paragraph("see http://a.b/c, ftp://x and HTTPS://y: f"),
            "see http\\://a.b/c, ftp\\://x and HTTPS\\://y: f");
  EXPECT_EQ(paragraph("www.a.b (WWW.x) xww.b"), "www\\.a.b (WWW\\.x) xww.b");
  EXPECT_EQ(paragraph("me@a.b f@PLT @user"), "me\\@a.b f\\@PLT @user");
  EXPECT_EQ(paragraph("ns::f: 4.0"), "ns::f: 4.0");
  EXPECT_EQ(paragraph("&amp; ~~x~~"), "\\&amp; \\~\\~x\\~\\~");
}

} // namespace
} // namespace lsp::wording
