// Ninja files, depfiles and response files as texts. tests/check has them read by the real Ninja.
#include "lsp/check/check_ninja.h"

#include <gtest/gtest.h>

namespace lsp {
namespace {

using Names = std::vector<std::string>;

TEST(NinjaFile, EscapesWhatNinjaAndTheShellRead) {
  NinjaFile file{.path = "out dir/mca.ninja",
                 .program = "/bin/mca lsp",
                 .again = {"--ninja=out dir/mca.ninja"},
                 .unitOptions = {"--cpu=it's $1"},
                 .mergeOptions = {"--format=json"},
                 .database = "build:1/compile_commands.json",
                 .baseline = "",
                 .result = "re sult",
                 .units = {{"a$b.c", "/d", "/p", {{.directory = "/d", .file = "a$b.c", .command = "cc $X"}}}}};
  const NinjaText ninja = ninjaText(file);
  EXPECT_EQ(ninja.error, "");
  const auto has = [&](const std::string &text) { return ninja.text.find(text) != std::string::npos; };
  EXPECT_TRUE(has("builddir = out dir/mca.parts\n")) << ninja.text;
  EXPECT_TRUE(has("  command = '/bin/mca lsp' --check '--cpu=it'\\''s $$1' --unit $out.unit")) << ninja.text;
  EXPECT_TRUE(has("build out$ dir/mca.ninja: ninja build$:1/compile_commands.json\n")) << ninja.text;
  EXPECT_TRUE(has("\"commands\":[{\"directory\":\"/d\",\"file\":\"a$$b.c\",\"command\":\"cc $$X\"}]}\n")) << ninja.text;
  EXPECT_TRUE(has("build re$ sult: merge $\n  out$ dir/mca.parts/a_b.c-")) << ninja.text;
  EXPECT_TRUE(has(" | /bin/mca$ lsp\n")) << ninja.text;
  EXPECT_FALSE(has("unit a")) << "the depfile names the source, which may be gone";
  file.result = "re|sult";
  EXPECT_NE(ninjaText(file).text.find("build re${bar}sult: merge"), std::string::npos);
  file.baseline = "main.json";
  EXPECT_NE(ninjaText(file).text.find("mca$ lsp main.json\n"), std::string::npos);
}

TEST(NinjaFile, PartsHaveNamesOfTheirOwn) {
  NinjaFile file{.path = "o.ninja",
                 .program = "/m",
                 .again = {},
                 .unitOptions = {},
                 .mergeOptions = {},
                 .database = "d",
                 .baseline = "",
                 .result = "r",
                 .units = {{"a/x.c", "/d", "", {}}, {"b/x.c", "/d", "", {}}}};
  const std::string text = ninjaText(file).text;
  const size_t first = text.find("build o.parts/x.c-"), second = text.find("build o.parts/x.c-", first + 1);
  ASSERT_NE(second, std::string::npos) << text;
  EXPECT_NE(text.substr(first, 40), text.substr(second, 40));
}

TEST(NinjaFile, HoldsNoLineEnds) {
  NinjaFile file{.path = "o",
                 .program = "/m",
                 .again = {},
                 .unitOptions = {"--cpu=a\nb"},
                 .mergeOptions = {},
                 .database = "d",
                 .baseline = "",
                 .result = "r",
                 .units = {}};
  EXPECT_NE(ninjaText(file).error, "");
  file.unitOptions.clear();
  EXPECT_EQ(ninjaText(file).error, "");
  file.baseline = "a\nb";
  EXPECT_NE(ninjaText(file).error, "");
}

TEST(Depfile, EscapesNamesAsCompilersDo) {
  EXPECT_EQ(makeRule("o", {"a.c", "b c.h", "d$#.h", "e:f"}, true),
            "o: \\\n a.c \\\n b\\ c.h \\\n d$$\\#.h \\\n e\\:f\n");
  EXPECT_EQ(makeRule("o", {}, true), "o:\n");
  EXPECT_EQ(makeRule("o", {"a"}, false), "o: \\\n a \\\n o.inputs-unknown\n");
  EXPECT_EQ(makeRule("o", {"a\nb", "c", "it's"}, true), "o: \\\n c \\\n o.inputs-unknown\n") << "no rule can name them";
}

TEST(ResponseFile, HasANameALine) {
  EXPECT_EQ(namesInResponseFile("a\nb c\n\n'd e'\n'it'\\''s'\nlast"), (Names{"a", "b c", "d e", "it's", "last"}));
  EXPECT_EQ(namesInResponseFile(""), Names{});
}

TEST(Unit, IsReadAsItWasWritten) {
  const CheckUnit unit{"a \"b\"\n\U0001F600.c",
                       "/d",
                       "/p",
                       {{.directory = "/d", .file = "a", .arguments = {"cc", "-DX=\"\n\""}},
                        {.directory = ".", .file = "a", .command = "cc a", .output = "a.o"}}};
  const std::string text = unitJson(unit);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  const auto read = readUnit(text);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->file, unit.file);
  EXPECT_EQ(read->databaseFolder, unit.databaseFolder);
  EXPECT_EQ(read->projectFolder, unit.projectFolder);
  EXPECT_EQ(read->commands, unit.commands);
  EXPECT_FALSE(readUnit("{}"));
  EXPECT_FALSE(readUnit("no JSON"));
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  EXPECT_FALSE(readUnit(R"({"file":"a","databaseFolder":"/d","projectFolder":"","commands":)" + deep + "}"));
}

} // namespace
} // namespace lsp
