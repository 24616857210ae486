// gcov's JSON: a real one, whose program counted its branches itself, and texts that are broken on purpose.
#include "analysis/import/gcov_reader.h"

#include "tests/analysis/import/recorded.h"

namespace analysis {
namespace {

std::string read(std::string_view text) {
  return recorded(createGcovReader, text);
}

constexpr const char *kNoLines = "no lines: give what `gcov --json-format --branch-probabilities --stdout` prints";

// Of the program in callgrind_reader_test.cpp, compiled with --coverage by gcc 12: `gcov -i -b -t`, without the other
// functions.
const std::string kReal = R"({"gcc_version": "12.2.0", "files": [{"lines": [
{"branches": [], "count": 1, "line_number": 5, "unexecuted_block": false, "function_name": "kern"}, 
{"branches": [{"fallthrough": false, "count": 900, "throw": false}, {"fallthrough": true, "count": 1, "throw": false}], "count": 901, "line_number": 7, "unexecuted_block": false, "function_name": "kern"}, 
{"branches": [], "count": 900, "line_number": 8, "unexecuted_block": false, "function_name": "kern"}, 
{"branches": [{"fallthrough": true, "count": 443, "throw": false}, {"fallthrough": false, "count": 457, "throw": false}], "count": 900, "line_number": 9, "unexecuted_block": false, "function_name": "kern"}, 
{"branches": [{"fallthrough": false, "count": 152, "throw": false}, {"fallthrough": false, "count": 182, "throw": false}, {"fallthrough": false, "count": 566, "throw": false}], "count": 900, "line_number": 10, "unexecuted_block": false, "function_name": "kern"}, 
{"branches": [], "count": 152, "line_number": 11, "unexecuted_block": false, "function_name": "kern"}, 
{"branches": [], "count": 182, "line_number": 12, "unexecuted_block": false, "function_name": "kern"}, 
{"branches": [], "count": 566, "line_number": 13, "unexecuted_block": false, "function_name": "kern"}, 
{"branches": [], "count": 1, "line_number": 16, "unexecuted_block": false, "function_name": "kern"}], "functions": [{"blocks": 11, "end_column": 1, "start_line": 5, "name": "kern", "blocks_executed": 11, "execution_count": 1, "demangled_name": "kern", "start_column": 36, "end_line": 17}], "file": "prog.c"}], "format_version": "1", "current_working_directory": "/home/user", "data_file": "progc-prog.gcda"})";

/// On one line, as gcov prints it.
std::string real() {
  std::string text = kReal;
  std::erase(text, '\n');
  return text + "\n";
}

TEST(GcovReader, CountsOfARealFileAreThoseOfTheProgram) {
  EXPECT_EQ(read(real()), "line prog.c:5 kern 1\n"
                          "line prog.c:7 kern 901\n"
                          "line prog.c:8 kern 900\n"
                          "line prog.c:9 kern 900\n"
                          "line prog.c:10 kern 900\n"
                          "line prog.c:11 kern 152\n"
                          "line prog.c:12 kern 182\n"
                          "line prog.c:13 kern 566\n"
                          "line prog.c:16 kern 1\n");
}

std::string line(const std::string &fields) {
  return R"({"files": [{"file": "a.c", "lines": [{)" + fields + "}]}]}\n";
}

TEST(GcovReader, SeveralObjectFiles) {
  const std::string one = line(R"("line_number": 3, "count": 4)");
  EXPECT_EQ(read(one + "\r\n" + one), "line a.c:3  4\nline a.c:3  4\n");
}

TEST(GcovReader, Errors) {
  EXPECT_EQ(read(""), kNoLines);
  EXPECT_EQ(read(R"({"files": []})"), kNoLines);
  EXPECT_EQ(read("\x1f\x8b\b\n"), "the file is compressed: give what `zcat FILE.gcov.json.gz` prints");
  EXPECT_EQ(read("\n file:a.c\n"), "2:2: expected a JSON object, as `gcov --json-format --stdout` prints it, found "
                                   "`file:a.c`");
  EXPECT_EQ(read(R"({"files": [}]})"), "1:13: this is not JSON: Invalid JSON value");
  EXPECT_EQ(read("{}"), "1: gcov's JSON has no `files`");
  EXPECT_EQ(read(R"({"files": [1]})"), "1: gcov's JSON has no objects in `files`");
  EXPECT_EQ(read(R"({"files": [{"file": 1, "lines": []}]})"), "1: gcov's JSON has no `file` and `lines` for each file");
  for (const char *fields :
       {"", R"("line_number": 3)", R"("line_number": -1, "count": 1)", R"("line_number": 4294967296, "count": 1)",
        R"("line_number": 3, "count": -1)", R"("line_number": 3, "count": 1e300)",
        R"("line_number": 3, "count": 9223372036854775808)"})
    EXPECT_EQ(read(line(fields)), "1: gcov's JSON has no valid `line_number` and `count` for each line") << fields;
}

TEST(GcovReader, DeepNesting) {
  EXPECT_EQ(read(R"({"a": )" + std::string(1'000'000, '[')), "1:38: the JSON is nested too deeply");
  const std::string brackets = R"("line_number": 3, "count": 4, "function_name": ")" + std::string(50, '{') + R"(\"[")";
  EXPECT_EQ(read(line(brackets)), "line a.c:3 " + std::string(50, '{') + "\"[ 4\n");
}

TEST(GcovReader, MemoryIsLimited) {
  std::string commas = R"({"a": [)";
  for (int i = 0; i < 3'000'000; ++i)
    commas += "0,";
  EXPECT_EQ(read(commas), "1:4194313: the JSON is too large");
}

TEST(GcovReader, DamagedTexts) {
  readDamaged(createGcovReader, real());
}

} // namespace
} // namespace analysis
