// Which names lead to one file, and which outputs would replace an input.
#include "lsp/check/named_file.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace lsp {
namespace {

namespace fs = std::filesystem;

/// The tests run in a folder with the file `there.txt`, and links to it.
class NamedFiles : public testing::Test {
protected:
  NamedFiles() : before_(fs::current_path()) {
    std::string pattern = (fs::temp_directory_path() / "mca-named-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    fs::current_path(folder_);
    fs::create_directories("sub");
    std::ofstream("there.txt") << "x";
    fs::create_symlink("there.txt", "soft.txt");
    fs::create_hard_link("there.txt", "hard.txt");
    fs::create_directory_symlink("sub", "sub2");
    fs::create_symlink("sub/new.txt", "dangling.txt");
  }
  ~NamedFiles() override {
    fs::current_path(before_);
    fs::remove_all(folder_);
  }
  fs::path before_, folder_;
};

TEST_F(NamedFiles, HaveManySpellings) {
  for (const std::string &name :
       {std::string("./there.txt"), std::string("sub/../there.txt"), std::string("soft.txt"), std::string("hard.txt"),
        std::string("sub2/../there.txt"), (folder_ / "there.txt").string()})
    EXPECT_EQ(identityOf(name), identityOf("there.txt")) << name;
  EXPECT_NE(identityOf("sub"), identityOf("there.txt"));
}

TEST_F(NamedFiles, NeedNotBeThere) {
  for (const std::string &name : {std::string("./sub/new.txt"), std::string("sub2/new.txt"),
                                  std::string("dangling.txt"), (folder_ / "sub/new.txt").string()})
    EXPECT_EQ(identityOf(name), identityOf("sub/new.txt")) << name;
  EXPECT_NE(identityOf("sub/new.txt"), identityOf("new.txt"));
  EXPECT_EQ(identityOf("no/folder/x"), identityOf(folder_ / "no/folder/../folder/x"));
}

TEST_F(NamedFiles, AnOutputReplacesNoInput) {
  const std::string lost = "names the baseline, which would be lost";
  EXPECT_EQ(whyNotWritable({{"-o", "soft.txt"}}, {{"the baseline", "there.txt"}}), "soft.txt: -o " + lost);
  EXPECT_EQ(whyNotWritable({{"-o", "there.txt"}}, {{"the baseline", "hard.txt"}}), "there.txt: -o " + lost);
  EXPECT_EQ(whyNotWritable({{"-o", "new.txt"}}, {{"the baseline", "there.txt"}}), "");
  EXPECT_EQ(whyNotWritable({{"-o", "there.txt"}}, {{"the baseline", ""}, {"a source", "gone.c"}}), "");
  EXPECT_EQ(whyNotWritable({{"-o", "there.txt"}}, {}), "");
  EXPECT_EQ(whyNotWritable({{"-o", "/dev/null"}}, {{"the baseline", "/dev/null"}}), "") << "nothing is lost";
}

TEST_F(NamedFiles, NorAnotherOutput) {
  EXPECT_EQ(whyNotWritable({{"-o", "sub/new.txt"}, {"--depfile", "dangling.txt"}}, {}),
            "dangling.txt: --depfile and -o name the same file");
  EXPECT_EQ(whyNotWritable({{"-o", "new.txt"}, {"--depfile", "new.d"}}, {}), "");
}

TEST_F(NamedFiles, NorWhatIsAnInputByItsName) {
  for (const char *name : {"a.c", "a.h", "a.cpp", "a.hpp", "a.s", "a.S", "compile_commands.json", "compile_flags.txt",
                           ".mca-lsp.json", "a.s.mcatrace"}) {
    EXPECT_EQ(whyNotWritable({{"-o", name}}, {}), "") << "there is none";
    std::ofstream(name) << "x";
    EXPECT_NE(whyNotWritable({{"-o", name}}, {}), "") << name;
    fs::remove("link.txt");
    fs::create_symlink(name, "link.txt");
    EXPECT_NE(whyNotWritable({{"-o", "link.txt"}}, {}), "") << name;
  }
}

} // namespace
} // namespace lsp
