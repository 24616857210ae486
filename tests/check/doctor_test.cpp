// `mca-lsp --doctor` as a user sees it: what is there, what is missing, and what the configuration sets.
#include "tests/differential/process.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace check {
namespace {

namespace fs = std::filesystem;
using differential::ProcessResult;

class Doctor : public testing::Test {
protected:
  Doctor() {
    std::string pattern = (fs::temp_directory_path() / "mca-doctor-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~Doctor() override { fs::remove_all(folder_); }

  void write(const std::string &name, const std::string &text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  std::string at(const std::string &name) const { return (folder_ / name).string(); }

  /// In the folder, whose `config` and `data` are the user's, with variables of the environment as NAME=value.
  ProcessResult run(std::vector<std::string> variables = {}, const std::vector<std::string> &options = {}) const {
    std::vector<std::string> words{"env", "-C", at(""), "XDG_CONFIG_HOME=" + at("config"),
                                   "XDG_DATA_HOME=" + at("data")};
    words.insert(words.end(), variables.begin(), variables.end());
    words.insert(words.end(), {MCA_LSP_PROGRAM, "--doctor"});
    words.insert(words.end(), options.begin(), options.end());
    return differential::runProcess(words);
  }

private:
  fs::path folder_;
};

bool has(const ProcessResult &result, const std::string &text) {
  return result.output.find(text) != std::string::npos;
}

TEST_F(Doctor, FindsWhatIsInstalled) {
  const ProcessResult result = run();
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(result.errors, "");
  for (const char *part : {"mca-lsp " MCA_VERSION "\n", "\n  LLVM                 22.1.", "\n  compiler             /",
                           "clang version 22.1.", "\n  scheduling model     ", "\n  worker               /",
                           "/mca-worker\n", "\n  trusted folders      none\n",
                           "\n  worker               1024 MiB, 60000 ms without progress\n", "\nWhat to do\n"})
    EXPECT_TRUE(has(result, part)) << part << "\n" << result.output;
  EXPECT_TRUE(has(result, at("config/mca-lsp/config.json") + " is not there\n"));
}

TEST_F(Doctor, SaysWhatConfigurationSetsAndWhatIsWrongWithIt) {
  write("config/mca-lsp/config.json", "{\"cpu\": \"znver4\", \"trustedFolders\": [\"/home/me/code\"]}\n");
  write(".mca-lsp.json", "{\n  \"cpu\": \"skylake\",\n  \"trustedFolders\": [\"/\"]\n}\n");
  const ProcessResult result = run();
  EXPECT_EQ(result.status, 0);
  for (const char *part :
       {"cpu = \"znver4\"", "trustedFolders = [\"/home/me/code\"]", "cpu = \"skylake\"",
        "\n  trusted folders      /home/me/code\n", "\n  CPU of the numbers   skylake (", "skylake: its own model"})
    EXPECT_TRUE(has(result, part)) << part << "\n" << result.output;
  EXPECT_TRUE(has(result, "\n  - " + at(".mca-lsp.json") + ":3: ")) << result.output;
}

TEST_F(Doctor, SaysWhatToDoWithoutACompiler) {
  const ProcessResult result = run({"PATH=" + at("nothing")});
  EXPECT_EQ(result.status, 0) << "assembly has numbers all the same";
  EXPECT_TRUE(has(result, "\n  compiler             clang-22 was not found, or does not run\n")) << result.output;
  EXPECT_TRUE(has(result, "\n  - without a compiler there are no hints in C and C++: install the package clang-22"));
}

TEST_F(Doctor, WithoutAWorkerThereAreNoNumbers) {
  const ProcessResult result = run({}, {"--worker=" + at("worker"), "--measure=" + at("measure")});
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(has(result, at("worker") + " does not run\n")) << result.output;
  EXPECT_TRUE(has(result, at("measure") + " is not there\n"));
  EXPECT_TRUE(has(result, "\n  - without the worker there are no numbers: "));
  EXPECT_TRUE(has(result, "\n  - without mca-measure no loop can be measured: "));
}

TEST_F(Doctor, NoValueCommandsTheTerminal) {
  write(".mca-lsp.json", "{\"cpu\": \"a\\u001b[31m\"}\n");
  const ProcessResult result = run();
  EXPECT_EQ(result.output.find('\x1b'), std::string::npos);
  EXPECT_TRUE(has(result, "set mca.cpu")) << result.output;
}

} // namespace
} // namespace check
