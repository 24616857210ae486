// `mca-lsp --check` where files are reached by way of others: through links, as parts of assembly, as modules.
#include "tests/check/programs.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace check {
namespace {

using nlohmann::json;

/// The tests run in a folder of their own.
class CheckPartsProgram : public testing::Test {
protected:
  CheckPartsProgram() : before_(fs::current_path()) {
    std::string pattern = (fs::temp_directory_path() / "mca-parts-XXXXXX").string();
    root_ = fs::canonical(mkdtemp(pattern.data()));
    fs::current_path(root_);
  }
  ~CheckPartsProgram() override {
    fs::current_path(before_);
    fs::remove_all(root_);
  }

  void write(const std::string &name, const std::string &text) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name, std::ios::binary) << text;
  }

  /// A database in `folder`, of files relative to it.
  void writeDatabase(const std::string &folder, const Words &files,
                     const Words &flags = {"-O2", "-march=znver3"}) const {
    json database = json::array();
    for (const std::string &file : files) {
      Words command = {"clang-22", "-c", file};
      command.insert(command.begin() + 1, flags.begin(), flags.end());
      database.push_back({{"directory", (root_ / folder).string()}, {"file", file}, {"arguments", command}});
    }
    write(folder + "/compile_commands.json", database.dump());
  }

  /// In the folder, relative to the root.
  json runIn(const std::string &folder, Words options = {}) const {
    fs::current_path(root_ / folder);
    Words command = {MCA_LSP_PROGRAM, "--check",       "--calibration=off",
                     "--cpu=znver3",  "--format=json", "--fail-on=never"};
    command.insert(command.end(), options.begin(), options.end());
    const ProcessResult result = differential::runProcess(command);
    EXPECT_TRUE(json::accept(result.output)) << result.output << result.errors;
    return json::parse(result.output, nullptr, false);
  }

  /// "file:line name (through)" of each region.
  static Words regionsOf(const json &document) {
    Words regions;
    for (const json &file : document["files"])
      for (const json &region : file["regions"])
        regions.push_back(file["file"].get<std::string>() + ":" + region["line"].dump() + " " +
                          region["name"].get<std::string>() +
                          (region.contains("through") ? " (" + region["through"].get<std::string>() + ")" : ""));
    return regions;
  }
  static Words namesOf(const json &document) {
    Words names;
    for (const json &file : document["files"])
      names.push_back(file["file"]);
    return names;
  }
  static Words messagesOf(const json &document, const std::string &code) {
    Words messages;
    for (const json &file : document["files"])
      for (const json &finding : file["findings"])
        if (finding["code"] == code)
          messages.push_back(file["file"].get<std::string>() + ":" + finding["line"].dump() + ": " +
                             finding["message"].get<std::string>());
    return messages;
  }

  fs::path before_, root_;
};

const char *const kTemplate = "T NAME(const T *v, int n) {\n  T t = 0;\n  for (int i = 0; i < n; ++i)\n    t ^= v[i];\n"
                              "  return t;\n}\n";
const char *const kScale = "#define T int\n#define NAME one\n#include \"scale_template.c\"\n"
                           "#undef T\n#undef NAME\n#define T long\n#define NAME two\n#include \"scale_template.c\"\n";

/// FFmpeg's build outside of its source: the commands name `src/FILE`, where `src` is a link.
TEST_F(CheckPartsProgram, LinksOfTheDatabaseAreFollowed) {
  for (const std::string target : {"..", "../real"}) {
    const std::string sources = target == ".." ? "" : "real/";
    write(sources + "scale.c", kScale);
    write(sources + "scale_template.c", kTemplate);
    fs::remove_all(root_ / "build");
    fs::create_directory(root_ / "build");
    fs::create_directory_symlink(target, root_ / "build/src");
    writeDatabase("build", {"src/scale.c"}, {"-O2", "-fno-vectorize", "-fno-unroll-loops"});
    for (const std::string folder : {".", "build", "real"}) {
      if (folder == "real" && sources.empty())
        continue;
      const json document = runIn(folder, {"--compile-commands", (root_ / "build").string()});
      const std::string to = fs::path(root_ / sources).lexically_proximate(root_ / folder).lexically_normal().string();
      const std::string prefix = to == "." || to.empty() ? "" : to + (to.ends_with('/') ? "" : "/");
      EXPECT_EQ(namesOf(document), (Words{prefix + "scale.c", prefix + "scale_template.c"})) << folder;
      EXPECT_EQ(regionsOf(document), (Words{prefix + "scale_template.c:3 loop in one (" + prefix + "scale.c)",
                                            prefix + "scale_template.c:3 loop in two (" + prefix + "scale.c)"}))
          << folder;
      for (const json &file : document["files"])
        EXPECT_EQ(file["coverage"]["elsewhere"], 0) << folder;
    }
  }
}

/// The compiler names the part as the link does.
TEST_F(CheckPartsProgram, AnErrorInAPartStandsInItThroughALink) {
  write("real/scale.c", "#define T int\n#include \"scale_template.c\"\n");
  write("real/scale_template.c", "T one;\nU two;\n");
  fs::create_directory(root_ / "build");
  fs::create_directory_symlink("../real", root_ / "build/src");
  writeDatabase("build", {"src/scale.c"});
  const Words errors = messagesOf(runIn(".", {"real/scale_template.c"}), "compile-error");
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0], "real/scale_template.c:2: unknown type name 'U'");
}

TEST_F(CheckPartsProgram, AFileWithTwoNamesIsReportedOnceWithBothCommands) {
  write("real/a.c", "int a(int *v, int n) {\n  int t = 0;\n  while (n--)\n    t ^= v[n] FOR;\n  return t;\n}\n");
  write("other.s", "nop\n");
  fs::create_directory_symlink("real", root_ / "link");
  write("compile_commands.json",
        json::array({{{"directory", root_.string()}, {"file", "real/a.c"}, {"command", "cc -O1 -DFOR= -c real/a.c"}},
                     {{"directory", root_.string()}, {"file", "link/a.c"}, {"command", "cc -O1 -DFOR=+1 -c link/a.c"}}})
            .dump());
  const json document = runIn(".", {"--compile-commands", "."});
  EXPECT_EQ(namesOf(document), (Words{"real/a.c", "real/a.c"})) << "by each of its commands";
  EXPECT_EQ(document["summary"]["files"], 1);
  for (const char *glob : {"real/*", "link/*"})
    EXPECT_EQ(namesOf(runIn(".", {"--compile-commands", ".", "--exclude", glob, "other.s"})), Words{"other.s"}) << glob;
}

TEST_F(CheckPartsProgram, ALinkToAFileOutsideIsNotInTheProject) {
  write("outside/priv.h", "static int priv(const int *v, int n) {\n  int t = 0;\n  while (n--)\n    t ^= v[n];\n"
                          "  return t;\n}\n");
  write("project/a.c", "#include \"priv.h\"\nint a(int *v, int n) { return priv(v, n); }\n");
  write("outside/b.c", "int b(int *v, int n) {\n  int t = 0;\n  while (n--)\n    t += v[n];\n  return t;\n}\n");
  fs::create_symlink("../outside/priv.h", root_ / "project/priv.h");
  fs::create_symlink("../outside/b.c", root_ / "project/b.c");
  writeDatabase("project", {"a.c", "b.c"}, {"-O1", "-fno-inline", "-I", (root_ / "outside").string()});
  fs::create_directory(root_ / "project/sub");
  for (const std::string folder : {"project", "project/sub"})
    for (const std::string &name : namesOf(runIn(folder, {"--compile-commands", (root_ / "project").string()})))
      EXPECT_EQ(name.find("outside"), std::string::npos) << name;
}

const char *const kCopy = ".globl NAME\nNAME:\n  movq %rdx, %rcx\n.Lloop:\n  MOV (%rsi), %xmm0\n  MOV %xmm0, (%rdi)\n"
                          "  addq $SIZE, %rsi\n  addq $SIZE, %rdi\n  decq %rcx\n  jne .Lloop\n  ret\n";

/// OpenBLAS's stubs, which define names and include the kernel.
TEST_F(CheckPartsProgram, AssemblyThatIsIncludedHasItsOwnReport) {
  write("kernels/copy.S", kCopy);
  write("dcopy.S", "#define NAME dcopy\n#define SIZE 8\n#define MOV movsd\n#include \"kernels/copy.S\"\n");
  write("scopy.S", "#define NAME scopy\n#define SIZE 4\n#define MOV movss\n#include \"kernels/copy.S\"\n"
                   "own:\n  incq %rax\n  jne own\n");
  writeDatabase(".", {"dcopy.S", "scopy.S"}, {});
  const json document = runIn(".", {"--compile-commands", "."});
  EXPECT_EQ(regionsOf(document), (Words{"scopy.S:5 loop", "kernels/copy.S:4 loop in dcopy (dcopy.S)",
                                        "kernels/copy.S:4 loop in scopy (scopy.S)"}));
  EXPECT_EQ(document["summary"]["loops"], 3);
  EXPECT_EQ(document["summary"]["hinted"], 3);
  EXPECT_EQ(messagesOf(document, "parse-error"), Words());
  const json alone = runIn(".", {"dcopy.S"});
  EXPECT_EQ(regionsOf(alone), Words{"dcopy.S:4 loop in dcopy"}) << "as an editor shows it";
  const json kernel = runIn(".", {"kernels/copy.S"});
  EXPECT_EQ(regionsOf(kernel), Words{"kernels/copy.S:4 loop in dcopy"}) << "preprocessed through a stub";
}

TEST_F(CheckPartsProgram, ALoopAroundAnIncludeIsTheIncludingFiles) {
  write("body.inc", "  addq $1, %rax\n");
  write("inner.inc", "inner:\n  addq $2, %rax\n  jne inner\n");
  write("mid.S", "#include \"inner.inc\"\nmid:\n#include \"body.inc\"\n  jne mid\n");
  write("top.S",
        "#include \"mid.S\"\n# LLVM-MCA-BEGIN top\n  addq $3, %rbx\n# LLVM-MCA-END\ntop:\n#include \"body.inc\"\n"
        "  jne top\n");
  write("marked.inc", "# LLVM-MCA-BEGIN marked\n  addq $4, %rbx\n# LLVM-MCA-END\n");
  write("user.S", "#include \"marked.inc\"\n");
  writeDatabase(".", {"top.S", "user.S"}, {});
  EXPECT_EQ(regionsOf(runIn(".", {"--compile-commands", "."})),
            (Words{"top.S:2 top", "top.S:5 loop", "inner.inc:1 loop (top.S)", "marked.inc:1 marked (user.S)",
                   "mid.S:2 loop (top.S)"}));
}

TEST_F(CheckPartsProgram, AnErrorInAPartIsSaidAtItsLine) {
  write("part.S", "  nonsense\nagain:\n  addq $2, %rax\n  jne again\n");
  write("stub.S", "  nonsense\n  ret\n  ret\n  ret\n#include \"part.S\"\n");
  writeDatabase(".", {"stub.S"}, {});
  Words places;
  for (const std::string &message : messagesOf(runIn(".", {"--compile-commands", "."}), "parse-error"))
    places.push_back(message.substr(0, message.find(": ")));
  EXPECT_EQ(places, (Words{"stub.S:1", "stub.S:5", "part.S:1"}));
}

TEST_F(CheckPartsProgram, IncludeDirectivesOfTheAssemblerReadNothing) {
  write("a.s", "again:\n  addq $2, %rax\n  jne again\n.include \"other.inc\"\n.incbin \"data.bin\"\n");
  write("other.inc", "secret\n");
  write("data.bin", "secret\n");
  const Words messages = messagesOf(runIn(".", {"a.s", "--triple=x86_64-linux-gnu"}), "parse-error");
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0], "a.s:4: `.include` reads no file here, so that what 'other.inc' defines is missing: let the "
                         "preprocessor include it, with `#include` in a .S file");
  EXPECT_EQ(messages[1], "a.s:5: `.incbin` reads no file here: the bytes of 'data.bin' are missing");
}

/// What CMake and Ninja leave: a response file for each source, and the modules' files that the build made.
TEST_F(CheckPartsProgram, ModulesOfTheBuildAreImported) {
  write("vecmath.cppm", "export module vecmath;\nexport int dot(const int *a, int n) {\n  int s = 0;\n"
                        "  while (n--)\n    s ^= a[n];\n  return s;\n}\n"
                        "export template <class T> T total(const T *a, int n) {\n  T s{};\n  while (n--)\n"
                        "    s += a[n];\n  return s;\n}\n");
  write("use.cpp", "import vecmath;\nint run(const int *a, int n) {\n  int k = 0;\n  while (n--)\n    k |= a[n];\n"
                   "  return k;\n}\nauto *keep = &total<int>;\n");
  write("build/use.modmap", "-fmodule-file=vecmath=vecmath.pcm\n");
  write("build/vecmath.modmap", "-x c++-module\n-fmodule-output=vecmath.pcm\n");
  json database = json::array();
  for (const std::string file : {"use.cpp", "vecmath.cppm"})
    database.push_back(
        {{"directory", (root_ / "build").string()},
         {"file", "../" + file},
         {"command", "clang++-22 -std=c++20 -O1 @" + fs::path(file).stem().string() + ".modmap -c ../" + file}});
  write("build/compile_commands.json", database.dump());
  const Words withoutBuild = messagesOf(runIn(".", {"--compile-commands", "build"}), "compile-error");
  ASSERT_EQ(withoutBuild.size(), 1u);
  EXPECT_TRUE(withoutBuild[0].starts_with("use.cpp:1: the file of module 'vecmath' is not there")) << withoutBuild[0];

  const std::string build =
      "cd " + (root_ / "build").string() + " && clang++-22 -std=c++20 -O1 --precompile ../vecmath.cppm -o vecmath.pcm";
  ASSERT_EQ(std::system(build.c_str()), 0);
  const json document = runIn(".", {"--compile-commands", "build"});
  EXPECT_EQ(messagesOf(document, "compile-error"), Words());
  EXPECT_EQ(regionsOf(document), (Words{"use.cpp:4 loop in run", "vecmath.cppm:4 loop in dot@vecmath",
                                        "vecmath.cppm:10 loop in total@vecmath<int> (use.cpp)"}));
  fs::last_write_time(root_ / "vecmath.cppm", fs::file_time_type::clock::now() + std::chrono::seconds(5));
  const Words old = messagesOf(runIn(".", {"--compile-commands", "build"}), "compile-error");
  ASSERT_EQ(old.size(), 1u);
  EXPECT_TRUE(old[0].starts_with("use.cpp:1: module 'vecmath' has changed since the build made vecmath.pcm")) << old[0];
}

} // namespace
} // namespace check
