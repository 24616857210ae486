// The version in git HEAD, also of a repository that wants to run something: it leaves no trace.
#include "analysis/compile/git_head.h"
#include "tests/analysis/compile/temp_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace analysis {
namespace {

class GitHead : public testing::Test {
protected:
  /// With the programs of the repository if they are wanted; true when git was satisfied.
  bool git(const std::string &arguments) const {
    const std::string command = "cd '" + folder.path() +
                                "' && HOME=/nonexistent GIT_CONFIG_NOSYSTEM=1 git -c user.name=t -c user.email=t " +
                                arguments + " >/dev/null 2>&1";
    return std::system(command.c_str()) == 0;
  }
  void commit(const std::string &name, const std::string &text) const {
    folder.write(name, text);
    ASSERT_TRUE(git("init -q") && git("add .") && git("commit -q -m one"));
  }
  std::optional<std::string> head(const std::string &name) const { return readGitHead(folder.path() + "/" + name, {}); }
  /// A program that leaves a trace named after it.
  std::string bait(const std::string &name) const {
    const std::string file = folder.write("bait/" + name, "#!/bin/sh\ntouch '" + trace(name) + "'\n");
    std::filesystem::permissions(file, std::filesystem::perms::all);
    return file;
  }
  std::string trace(const std::string &name) const { return folder.path() + "/TRACE-" + name; }
  bool ran(const std::string &name) const { return std::filesystem::exists(trace(name)); }
  void configure(const std::string &key, const std::string &value) const {
    ASSERT_TRUE(git("config '" + key + "' '" + value + "'"));
  }

  TempFolder folder;
};

TEST_F(GitHead, IsWhatWasCommitted) {
  const std::string odd = std::string("int x; // \xff\r\n\0\n", 14);
  commit("a.cpp", odd);
  folder.write("a.cpp", "int y;\n");
  EXPECT_EQ(head("a.cpp"), odd);
}

TEST_F(GitHead, OfAFileInAFolderBelow) {
  commit("src/odd name:1.cpp", "int x;\n");
  EXPECT_EQ(head("src/odd name:1.cpp"), "int x;\n");
}

TEST_F(GitHead, IsNothingWhereThereIsNone) {
  folder.write("a.cpp", "int x;\n");
  EXPECT_EQ(head("a.cpp"), std::nullopt) << "no repository";
  EXPECT_EQ(head("no/such/folder.cpp"), std::nullopt);
  commit("b.cpp", "int y;\n");
  EXPECT_EQ(head("c.cpp"), std::nullopt) << "not in HEAD";
  EXPECT_EQ(head("bait"), std::nullopt);
}

TEST_F(GitHead, IsNothingAboveOneMegabyte) {
  commit("a.cpp", std::string((1 << 20) + 1, ' '));
  EXPECT_EQ(head("a.cpp"), std::nullopt);
  folder.write("a.cpp", std::string(1 << 20, ' '));
  ASSERT_TRUE(git("commit -qam two"));
  EXPECT_EQ(head("a.cpp").value_or("").size(), 1u << 20);
}

TEST_F(GitHead, StopsWhenAsked) {
  commit("a.cpp", "int x;\n");
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(readGitHead(folder.path() + "/a.cpp", stop.get_token()), std::nullopt);
}

TEST_F(GitHead, ComesFromNoGitInARelativeFolder) {
  commit("a.cpp", "int x;\n");
  const std::string program = bait("git");
  const std::string path = std::getenv("PATH");
  setenv("PATH", "bait", 1);
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  EXPECT_EQ(head("a.cpp"), std::nullopt);
  std::filesystem::current_path(before);
  setenv("PATH", path.c_str(), 1);
  EXPECT_FALSE(ran("git"));
}

TEST_F(GitHead, RunsNothingThatTheRepositoryNames) {
  commit("a.cpp", "int x;\n");
  folder.write(".gitattributes", "*.cpp filter=evil diff=evil text eol=crlf ident\n");
  folder.write(".git/info/attributes", "*.cpp filter=evil diff=evil\n");
  configure("core.fsmonitor", bait("fsmonitor"));
  configure("filter.evil.smudge", bait("smudge"));
  configure("filter.evil.clean", bait("clean"));
  configure("filter.evil.process", bait("process"));
  configure("diff.evil.textconv", bait("textconv"));
  configure("diff.evil.command", bait("diff"));
  configure("diff.external", bait("external"));
  configure("core.pager", bait("pager"));
  configure("core.editor", bait("editor"));
  configure("alias.cat-file", "!" + bait("alias"));
  configure("core.hooksPath", folder.path() + "/bait");
  configure("core.alternateRefsCommand", bait("alternates"));
  configure("credential.helper", bait("credential"));
  for (const char *hook : {"post-checkout", "pre-auto-gc", "post-index-change", "reference-transaction"})
    bait(hook);
  EXPECT_EQ(head("a.cpp"), "int x;\n");
  for (const auto &entry : std::filesystem::directory_iterator(folder.path()))
    EXPECT_FALSE(entry.path().filename().string().starts_with("TRACE")) << entry.path();
  // The bait is real: what is never asked of git runs it.
  ASSERT_TRUE(git("config --unset filter.evil.process"));
  git("status");
  EXPECT_TRUE(ran("fsmonitor"));
  git("cat-file --textconv HEAD:a.cpp");
  EXPECT_TRUE(ran("textconv"));
}

/// A partial clone has a remote that git asks for what is missing, through whatever the remote's URL and settings name.
class Promisor : public GitHead, public testing::WithParamInterface<const char *> {};

TEST_P(Promisor, NoTransportRuns) {
  commit("a.cpp", "int x;\n");
  configure("extensions.partialClone", "origin");
  configure("core.repositoryFormatVersion", "1");
  configure("remote.origin.promisor", "true");
  configure("remote.origin.partialCloneFilter", "blob:none");
  std::string url = GetParam();
  if (const size_t at = url.find("FOLDER"); at != std::string::npos)
    url.replace(at, 6, folder.path());
  configure("remote.origin.url", url);
  configure("remote.origin.uploadpack", bait("transport"));
  configure("core.sshCommand", bait("transport"));
  configure("core.gitProxy", bait("transport"));
  configure("protocol.allow", "always");
  // The blob goes away: only the remote would have it.
  const std::string remove = "cd '" + folder.path() +
                             "' && id=$(git rev-parse HEAD:a.cpp) && rm -f .git/objects/$(echo $id | cut -c1-2)/$(echo "
                             "$id | cut -c3-)";
  ASSERT_EQ(std::system(remove.c_str()), 0);
  EXPECT_EQ(head("a.cpp"), std::nullopt);
  EXPECT_FALSE(ran("transport"));
  git("cat-file blob HEAD:./a.cpp");
  EXPECT_TRUE(ran("transport")) << "the bait is not real";
}

INSTANTIATE_TEST_SUITE_P(Remotes, Promisor,
                         testing::Values("ssh://host/repository", "FOLDER/elsewhere", "git://host/repository"));

} // namespace
} // namespace analysis
