// Which trace a document has, and when its file is read again.
#include "analysis/flows/trace_files.h"
#include "tests/analysis/compile/temp_folder.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

const std::string kOne = "mca-trace 1\n# one\n", kTwo = "mca-trace 1\n# two\n";

TEST(TraceFiles, AFileIsReadOnceForEachContent) {
  for (const TempFolder::Replacement how : TempFolder::kReplacements) {
    const TempFolder folder;
    TraceFiles files;
    const std::string document = folder.path() + "/a.s";
    EXPECT_FALSE(files.find({}, document));
    const std::string path = folder.write("a.s.mcatrace", kOne);
    const TraceFiles::Entry first = files.find({}, document);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->path, path);
    EXPECT_EQ(files.find({}, document), first) << "the same object";
    folder.replaceAlike("a.s.mcatrace", kTwo, how);
    const TraceFiles::Entry second = files.find({}, document);
    ASSERT_TRUE(second);
    EXPECT_NE(second->digest, first->digest);
    files.forget();
    EXPECT_NE(files.find({}, document), second) << "another object";
  }
}

TEST(TraceFiles, WhatIsNoRegularFileIsAnErrorIfItIsWanted) {
  const TempFolder folder;
  TraceFiles files;
  std::filesystem::create_directory(folder.path() + "/a.s.mcatrace");
  EXPECT_FALSE(files.find({}, folder.path() + "/a.s"));
  for (const char *name : {"/a.s.mcatrace", "/none"}) {
    const TraceFiles::Entry wanted = files.find({.trace = folder.path() + name}, "");
    ASSERT_TRUE(wanted);
    ASSERT_TRUE(std::holds_alternative<mca::TraceError>(wanted->text));
    EXPECT_EQ(std::get<mca::TraceError>(wanted->text).position.line, 0u);
  }
}

} // namespace
} // namespace analysis
