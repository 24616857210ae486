// Which line of the buffer a file and line of the compiler's mean: other names, links, `#line`.
#include "analysis/source_map/buffer_names.h"
#include "tests/analysis/compile/temp_folder.h"
#include "tests/mca-core/parsed.h"

namespace analysis {
namespace {

/// The buffer's line that the compiler calls `line` of `file`.
uint32_t lineIn(const std::string &text, const std::string &file, uint32_t line, const std::string &path = "/d/a.c") {
  const TextLines lines(text);
  BufferNames names(lines, path, "/d");
  return names.lineIn(names.fileOf(file), line);
}

std::string repeated(const std::string &text, size_t count) {
  std::string result;
  for (size_t i = 0; i < count; ++i)
    result += text;
  return result;
}

TEST(BufferNames, OfTheBufferItself) {
  const std::string text = "1\n2\n3";
  for (const char *name : {"/d/a.c", "a.c", "./a.c", "x/../a.c", "../d/a.c"}) {
    EXPECT_EQ(lineIn(text, name, 1), 1u) << name;
    EXPECT_EQ(lineIn(text, name, 3), 3u) << name;
    EXPECT_EQ(lineIn(text, name, 4), 0u) << name;
    EXPECT_EQ(lineIn(text, name, 0), 0u) << name;
    EXPECT_EQ(lineIn(text, name, ~0u), 0u) << name;
  }
  for (const char *name : {"b.c", "/e/a.c", "", "/d"})
    EXPECT_EQ(lineIn(text, name, 1), 0u) << name;
}

TEST(BufferNames, OfTheSameFileThroughALink) {
  const TempFolder folder;
  const std::string path = folder.write("real/a.c", "1\n2\n");
  std::filesystem::create_directory_symlink(folder.path() + "/real", folder.path() + "/link");
  EXPECT_EQ(lineIn("1\n2\n", folder.path() + "/link/a.c", 2, path), 2u);
  folder.write("other/a.c", "1\n2\n");
  EXPECT_EQ(lineIn("1\n2\n", folder.path() + "/other/a.c", 2, path), 0u);
}

TEST(BufferNames, TheSameNameIsTheSameFile) {
  const TextLines lines("1\n");
  BufferNames names(lines, "/d/a.c", "/d");
  EXPECT_EQ(names.fileOf("b.c"), names.fileOf("b.c"));
  EXPECT_NE(names.fileOf("b.c"), names.fileOf("c.c"));
  EXPECT_EQ(names.paths(), (mca::Strings{"/d/b.c", "/d/c.c"}));
}

TEST(BufferNames, OfLineDirectives) {
  const std::string text = "1\n#line 100\n3\n4\n#line 7 \"x.y\"\n6\n# 20 \"a.c\" 2\n8\n";
  EXPECT_EQ(lineIn(text, "a.c", 1), 1u);
  EXPECT_EQ(lineIn(text, "a.c", 2), 0u) << "the directive itself";
  EXPECT_EQ(lineIn(text, "a.c", 100), 3u);
  EXPECT_EQ(lineIn(text, "a.c", 101), 4u);
  EXPECT_EQ(lineIn(text, "a.c", 102), 0u);
  EXPECT_EQ(lineIn(text, "x.y", 7), 6u);
  EXPECT_EQ(lineIn(text, "/d/x.y", 7), 6u);
  EXPECT_EQ(lineIn(text, "x.y", 8), 0u);
  EXPECT_EQ(lineIn(text, "a.c", 20), 8u);
  EXPECT_EQ(lineIn(text, "a.c", 7), 0u);
}

TEST(BufferNames, OfLineDirectivesAsTheyMayBeWritten) {
  EXPECT_EQ(lineIn("  #  line   100  \"b.c\"\n2\n", "b.c", 100), 2u);
  EXPECT_EQ(lineIn("#line 100\"b.c\"\n2\n", "b.c", 100), 2u);
  EXPECT_EQ(lineIn("#line 100\r\n2\r\n", "a.c", 100), 2u);
  EXPECT_EQ(lineIn("#line 100 // why\n2\n", "a.c", 100), 2u);
  EXPECT_EQ(lineIn("#define HERE 100\n#line HERE\n3\n", "a.c", 100), 3u);
  EXPECT_EQ(lineIn("#define HERE 100\n#line HERE \"b.c\"\n3\n", "b.c", 100), 3u);
  EXPECT_EQ(lineIn("#line 5\n#line 100\n3\n", "a.c", 100), 3u);
  EXPECT_EQ(lineIn("1\n#line 100", "a.c", 100), 0u) << "nothing comes behind it";
  EXPECT_EQ(lineIn("1\n#line 100\n", "a.c", 100), 3u) << "an empty line does";
}

TEST(BufferNames, OfWhatIsNoLineDirective) {
  for (const char *text : {"#line", "#line x", "#line \"b.c\"", "#line -1", "#line 99999999999999999999", "#", "# ",
                           "#define", "#define X", "#define X y\n#line X", "x #line 9", "#pragma line 9", "#linear 9"})
    EXPECT_EQ(lineIn("1\n" + std::string(text) + "\nlast", "a.c", 1), 1u) << text;
  EXPECT_EQ(lineIn("/*\n# 5 apples\n# 6. pears\n*/\n5\n", "a.c", 5), 5u) << "a list in a comment";
  EXPECT_EQ(lineIn("#if 1\n#endif\n3\n", "a.c", 3), 3u);
  EXPECT_EQ(lineIn("", "a.c", 1), 1u);
}

// Preprocessed text: a marker every few lines, hundreds of files.
TEST(BufferNames, OfManyLineDirectives) {
  std::string text;
  for (int i = 0; i < 20'000; ++i)
    text += "# " + std::to_string(i) + " \"/usr/include/dir/file" + std::to_string(i % 500) + ".h\" 1 3 4\nint x;\n";
  const TextLines lines(text);
  BufferNames names(lines, "/d/a.ii", "/d");
  for (uint32_t file = 0; file < 500; ++file) {
    const uint32_t index = names.fileOf("/usr/include/dir/file" + std::to_string(file) + ".h");
    for (uint32_t i = file; i < 20'000; i += 500)
      ASSERT_EQ(names.lineIn(index, i), i ? 2 * i + 2 : 0);
  }
}

TEST(BufferNames, OfManyLinesWithANumberSign) {
  EXPECT_EQ(lineIn(repeated("#define X 1\n", 50'000) + "#line 90000\nlast", "a.c", 90'000), 50'002u);
}

} // namespace
} // namespace analysis
