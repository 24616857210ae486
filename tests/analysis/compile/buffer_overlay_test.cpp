// Text that is not saved, compiled under its file's name.
#include "analysis/compile/buffer_overlay.h"
#include "analysis/compile/compile.h"
#include "tests/analysis/compile/temp_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace analysis {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

CompileResult compileUnsaved(const std::string &file, const std::string &text, const CommandQuery &query = {}) {
  const UnsavedText unsaved{file, text};
  return compile(findCompileCommand(file, wire::Language::Cxx, {}, query), {}, &unsaved);
}

TEST(BufferOverlay, TheTextIsCompiledInPlaceOfTheFile) {
  const TempFolder folder;
  folder.write("inner.h", "#define VALUE 7\n");
  const std::string file = folder.write("a.cpp", "saved\n");
  const CompileResult result = compileUnsaved(file, "#include \"inner.h\"\nint unsaved() { return VALUE; }\n");
  ASSERT_TRUE(result.succeeded) << result.failure;
  EXPECT_THAT(result.assembly, HasSubstr("unsaved"));
  EXPECT_THAT(result.assembly, HasSubstr("a.cpp:2:"));
  EXPECT_THAT(result.assembly, HasSubstr(folder.path()));
  EXPECT_THAT(result.assembly, Not(HasSubstr("mca-lsp-")));
  EXPECT_EQ(folder.contents().size(), 2u);
}

TEST(BufferOverlay, ErrorsAreAtTheFilesPath) {
  const TempFolder folder;
  const std::string file = folder.write("a \"b\".cpp", "int x;\n");
  const CompileResult result = compileUnsaved(file, "\nint y = nope;\n");
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].path, file);
  EXPECT_EQ(result.diagnostics[0].line, 2u);
}

TEST(BufferOverlay, AHeaderIsSeenThroughTheSourceThatIncludesIt) {
  const TempFolder folder;
  const std::string header = folder.write("inc/sum.h", "saved\n");
  const std::string source = folder.write("user.cpp", "#include \"inc/../inc/sum.h\"\nint use() { return sum(); }\n");
  const CompileResult result = compileUnsaved(header, "inline int sum() { return 42; }\n", {.openFiles = {source}});
  ASSERT_TRUE(result.succeeded) << (result.diagnostics.empty() ? result.failure : result.diagnostics[0].message);
  EXPECT_THAT(result.assembly, HasSubstr("42"));
}

TEST(BufferOverlay, AFileThatIsALinkIsSeenByBothNames) {
  const TempFolder folder;
  folder.write("real/sum.h", "saved\n");
  std::filesystem::create_directory_symlink(folder.path() + "/real", folder.path() + "/link");
  const std::string source = folder.write("user.cpp", "#include \"real/sum.h\"\nint use() { return sum(); }\n");
  const CompileResult result =
      compileUnsaved(folder.path() + "/link/sum.h", "inline int sum() { return 42; }\n", {.openFiles = {source}});
  EXPECT_TRUE(result.succeeded) << (result.diagnostics.empty() ? result.failure : result.diagnostics[0].message);
}

TEST(BufferOverlay, ItsFolderIsPrivateAndGoesAway) {
  const TempFolder folder;
  std::string description, error;
  {
    const auto overlay = BufferOverlay::create(folder.path() + "/a.cpp", "text", error);
    ASSERT_TRUE(overlay) << error;
    description = overlay->description();
    const auto status = std::filesystem::status(std::filesystem::path(description).parent_path());
    EXPECT_EQ(status.permissions(), std::filesystem::perms::owner_all);
    EXPECT_TRUE(std::filesystem::exists(description));
  }
  EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(description).parent_path()));
}

TEST(BufferOverlay, AFolderThatCannotBeWrittenIsNamed) {
  const char *const before = std::getenv("TMPDIR");
  const std::string kept = before ? before : "";
  setenv("TMPDIR", "/nowhere", 1);
  std::string error;
  EXPECT_FALSE(BufferOverlay::create("/a.cpp", "text", error));
  EXPECT_THAT(error, HasSubstr("/nowhere"));
  before ? setenv("TMPDIR", kept.c_str(), 1) : unsetenv("TMPDIR");
}

TEST(BufferOverlay, GccReadsWhatIsSaved) {
  const TempFolder folder;
  const std::string file = folder.write("a.c", "int saved;\n");
  const UnsavedText unsaved{file, "int unsaved;\n"};
  wire::Settings settings{.compiler = "gcc"};
  const CompileCommand command = findCompileCommand(file, wire::Language::C, settings);
  EXPECT_FALSE(compilesUnsavedText(command));
  const CompileResult result = compile(command, {}, &unsaved);
  EXPECT_FALSE(result.succeeded);
  EXPECT_THAT(result.failure, HasSubstr("gcc"));
}

} // namespace
} // namespace analysis
