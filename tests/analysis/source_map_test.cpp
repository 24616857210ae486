// Which line of the buffer an instruction belongs to: inline stacks, files by other names, and what has no line.
#include "analysis/source_map/inline_scopes.h"
#include "analysis/source_map/source_map.h"
#include "tests/mca-core/parsed.h"

namespace analysis {
namespace {

using mca::kX86;
using mca::Parsed;
using mca::Strings;

/// "LINE:COLUMN" of each instruction in a buffer of ten lines, "-" without a line.
Strings places(const std::string &assembly, const std::string &path = "/home/dir/a.cpp",
               const std::string &directory = "/home/dir") {
  const Parsed parsed(kX86, "skylake", assembly);
  EXPECT_EQ(parsed.diagnostics(), Strings{});
  const TextLines lines("1\n2\n3\n4\n5\n6\n7\n8\n9\n10");
  const SourceMap map = SourceMap::ofSource(*parsed.program, lines, path, directory, {});
  Strings result;
  for (uint32_t i = 0; i < parsed.count(); ++i) {
    const auto place = map.placeOf(i);
    result.push_back(place ? std::to_string(place->line) + ":" + std::to_string(place->column) : "-");
  }
  return result;
}

const std::string kFiles = ".file 0 \"/home/dir\" \"a.cpp\"\n.file 1 \"/usr/include\" \"vector\"\n";

TEST(SourceMap, OfLinesInTheBuffer) {
  EXPECT_EQ(places(kFiles + "nop\n.loc 0 3 7\nnop\nnop\n.loc 0 4\nnop\n"), (Strings{"-", "3:7", "3:7", "4:0"}));
}

TEST(SourceMap, LineZeroIsNone) {
  EXPECT_EQ(places(kFiles + ".loc 0 3 1\nnop\n.loc 0 0 0\nnop\n"), (Strings{"3:1", "-"}));
}

TEST(SourceMap, LinesBeyondTheBufferAreNone) {
  EXPECT_EQ(places(kFiles + ".loc 0 10 1\nnop\n.loc 0 11 1\nnop\n"), (Strings{"10:1", "-"}));
}

TEST(SourceMap, AHeaderAloneIsNone) {
  EXPECT_EQ(places(kFiles + ".loc 1 5 1 # vector:5:1\nnop\n.loc 1 5 1\nnop\n.loc 7 5 1\nnop\n"),
            (Strings{"-", "-", "-"}));
}

TEST(SourceMap, TheOutermostFrameInTheBuffer) {
  EXPECT_EQ(places(kFiles + ".loc 1 99 3 # /usr/include/vector:99:3 @[ a.cpp:5:10 ]\nnop\n"), (Strings{"5:10"}));
  EXPECT_EQ(places(kFiles + ".loc 1 99 3 # /usr/include/vector:99:3 @[ /usr/include/algo:7:1 @[ a.cpp:6:2 ] ]\nnop\n"),
            (Strings{"6:2"}));
  EXPECT_EQ(places(kFiles + ".loc 0 2 3 # a.cpp:2:3 @[ a.cpp:8:4 ]\nnop\n"), (Strings{"8:4"}))
      << "a function of the buffer, inlined into another of the buffer";
  EXPECT_EQ(places(kFiles + ".loc 0 2 3 # a.cpp:2:3 @[ other.cpp:8:4 ]\nnop\n"), (Strings{"2:3"}));
}

TEST(SourceMap, FramesWithoutALineAreNoPlace) {
  EXPECT_EQ(places(kFiles + ".loc 1 9 3 # vector:9:3 @[ a.cpp:0:0 ]\nnop\n"), (Strings{"-"}));
  EXPECT_EQ(places(kFiles + ".loc 1 9 3 # vector:9:3 @[ a.cpp:0 @[ a.cpp:4:2 ] ]\nnop\n"), (Strings{"4:2"}));
}

TEST(SourceMap, MoreBehindTheStack) {
  EXPECT_EQ(places(kFiles + ".loc 1 9 3 prologue_end is_stmt 0 # vector:9:3 @[ a.cpp:4:2 ]\nnop\n"), (Strings{"4:2"}));
  EXPECT_EQ(places(kFiles + ".loc 1 9 3 # vector:9:3 @[ a.cpp:4:2 @[ main.cpp:1:1 ] ]\nnop\n"), (Strings{"4:2"}));
}

TEST(SourceMap, TheFileByOtherNames) {
  EXPECT_EQ(places(".file 1 \"a.cpp\"\n.loc 1 3 1\nnop\n"), (Strings{"3:1"}));
  EXPECT_EQ(places(".file 1 \"./x/../a.cpp\"\n.loc 1 3 1\nnop\n"), (Strings{"3:1"}));
  EXPECT_EQ(places(".file 1 \"/home/dir\" \"a.cpp\"\n.loc 1 3 1\nnop\n"), (Strings{"3:1"}));
  EXPECT_EQ(places(".file 1 \"/home/dir\" \"/home/dir/a.cpp\"\n.loc 1 3 1\nnop\n"), (Strings{"3:1"}));
  EXPECT_EQ(places(".file 1 \"../dir/a.cpp\"\n.loc 1 3 1 # ../dir/a.cpp:3:1\nnop\n"), (Strings{"3:1"}));
  EXPECT_EQ(places(".file 1 \"/home/other\" \"a.cpp\"\n.loc 1 3 1\nnop\n"), (Strings{"-"}));
  EXPECT_EQ(places(".file 1 \"b.cpp\"\n.loc 1 3 1\nnop\n"), (Strings{"-"}));
}

TEST(SourceMap, CommentsLeaveOutTheDirectoryOfTheFile) {
  const std::string files = ".file 0 \"/home/dir/build\" \"/home/dir/src/a.cpp\"\n.file 1 \"/home/dir\" \"src/a.cpp\"\n"
                            ".file 2 \"/usr/include\" \"vector\"\n";
  const auto built = [&](const std::string &code) {
    return places(files + code, "/home/dir/src/a.cpp", "/home/dir/build");
  };
  EXPECT_EQ(built(".loc 1 3 1 # src/a.cpp:3:1\nnop\n"), (Strings{"3:1"}));
  EXPECT_EQ(built(".loc 2 9 1 # vector:9:1 @[ src/a.cpp:4:2 ]\nnop\n"), (Strings{"4:2"}));
  EXPECT_EQ(built(".loc 2 9 1 # vector:9:1 @[ a.cpp:4:2 ]\nnop\n"), (Strings{"-"}));
}

TEST(SourceMap, GccsTwoNamesForOneFile) {
  EXPECT_EQ(places(".file \"a.cpp\"\n.file 0 \"/home/dir\" \"a.cpp\"\n.file 1 \"a.cpp\"\n.loc 1 3 1 view -0\nnop\n"
                   ".loc 0 4 1\nnop\n"),
            (Strings{"3:1", "4:1"}));
}

TEST(SourceMap, NamesWithColonsAndBlanks) {
  EXPECT_EQ(places(".file 1 \"C:\\\\src\" \"a b.cpp\"\n.loc 1 3 1 # C:\\src\\a b.cpp:3:1\nnop\n", "/home/dir/a.cpp"),
            (Strings{"-"}));
  const std::string path = "/home/my dir/a:b.cpp";
  EXPECT_EQ(places(".file 1 \"x.h\"\n.loc 1 9 3 # x.h:9:3 @[ /home/my dir/a:b.cpp:4:2 ]\nnop\n", path, "/home/my dir"),
            (Strings{"4:2"}));
}

// ---- the tree of frames --------------------------------------------------------------------------------------------

/// "vector:9:3 < a.cpp:5:10" of each instruction, innermost frame first; "-" without a frame.
Strings stacks(const std::string &assembly) {
  const Parsed parsed(kX86, "skylake", kFiles + assembly);
  EXPECT_EQ(parsed.diagnostics(), Strings{});
  const TextLines lines("1\n2\n3\n4\n5\n6\n7\n8\n9\n10");
  const SourceMap map = SourceMap::ofSource(*parsed.program, lines, "/home/dir/a.cpp", "/home/dir", {});
  Strings result;
  for (uint32_t i = 0; i < parsed.count(); ++i) {
    std::string text;
    uint32_t depth = map.frameOf(i) == SourceMap::kNoFrame ? 0 : map.frame(map.frameOf(i)).depth + 1;
    for (uint32_t at = map.frameOf(i); at != SourceMap::kNoFrame; at = map.frame(at).caller) {
      const Frame &frame = map.frame(at);
      EXPECT_EQ(frame.depth, --depth);
      const std::string &file = map.fileName(frame.file);
      text += (text.empty() ? "" : " < ") + file.substr(file.rfind('/') + 1) + ":" + std::to_string(frame.line) + ":" +
              std::to_string(frame.column);
    }
    result.push_back(text.empty() ? "-" : text);
  }
  return result;
}

TEST(SourceMap, FramesAreThoseOfTheComment) {
  EXPECT_EQ(stacks("nop\n.loc 1 99 3 # /usr/include/vector:99:3 @[ h.h:7:1 @[ a.cpp:5:10 ] ]\nnop\n.loc 0 3 7\nnop\n"),
            (Strings{"-", "vector:99:3 < h.h:7:1 < a.cpp:5:10", "a.cpp:3:7"}));
}

TEST(SourceMap, FramesOfOneCallAreOne) {
  const Parsed parsed(kX86, "skylake",
                      kFiles + ".loc 1 9 3 # vector:9:3 @[ a.cpp:5:10 ]\nnop\n"
                               ".loc 1 8 3 # vector:8:3 @[ a.cpp:5:10 ]\nnop\n"
                               ".loc 1 8 3 # vector:8:3 @[ a.cpp:6:10 ]\nnop\n"
                               ".loc 1 9 3 # vector:9:3 @[ a.cpp:5:10 ]\nnop\n");
  const TextLines lines("1\n2\n3\n4\n5\n6\n");
  const SourceMap map = SourceMap::ofSource(*parsed.program, lines, "/home/dir/a.cpp", "/home/dir", {});
  const auto callerOf = [&](uint32_t instruction) { return map.frame(map.frameOf(instruction)).caller; };
  EXPECT_NE(map.frameOf(0), map.frameOf(1));
  EXPECT_EQ(callerOf(0), callerOf(1));
  EXPECT_NE(callerOf(1), callerOf(2)) << "another call of the same function";
  EXPECT_EQ(map.frameOf(0), map.frameOf(3));
}

TEST(SourceMap, CommentsThatAreNoStack) {
  EXPECT_EQ(
      stacks(".loc 0 3 7 # hello\nnop\n.loc 0 4 7 # a.cpp:4:7:\nnop\n.loc 0 5 7 #\nnop\n.loc 0 6 7 # @[ @[ ]\nnop\n"),
      (Strings{"a.cpp:3:7", "a.cpp:4:7", "a.cpp:5:7", "a.cpp:6:7"}));
}

TEST(SourceMap, OfADeepStack) {
  std::string comment;
  for (int i = 0; i < 20'000; ++i)
    comment += "vector:" + std::to_string(i + 1) + ":1 @[ ";
  EXPECT_EQ(places(kFiles + ".loc 1 9 3 # " + comment + "a.cpp:4:2\nnop\n"), (Strings{"4:2"}));
}

TEST(SourceMap, OffsetsOfPlaces) {
  const Parsed parsed(kX86, "skylake", "");
  const TextLines lines("ab\r\ncde\n");
  const SourceMap map = SourceMap::ofAssembly(*parsed.program, lines);
  EXPECT_EQ(map.offsetOf({1, 2}), 1u);
  EXPECT_EQ(map.offsetOf({2, 0}), 4u);
  EXPECT_EQ(map.offsetOf({2, 1}), 4u);
  EXPECT_EQ(map.offsetOf({2, 99}), 7u) << "the line's end";
  EXPECT_EQ(map.offsetOf({2, ~0u}), 7u);
}

TEST(SourceMap, OfAssemblyIsTheLineItself) {
  const Parsed parsed(kX86, "skylake", "nop\n  incl %eax; decl %eax\n");
  const TextLines lines(parsed.program->text());
  const SourceMap map = SourceMap::ofAssembly(*parsed.program, lines);
  EXPECT_EQ(map.placeOf(0)->line, 1u);
  EXPECT_EQ(map.placeOf(1)->line, 2u);
  EXPECT_EQ(map.placeOf(1)->column, 3u);
  EXPECT_EQ(map.placeOf(2)->column, 14u);
}

// ---- lines of a text -----------------------------------------------------------------------------------------------

TEST(TextLines, EndAsEditorsCountThem) {
  const TextLines lines("a\r\nbc\rd\n\n  e \t");
  ASSERT_EQ(lines.count(), 5u);
  EXPECT_EQ(lines.range(0), (wire::ByteRange{0, 1}));
  EXPECT_EQ(lines.range(1), (wire::ByteRange{3, 5}));
  EXPECT_EQ(lines.range(2), (wire::ByteRange{6, 7}));
  EXPECT_EQ(lines.range(3), (wire::ByteRange{8, 8}));
  EXPECT_EQ(lines.content(3), (wire::ByteRange{8, 8}));
  EXPECT_EQ(lines.content(4), (wire::ByteRange{11, 12}));
  EXPECT_EQ(lines.range(99), lines.range(4));
  EXPECT_EQ(lines.lineOf(0), 0u);
  EXPECT_EQ(lines.lineOf(2), 0u);
  EXPECT_EQ(lines.lineOf(3), 1u);
  EXPECT_EQ(lines.lineOf(8), 3u);
  EXPECT_EQ(lines.lineOf(1000), 4u);
}

TEST(TextLines, OfAnEmptyText) {
  const TextLines lines("");
  EXPECT_EQ(lines.count(), 1u);
  EXPECT_EQ(lines.content(0), (wire::ByteRange{0, 0}));
}

} // namespace
} // namespace analysis
