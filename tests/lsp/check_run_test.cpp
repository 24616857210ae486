// Several workers at once, each a real process (mca-fake-worker): what they say comes in the order of the files.
#include "lsp/check/check.h"
#include "lsp/system/log.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <utility>

namespace lsp {
namespace {

namespace fs = std::filesystem;

/// Files in a folder of their own, which the program runs in.
class CheckRuns : public testing::Test {
protected:
  CheckRuns() : before_(fs::current_path()) {
    std::string pattern = (fs::temp_directory_path() / "mca-check-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    fs::current_path(folder_);
    setLogLevel(LogLevel::Error);
  }
  ~CheckRuns() override {
    fs::current_path(before_);
    fs::remove_all(folder_);
  }

  std::string add(const std::string &name, const std::string &text) {
    std::ofstream(folder_ / name) << text;
    options_.selection.files.push_back(name);
    return name;
  }

  int run() {
    printed_.clear();
    begun_.clear();
    WorkerOptions worker;
    worker.program = MCA_FAKE_WORKER;
    return check(options_, worker,
                 {[&](std::string_view text) {
                    printed_ += text;
                    return canPrint_;
                  },
                  [&](size_t number, size_t total, const std::string &name) {
                    if (!name.empty())
                      begun_.push_back(std::to_string(number) + "/" + std::to_string(total) + " " + name);
                  }});
  }

  fs::path folder_, before_;
  CheckOptions options_;
  std::string printed_;
  bool canPrint_ = true;
  std::vector<std::string> begun_;
};

TEST_F(CheckRuns, TellFilesInTheirOrder) {
  for (int i = 0; i < 12; ++i)
    add("f" + std::to_string(i) + ".s", (i % 3 ? "hint 2\n" : "step a\nstep b\nhint 9\n") + std::string("warn w\n"));
  std::string first;
  for (const unsigned jobs : {1u, 3u, 100u}) {
    options_.jobs = jobs;
    EXPECT_EQ(run(), 0);
    if (first.empty())
      first = printed_;
    EXPECT_EQ(printed_, first) << jobs;
    EXPECT_EQ(begun_.size(), 12u);
    EXPECT_EQ(begun_.front(), "1/12 f0.s");
    EXPECT_EQ(begun_.back(), "12/12 f11.s");
  }
  const size_t quick = first.find("f2.s:1: hint: IPC 1.00 · 2.0 cyc\n");
  const size_t slow = first.find("f3.s:3: hint: IPC 1.00 · 9.0 cyc\n");
  EXPECT_LT(quick, slow) << first;
  EXPECT_NE(slow, std::string::npos) << first;
  EXPECT_NE(first.find("\n12 files, 12 regions: 0 errors, 12 warnings, 0 remarks\n"), std::string::npos) << first;
}

TEST_F(CheckRuns, GoOnAfterAFileThatFails) {
  add("crash.s", "step r\ncrash\n");
  add("good.s", "hint fine\n");
  add("notes.txt", "");
  options_.selection.files.push_back("missing.s");
  for (const unsigned jobs : {1u, 2u}) {
    options_.jobs = jobs;
    EXPECT_EQ(run(), kCheckFailed);
    EXPECT_EQ(printed_.substr(0, printed_.find(':', 12)), "crash.s:1:1: error");
    EXPECT_NE(printed_.find("good.s:1: hint: IPC 1.00 · 4.0 cyc\n"), std::string::npos) << printed_;
    EXPECT_NE(printed_.find("notes.txt:1:1: error: neither assembly"), std::string::npos) << printed_;
    EXPECT_NE(printed_.find("missing.s:1:1: error: the file cannot be read: No such file or directory "
                            "[not-analysed]\n"),
              std::string::npos);
  }
  options_.failOn = {};
  EXPECT_EQ(run(), 0) << "never";
}

TEST_F(CheckRuns, WithoutAWorker) {
  add("a.s", "hint x\n");
  WorkerOptions worker;
  worker.program = "/no/such";
  std::string printed;
  const CheckOutput output{[&](std::string_view text) {
                             printed += text;
                             return true;
                           },
                           [](size_t, size_t, const std::string &) {}};
  EXPECT_EQ(check(options_, worker, output), kCheckFailed);
  EXPECT_NE(printed.find("a.s:1:1: error: there is no worker: "), std::string::npos) << printed;
}

TEST_F(CheckRuns, WriteTheirResultToAFile) {
  add("a.s", "warn w\n");
  options_.output = "out.json";
  options_.format = CheckFormat::Json;
  EXPECT_EQ(run(), 0);
  EXPECT_EQ(printed_, "");
  const auto json = nlohmann::json::parse(std::ifstream("out.json"));
  EXPECT_EQ(json["files"][0]["findings"][0]["message"], "w");
  options_.output = "no/such/folder/out.json";
  EXPECT_EQ(run(), kCheckUnusable);
  EXPECT_TRUE(begun_.empty()) << "told before the work";
}

TEST_F(CheckRuns, ShardsMakeTheWhole) {
  for (int i = 0; i < 7; ++i)
    add("f" + std::to_string(i) + ".s", "warn number " + std::to_string(i) + "\n");
  options_.merge = {};
  CheckOptions whole = options_;
  for (uint32_t index : {1u, 2u, 3u}) {
    options_ = whole;
    options_.format = CheckFormat::Json;
    options_.selection.shard = {index, 3};
    options_.output = "shard" + std::to_string(index) + ".json";
    EXPECT_EQ(run(), 0);
  }
  for (const CheckFormat format : {CheckFormat::Text, CheckFormat::Json, CheckFormat::Sarif}) {
    options_ = whole;
    options_.format = format;
    EXPECT_EQ(run(), 0);
    const std::string expected = printed_;
    options_.selection = {};
    options_.merge = {"shard3.json", "shard1.json", "shard2.json"};
    EXPECT_EQ(run(), 0);
    EXPECT_EQ(printed_, expected);
    options_.merge.pop_back();
    EXPECT_EQ(run(), kCheckUnusable);
  }
}

TEST_F(CheckRuns, WhoseResultCannotBeWrittenFail) {
  add("a.s", "hint x\n");
  canPrint_ = false;
  for (const CheckFormat format : {CheckFormat::Text, CheckFormat::Json, CheckFormat::Sarif, CheckFormat::Markdown}) {
    options_.format = format;
    EXPECT_EQ(run(), kCheckUnusable);
    options_.output = "/dev/full";
    EXPECT_EQ(run(), kCheckUnusable);
    options_.output = "";
  }
}

TEST_F(CheckRuns, DestroyNothingThatTheyRead) {
  const std::string source = "hint x\n";
  add("a.s", source);
  fs::create_symlink("a.s", "link.json");
  options_.format = CheckFormat::Json;
  const auto isRefused = [&] {
    EXPECT_EQ(run(), kCheckUnusable);
    EXPECT_TRUE(begun_.empty()) << "said before the work";
    std::string text;
    std::getline(std::ifstream("a.s"), text);
    return text + "\n" == source;
  };
  for (const char *output : {"a.s", "./a.s", "link.json"}) {
    options_.output = output;
    EXPECT_TRUE(isRefused()) << output;
  }
  options_.output = "r.json";
  for (const char *depfile : {"a.s", "r.json", "./r.json"}) {
    options_.depfile = depfile;
    EXPECT_TRUE(isRefused()) << depfile;
    EXPECT_FALSE(fs::exists("r.json"));
  }
  options_.depfile = "";
  EXPECT_EQ(run(), 0);
  for (const CheckFormat format : {CheckFormat::Json, CheckFormat::Text}) {
    options_.format = format;
    options_.baseline = "r.json";
    EXPECT_TRUE(isRefused());
    CheckOptions merging = options_;
    std::swap(merging, options_);
    options_.selection = {};
    options_.baseline = "";
    options_.merge = {"r.json"};
    EXPECT_TRUE(isRefused());
    std::swap(merging, options_);
    EXPECT_GT(fs::file_size("r.json"), 100u);
  }
}

TEST_F(CheckRuns, WithInputsThatAreNoFiles) {
  ASSERT_EQ(mkfifo("pipe.s", 0600), 0);
  options_.selection.files = {"pipe.s"};
  EXPECT_EQ(run(), kCheckFailed);
  EXPECT_NE(printed_.find("pipe.s:1:1: error: the file cannot be read: it is no regular file"), std::string::npos)
      << printed_;
  add("a.s", "hint x\n");
  options_.selection.files = {"a.s"};
  for (const char *baseline : {"pipe.s", "/dev/zero", "."}) {
    options_.baseline = baseline;
    EXPECT_EQ(run(), kCheckUnusable) << baseline;
  }
  options_.baseline = "";
  options_.selection = {};
  for (const char *merged : {"pipe.s", "@pipe.s", "/dev/zero", "@/dev/zero"}) {
    options_.merge = {merged};
    EXPECT_EQ(run(), kCheckUnusable) << merged;
  }
}

TEST_F(CheckRuns, WithInputsThatCannotBeRead) {
  add("a.s", "warn w\n");
  options_.baseline = "missing.json";
  EXPECT_EQ(run(), kCheckUnusable);
  std::ofstream("bad.json") << "{}";
  options_.baseline = "bad.json";
  EXPECT_EQ(run(), kCheckUnusable);
  options_.baseline = "";
  options_.selection.compileCommands = "nowhere";
  EXPECT_EQ(run(), kCheckUnusable);
  EXPECT_EQ(printed_, "");
}

} // namespace
} // namespace lsp
