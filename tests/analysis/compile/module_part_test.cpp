// What the code of a function depends on: definitions that it names, and other users of what only the module sees.
#include "analysis/compile/module_part.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include "gmock/gmock.h"

#include <regex>

namespace analysis {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

/// Function @f, which has `body`, and `rest`.
std::string bitcodeOf(const std::string &body, const std::string &rest, const std::string &arch = "x86_64") {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  const std::string text =
      "target triple = \"" + arch + "-linux-gnu\"\ndefine void @f() {\n" + body + "\n  ret void\n}\n" + rest;
  const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  std::string bitcode;
  llvm::raw_string_ostream out(bitcode);
  if (module)
    llvm::WriteBitcodeToFile(*module, out, /*ShouldPreserveUseListOrder=*/true);
  return bitcode;
}

/// The names of what the part of @f has.
std::vector<std::string> kept(const std::string &body, const std::string &rest) {
  const std::optional<std::string> part = partOf(bitcodeOf(body, rest), {"f"});
  EXPECT_TRUE(part);
  std::vector<std::string> names;
  const std::regex definition("(?:^|\n)(?:define [^@]*|declare [^@]*|)@([\\w.]+)(?:\\(| =)");
  for (std::sregex_iterator one(part->begin(), part->end(), definition), end; one != end; ++one)
    names.push_back((*one)[1]);
  return names;
}

TEST(ModulePart, HasWhatTheFunctionCalls) {
  EXPECT_THAT(kept("call void @g()", "define void @g() {\n  call void @h()\n  ret void\n}\n"
                                     "declare void @h()\n"
                                     "declare void @i()\n"
                                     "define void @unrelated() {\n  call void @f()\n  call void @i()\n  ret void\n}\n"),
              UnorderedElementsAre("f", "g", "h"));
}

TEST(ModulePart, HasTheOtherUsersOfWhatOnlyTheModuleSees) {
  const std::string user = "define void @user() {\n  call void @g()\n  call void @h()\n  ret void\n}\n"
                           "define void @h() {\n  ret void\n}\n";
  EXPECT_THAT(kept("call void @g()", "define internal void @g() {\n  ret void\n}\n" + user),
              UnorderedElementsAre("f", "g", "user", "h"));
  EXPECT_THAT(kept("call void @g()", "define linkonce_odr void @g() {\n  ret void\n}\n" + user),
              UnorderedElementsAre("f", "g"));
}

TEST(ModulePart, HasTheUsersOfUsersThatAreEmittedIfUsed) {
  const std::string rest = "define internal void @g() {\n  ret void\n}\n"
                           "define LINKAGE void @user() {\n  call void @g()\n  ret void\n}\n"
                           "define void @last() {\n  call void @user()\n  ret void\n}\n";
  const auto with = [&](const std::string &linkage) {
    return std::regex_replace(rest, std::regex("LINKAGE"), linkage);
  };
  EXPECT_THAT(kept("call void @g()", with("linkonce_odr")), UnorderedElementsAre("f", "g", "user", "last"));
  EXPECT_THAT(kept("call void @g()", with("internal")), UnorderedElementsAre("f", "g", "user", "last"));
  EXPECT_THAT(kept("call void @g()", with("")), UnorderedElementsAre("f", "g", "user"));
  EXPECT_THAT(kept("call void @user()\n  call void @g()", with("linkonce_odr")),
              UnorderedElementsAre("f", "g", "user", "last"));
}

TEST(ModulePart, EmitsTheFunctionEvenIfItIsNotUsed) {
  const std::string rest = "define linkonce_odr void @g() {\n  ret void\n}\n";
  const std::optional<std::string> part = partOf(bitcodeOf("", rest), {"g"});
  ASSERT_TRUE(part);
  EXPECT_THAT(*part, testing::HasSubstr("define weak_odr void @g()"));
}

TEST(ModulePart, EmitsNoOtherCopiesOfWhatEachModuleHas) {
  const std::string rest = "$g = comdat any\n"
                           "define linkonce_odr void @g() comdat {\n  call void @i()\n  ret void\n}\n"
                           "define linkonce_odr void @h() {\n  call void @l()\n  ret void\n}\n"
                           "define linkonce_odr void @i() {\n  ret void\n}\n"
                           "define linkonce void @j() {\n  ret void\n}\n"
                           "define void @k() {\n  ret void\n}\n"
                           "define internal void @l() {\n  ret void\n}\n"
                           "@a = alias void (), ptr @i\n";
  const std::string bitcode = bitcodeOf("call void @g()\n  call void @h()\n  call void @j()\n  call void @k()", rest);
  const std::optional<std::string> part = partOf(bitcode, {"f"});
  ASSERT_TRUE(part);
  EXPECT_THAT(*part, testing::HasSubstr("define available_externally void @g() {"));
  for (const char *line : {"define void @f()", "define linkonce_odr void @h()", "define linkonce_odr void @i()",
                           "define linkonce void @j()", "define void @k()", "define internal void @l()"})
    EXPECT_THAT(*part, testing::HasSubstr(line));
  EXPECT_THAT(partOf(bitcode, {"f"}, Copies::All),
              testing::Optional(testing::HasSubstr("define linkonce_odr void @g() comdat {")));
}

TEST(ModulePart, HasTheOtherUsersOfVariablesAndNotOfConstants) {
  const std::string body = "%1 = load i32, ptr getelementptr (i8, ptr @v, i64 4)";
  const std::string user =
      "define void @user() {\n  store i32 1, ptr getelementptr (i8, ptr @v, i64 4)\n  ret void\n}\n";
  EXPECT_THAT(kept(body, "@v = internal global [2 x i32] zeroinitializer\n" + user),
              UnorderedElementsAre("v", "f", "user"));
  EXPECT_THAT(kept(body, "@v = internal constant [2 x i32] zeroinitializer\n" + user), UnorderedElementsAre("v", "f"));
  EXPECT_THAT(kept(body, "@v = global [2 x i32] zeroinitializer\n" + user), UnorderedElementsAre("v", "f"));
}

TEST(ModulePart, HasWhatInitialValuesName) {
  EXPECT_THAT(kept("%1 = load ptr, ptr @table",
                   "@table = constant [1 x ptr] [ptr getelementptr (i8, ptr @value, i64 1)]\n"
                   "@value = global i32 7\n@other = global i32 7\n"),
              UnorderedElementsAre("table", "value", "f"));
}

TEST(ModulePart, HasTheWholeComdatGroup) {
  EXPECT_THAT(kept("call void @g()", "$c = comdat any\n"
                                     "define linkonce_odr void @g() comdat($c) {\n  ret void\n}\n"
                                     "define linkonce_odr void @h() comdat($c) {\n  ret void\n}\n"
                                     "define linkonce_odr void @i() {\n  ret void\n}\n"),
              UnorderedElementsAre("f", "g", "h"));
}

TEST(ModulePart, HasTheAliasesOfWhatItHas) {
  EXPECT_THAT(kept("", "@a = alias void (), ptr @f\n@b = alias void (), ptr @g\ndefine void @g() {\n  ret void\n}\n"),
              UnorderedElementsAre("a", "f"));
}

TEST(ModulePart, LeavesOutTablesOfBlocks) {
  EXPECT_THAT(kept("", "@table = constant [1 x ptr] [ptr blockaddress(@g, %there)]\n"
                       "define void @g() {\n  br label %there\nthere:\n  ret void\n}\n"),
              ElementsAre("f"));
}

TEST(ModulePart, IsNoneOfAFunctionThatIsNotThere) {
  const std::string bitcode = bitcodeOf("call void @g()", "declare void @g()\n");
  EXPECT_TRUE(partOf(bitcode, {"f"}));
  EXPECT_FALSE(partOf(bitcode, {"f", "x"}));
  EXPECT_FALSE(partOf(bitcode, {"g"}));
  EXPECT_FALSE(partOf(bitcode, {}));
  EXPECT_FALSE(partOf("no bitcode", {"f"}));
  EXPECT_FALSE(partOf(bitcode.substr(0, bitcode.size() / 2), {"f"}));
}

TEST(ModulePart, IsNoneWhereVariablesArePlacedTogether) {
  const std::string body = "store i32 1, ptr @v";
  for (const std::string arch : {"x86_64", "aarch64", "riscv64"}) {
    EXPECT_EQ(partOf(bitcodeOf(body, "@v = global i32 0\n", arch), {"f"}).has_value(), arch == "x86_64") << arch;
    EXPECT_TRUE(partOf(bitcodeOf(body, "@v = external global i32\n@other = global i32 0\n", arch), {"f"})) << arch;
  }
}

} // namespace
} // namespace analysis
