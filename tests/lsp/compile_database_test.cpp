// Databases are read as strictly as the worker reads them.
#include "lsp/check/compile_database.h"

#include "analysis/files/database_text.h"

#include <gtest/gtest.h>

namespace lsp {
namespace {

const std::string kGood = R"({"directory":"/p","file":"a.c","arguments":["cc","-c","a.c"]})";

std::string errorOf(const std::string &text) {
  const CompileDatabase read = readDatabase(text);
  EXPECT_EQ(read.entries.empty(), !read.error.empty()) << text;
  return read.error;
}

TEST(CompileDatabase, HasAllMembersOfTheFormat) {
  const CompileDatabase read = readDatabase("[" + kGood + R"(,
      {"directory":"b","file":"\ud83d\ude00.c","command":"cc \"x\"","output":"x.o"}])");
  ASSERT_EQ(read.error, "");
  ASSERT_EQ(read.entries.size(), 2u);
  EXPECT_EQ(read.entries[0].arguments, (std::vector<std::string>{"cc", "-c", "a.c"}));
  EXPECT_EQ(read.entries[1].file, "\U0001F600.c");
  EXPECT_EQ(read.entries[1].output, "x.o");
  EXPECT_EQ(pathOf(read.entries[0], "/q"), "/p/a.c");
  EXPECT_EQ(pathOf(read.entries[1], "/q"), "/q/b/\U0001F600.c");
  EXPECT_EQ(readDatabase(databaseText(read.entries)).entries, read.entries);
}

TEST(CompileDatabase, OneBadEntryMakesItNone) {
  const std::string start = "is no compile database: ";
  EXPECT_EQ(errorOf("[]"), start + "it has no entries");
  EXPECT_EQ(errorOf("{}"), start + "it is no list");
  EXPECT_EQ(errorOf("[" + kGood + ",5]"), start + "[1] is no object");
  EXPECT_EQ(errorOf("[" + kGood + R"(,{"file":"a.c","command":"cc"}])"), start + "[1].directory is missing");
  EXPECT_EQ(errorOf("[" + kGood + R"(,{"directory":"/p","command":"cc"}])"), start + "[1].file is missing");
  EXPECT_EQ(errorOf("[" + kGood + R"(,{"directory":"/p","file":"a.c"}])"), start + "[1] has no command");
  EXPECT_EQ(errorOf(R"([{"directory":"/p","file":"a.c","arguments":[]}])"), start + "[0] has no command");
  EXPECT_EQ(errorOf(R"([{"directory":"/p","file":"a.c","arguments":[""]}])"), start + "[0] has no command");
  EXPECT_EQ(errorOf(R"([{"directory":"/p","file":"a.c","command":" "}])"), start + "[0] has no command");
  EXPECT_EQ(errorOf(R"([{"directory":"/p","file":"","command":"cc"}])"), start + "[0] has no file");
  EXPECT_EQ(errorOf(R"([{"directory":"/p","file":"a.c","arguments":["cc",5]}])"),
            start + "[0].arguments[1] is no string");
  EXPECT_EQ(errorOf(R"([{"directory":"/p","file":"a.c","command":["cc"]}])"), start + "[0].command is no string");
  EXPECT_EQ(errorOf(R"([{"directory":null,"file":"a.c","command":"cc"}])"), start + "[0].directory is no string");
  EXPECT_EQ(errorOf(R"([{"directory":"/p","file":"a.c","command":"cc","flags":""}])"),
            start + "[0] has the unknown member 'flags'");
  EXPECT_EQ(errorOf("[\n" + kGood + ",\n]"), start + "it is no JSON in line 3");
}

TEST(CompileDatabase, HasTheWorkersLimits) {
  EXPECT_EQ(errorOf("[" + kGood + "]" + std::string(1, '\0')), "cannot be read: it is no JSON");
  EXPECT_EQ(errorOf(std::string(1'000'000, '[')), "cannot be read: it is nested deeper than 16 levels");
  std::string names = "[" + kGood;
  for (size_t i = 0; i < analysis::kMaxDatabaseStrings; ++i)
    names += ",\"\"";
  EXPECT_EQ(errorOf(names + "]"), "cannot be read: it has more than 3000000 names and values");
}

} // namespace
} // namespace lsp
