// A folder that wants to run something, or to write something, through its compile command: it leaves no trace, and the
// file compiles all the same. The kernel would refuse most of that; here the compiler is not even asked for it.
#include "analysis/compile/compile.h"
#include "analysis/compile/flags.h"
#include "tests/analysis/compile/temp_folder.h"

#include "clang/Options/Options.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Option/Option.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <sstream>

namespace analysis {
namespace {

const CommandQuery kUnconfined{.confined = false};

/// A folder full of bait. Its programs, and the plugin, write a file named TRACE.
class HostileFolder : public TempFolder {
public:
  HostileFolder() {
    source = write(
        "a.cpp",
        "#include \"inner.h\"\nint sum(const int *p, int n) { int s = ZERO; while (n--) s += *p++; return s; }\n");
    write("inner.h", "#define ZERO 0\n");
    for (const char *program : {"clang-22", "as", "ld", "ld.lld", "gcc", "cc1", "wrapper", "cpp", "nvptx-arch"})
      writeProgram(std::string("bin/") + program);
    write("evil.rsp", "-fplugin=" TRACE_PLUGIN " -o leaked.s");
    write("evil.cfg", "-fplugin=" TRACE_PLUGIN "\n");
    write("specs", "*cc1:\n+ -fplugin=" TRACE_PLUGIN "\n");
    write("overlay.yaml", R"({"version": 0, "roots": [{"name": "/nowhere", "type": "directory", "contents": []}]})");
    write("module.modulemap", "module inner { header \"inner.h\" }\n");
    write("pre.pch", "CPCH garbage");
  }

  std::string source;

private:
  void writeProgram(const std::string &name) {
    std::filesystem::permissions(write(name, "#!/bin/sh\ntouch " + path() + "/TRACE\n"), std::filesystem::perms::all);
  }
};

/// Each is one attempt; FOLDER stands for the folder's path.
const std::vector<std::vector<std::string>> &attempts() {
  static const std::vector<std::vector<std::string>> attempts = {
      {"-fplugin=" TRACE_PLUGIN},
      {"-fpass-plugin=" TRACE_PLUGIN},
      {"-fplugin=" TRACE_PLUGIN, "-fplugin-arg-x-y"},
      {"-Xclang", "-load", "-Xclang", TRACE_PLUGIN},
      {"-Xclang=-load", "-Xclang=" TRACE_PLUGIN},
      {"-Xclang", "-add-plugin", "-Xclang", "x"},
      {"-Xclang", "-fpass-plugin=" TRACE_PLUGIN},
      {"-Xclang", "-include", "-Xclang", "-load", "-Xclang", TRACE_PLUGIN},
      {"-Xclang", "-header-include-file", "-Xclang", "leak"},
      {"-Xclang", "-dump-deserialized-decls"},
      {"-mllvm", "-load=" TRACE_PLUGIN},
      {"-mllvm=-load=" TRACE_PLUGIN},
      {"-mllvm", "-info-output-file=leak"},
      {"-load", TRACE_PLUGIN},
      {"-Xarch_host", "-fplugin=" TRACE_PLUGIN},
      {"-Xarch_x86_64", "-fplugin=" TRACE_PLUGIN},
      {"-Xpreprocessor", "-MD"},
      {"-Wp,-MD,leak.d"},
      {"-Wp,-fplugin=" TRACE_PLUGIN},
      {"-D", "@evil.rsp"},
      {"-I", "@evil.rsp"},
      {"-isystem", "-fplugin=" TRACE_PLUGIN},
      {"-include", "-fplugin=" TRACE_PLUGIN},
      {"@evil.rsp"},
      {"--rsp-quoting=posix", "@evil.rsp"},
      {"--config=FOLDER/evil.cfg"},
      {"--config", "FOLDER/evil.cfg"},
      {"--config-user-dir=FOLDER"},
      {"--config-system-dir=FOLDER"},
      {"-B", "FOLDER/bin"},
      {"-BFOLDER/bin/"},
      {"-BFOLDER/bin/", "-fno-integrated-as"},
      {"--prefix=FOLDER/bin/", "-no-integrated-as"},
      {"-fno-integrated-cc1", "-BFOLDER/bin/"},
      {"-no-integrated-cpp"},
      {"-via-file-asm"},
      {"-specs=FOLDER/specs"},
      {"--specs=FOLDER/specs"},
      {"-wrapper", "FOLDER/bin/wrapper,x"},
      {"-ccc-gcc-name", "FOLDER/bin/gcc"},
      {"-ccc-install-dir", "FOLDER/bin"},
      {"--gcc-toolchain=FOLDER"},
      {"--driver-mode=cl"},
      {"--driver-mode=cpp"},
      {"-o", "leak.s"},
      {"-oleak.s"},
      {"--output=leak.s"},
      {"-MD"},
      {"-MMD", "-MF", "leak.d"},
      {"-M", "-MF", "leak.d"},
      {"-MJ", "leak.json"},
      {"-dependency-file", "leak.d"},
      {"-dependency-dot", "leak.dot"},
      {"-module-dependency-dir", "leak"},
      {"-gen-cdb-fragment-path", "leak"},
      {"-save-temps"},
      {"-save-temps=cwd"},
      {"-save-temps=obj"},
      {"-save-stats"},
      {"-save-stats=cwd"},
      {"-dumpdir", "leak-"},
      {"-ftime-trace"},
      {"-ftime-trace=leak.json"},
      {"-ftime-report"},
      {"-fproc-stat-report=leak"},
      {"-fsave-optimization-record"},
      {"-fsave-optimization-record=yaml", "-foptimization-record-file=leak.yaml"},
      {"-fstack-usage"},
      {"-fdump-tree-all"},
      {"-serialize-diagnostics", "leak.dia"},
      {"--serialize-diagnostics", "leak.dia"},
      {"-fdiagnostics-format=sarif"},
      {"-fcrash-diagnostics-dir=FOLDER"},
      {"-fcrash-diagnostics=all"},
      {"-gen-reproducer=always"},
      {"-fmodules", "-fmodules-cache-path=FOLDER/leak"},
      {"-fmodules", "-fimplicit-modules", "-fmodule-map-file=FOLDER/module.modulemap"},
      {"-fmodule-output"},
      {"-fmodule-output=leak.pcm"},
      {"-fmodules-ts"},
      {"-fmodule-file=FOLDER/pre.pch"},
      {"-fprebuilt-module-path=FOLDER"},
      {"-include-pch", "FOLDER/pre.pch"},
      {"-emit-pch"},
      {"-fpch-codegen"},
      {"-flto"},
      {"-flto=thin", "-fthin-link-bitcode=leak"},
      {"-fwhole-program-vtables", "-flto"},
      {"-fembed-bitcode"},
      {"-gsplit-dwarf"},
      {"-g", "-gsplit-dwarf=single", "-fdebug-compilation-dir=/"},
      {"--coverage"},
      {"-ftest-coverage", "-fprofile-arcs"},
      {"-fprofile-generate=FOLDER/leak"},
      {"-fprofile-instr-generate=leak"},
      {"-fcodegen-data-generate=leak"},
      {"-E"},
      {"-c"},
      {"-emit-llvm"},
      {"-emit-ast"},
      {"-fsyntax-only"},
      {"--analyze"},
      {"--precompile"},
      {"-extract-api"},
      {"-emit-interface-stubs"},
      {"-rewrite-objc"},
      {"-fdriver-only"},
      {"-###"},
      {"--version"},
      {"-print-search-dirs"},
      {"-x", "ir"},
      {"-x", "cuda", "--cuda-path=FOLDER", "--cuda-gpu-arch=sm_70"},
      {"--offload-arch=native", "--offload-arch-tool=FOLDER/bin/nvptx-arch", "-xhip"},
      {"-fopenmp", "-fopenmp-targets=nvptx64-nvidia-cuda"},
      {"-Xopenmp-target", "-fplugin=" TRACE_PLUGIN},
      {"-ivfsoverlay", "FOLDER/overlay.yaml"},
      {"-fuse-ld=FOLDER/bin/ld"},
      {"--ld-path=FOLDER/bin/ld"},
      {"-Wl,-o,leak"},
      {"-Xlinker", "-o", "-Xlinker", "leak"},
      {"-Wa,-o,leak"},
      {"-Xassembler", "-MD", "-Xassembler", "leak"},
      {"-frewrite-includes"},
      {"-fdirectives-only"},
      {"--", "-fplugin=" TRACE_PLUGIN},
  };
  return attempts;
}

std::string inFolder(std::string text, const std::string &folder) {
  for (size_t at = 0; (at = text.find("FOLDER", at)) != std::string::npos;)
    text.replace(at, 6, folder);
  return text;
}

std::string json(const std::string &text) {
  std::string out = "\"";
  for (const char c : text)
    out += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return out + "\"";
}

void writeDatabase(const HostileFolder &folder, const std::vector<std::string> &flags,
                   const std::string &program = "clang++") {
  std::string arguments = json(program);
  for (const std::string &flag : flags)
    arguments += ", " + json(inFolder(flag, folder.path()));
  folder.write("compile_commands.json", R"([{"directory": )" + json(folder.path()) +
                                            R"(, "file": "a.cpp", "arguments": [)" + arguments +
                                            R"(, "-c", "a.cpp"]}])");
}

TEST(Hostile, NoFlagOfAnEntryLeavesATrace) {
  const HostileFolder folder;
  const auto before = folder.contents();
  for (const std::vector<std::string> &flags : attempts()) {
    SCOPED_TRACE(::testing::PrintToString(flags));
    writeDatabase(folder, flags);
    const CompileCommand command = findCompileCommand(folder.source, wire::Language::Cxx, {}, kUnconfined);
    EXPECT_EQ(command.origin, "compile_commands.json");
    (void)targetOf(command);
    const CompileResult result = compile(command, {});
    EXPECT_TRUE(result.succeeded) << result.failure
                                  << (result.diagnostics.empty() ? "" : result.diagnostics[0].message);
    EXPECT_NE(result.assembly.find(".loc"), std::string::npos);
    std::filesystem::remove(folder.path() + "/compile_commands.json");
    ASSERT_EQ(folder.contents(), before);
  }
}

TEST(Hostile, NoMacroTakesTheFlagAfterIt) {
  for (const CompilerKind compiler : {CompilerKind::Clang, CompilerKind::Gcc}) {
    EXPECT_EQ(selectSafeFlags({"-Wp,-D", "-O2", "-Wp,-U,-MD", "-Wp,-D-arch", "-Wp,-D@x", "-Wp,-DA\rB"}, compiler).flags,
              std::vector<std::string>{"-O2"});
    EXPECT_EQ(selectSafeFlags({"-Wp,-DA=1,-UB", "-O2"}, compiler).flags,
              (std::vector<std::string>{"-DA=1", "-UB", "-O2"}));
    EXPECT_EQ(selectSafeFlags({"-D", "", "-O2", "-I", "", "-Os", "-isystem", "", "-U", ""}, compiler).flags,
              (std::vector<std::string>{"-O2", "-Os"}));
  }
}

TEST(Hostile, NoFlagOfAFlagsFileOrASettingLeavesATrace) {
  const HostileFolder folder;
  folder.write("compile_flags.txt", "");
  const auto before = folder.contents().size();
  for (const std::vector<std::string> &flags : {attempts()[0], attempts()[3], attempts()[10]}) {
    wire::Settings settings;
    std::string lines;
    for (const std::string &flag : flags) {
      lines += flag + "\n";
      settings.extraFlags.push_back(flag);
    }
    folder.write("compile_flags.txt", lines);
    EXPECT_TRUE(compile(findCompileCommand(folder.source, wire::Language::Cxx, {}, kUnconfined), {}).succeeded);
    EXPECT_EQ(folder.contents().size(), before);

    const HostileFolder bare;
    const CompileCommand fallback = findCompileCommand(bare.source, wire::Language::Cxx, settings, kUnconfined);
    EXPECT_TRUE(fallback.fallback);
    EXPECT_TRUE(compile(fallback, {}).succeeded);
    EXPECT_FALSE(bare.contents().contains(bare.path() + "/TRACE"));
  }
}

/// What gcc has of the kind, and clang has not.
const std::vector<std::vector<std::string>> &attemptsOnGcc() {
  static const std::vector<std::vector<std::string>> attempts = {
      {"-wrapper", "FOLDER/bin/wrapper"},
      {"-wrapper=FOLDER/bin/wrapper"},
      {"-iplugindir=FOLDER"},
      {"-fplugin=evil", "-iplugindir=FOLDER"},
      {"-B."},
      {"-Bbin/"},
      {"--prefix", "FOLDER/bin/"},
      {"--specs", "FOLDER/specs"},
      {"-fmodules-ts", "-fmodule-mapper=|FOLDER/bin/wrapper"},
      {"-mmcu=../../../../FOLDER/specs"},
      {"-fself-test=FOLDER/specs"},
      {"-foffload=nvptx-none", "-foffload-options=-fplugin=" TRACE_PLUGIN},
      {"-foffload=-fplugin=" TRACE_PLUGIN, "-fopenmp"},
      {"-flto", "-ffat-lto-objects", "-flto-compression-level=1"},
      {"-fdump-tree-all"},
      {"-fdump-rtl-all"},
      {"-fdump-ipa-all=leak"},
      {"-fdump-passes"},
      {"-fdump-statistics"},
      {"-fdump-final-insns"},
      {"-fdump-final-insns=leak"},
      {"-fdump-lang-all"},
      {"-fdump-go-spec=leak"},
      {"-fdump-ada-spec"},
      {"-fdump-analyzer", "-fanalyzer"},
      {"-fdump-earlydebug"},
      {"-fdump-scos"},
      {"-fdump-translation-unit"},
      {"-da"},
      {"-dumpbase", "leak", "-dumpdir", "FOLDER/", "-fdump-tree-optimized"},
      {"-fsave-optimization-record"},
      {"-fopt-info-all=leak"},
      {"-fopt-info=leak"},
      {"-fstack-usage"},
      {"-fcallgraph-info"},
      {"-fcallgraph-info=su,da"},
      {"-fcompare-debug"},
      {"-fcompare-debug=-O0"},
      {"-fcompare-debug-second"},
      {"-fprofile-arcs", "-ftest-coverage"},
      {"-fprofile-generate"},
      {"-fprofile-dir=FOLDER/leak"},
      {"-fprofile-note=leak"},
      {"-fprofile-generate=FOLDER/leak", "-fprofile-dir=FOLDER"},
      {"-fprofile-info-section"},
      {"-aux-info", "leak"},
      {"-time=leak"},
      {"-frepo"},
      {"-fvtable-verify=std", "-fvtv-debug", "-fvtv-counts"},
      {"-freport-bug"},
      {"-fdiagnostics-format=json-file"},
      {"-fdiagnostics-format=sarif-file"},
      {"-fdiagnostics-add-output=sarif:file=leak"},
      {"-fdeps-format=p1689r5", "-fdeps-file=leak"},
      {"-Wp,-MMD,leak.d"},
      {"-Wa,-a=leak"},
      {"-Xassembler", "-a=leak"},
      {"-x", "c++-header"},
      {"-ftime-report"},
      {"-fmem-report"},
      {"-Q"},
      {"-print-file-name=x"},
      {"--help=optimizers"},
      {"-fpch-preprocess"},
      {"-fpreprocessed"},
      {"-fwpa"},
      {"-fltrans"},
      {"-fltrans-output-list=leak"},
      {"-fresolution=leak"},
      {"--param", "@evil.rsp"},
      {"--param=x=FOLDER/leak"},
      {"-imultilib", "@evil.rsp"},
      {"-pass-exit-codes"},
  };
  return attempts;
}

/// Even a trusted folder's gcc does not write or load anything for an analysis.
TEST(Hostile, NoFlagOfATrustedEntryLeavesATraceThroughGcc) {
  const HostileFolder folder;
  const auto before = folder.contents();
  const wire::Settings settings{.compiler = "project", .trustedFolders = {folder.path()}};
  std::vector<std::vector<std::string>> all = attempts();
  all.insert(all.end(), attemptsOnGcc().begin(), attemptsOnGcc().end());
  for (const std::vector<std::string> &flags : all) {
    SCOPED_TRACE(::testing::PrintToString(flags));
    writeDatabase(folder, flags, "g++");
    const CompileCommand command = findCompileCommand(folder.source, wire::Language::Cxx, settings, kUnconfined);
    EXPECT_EQ(command.kind, CompilerKind::Gcc);
    (void)targetOf(command);
    const CompileResult result = compile(command, {});
    EXPECT_TRUE(result.succeeded) << result.failure
                                  << (result.diagnostics.empty() ? "" : result.diagnostics[0].message);
    EXPECT_NE(result.assembly.find(".loc"), std::string::npos);
    std::filesystem::remove(folder.path() + "/compile_commands.json");
    ASSERT_EQ(folder.contents(), before);
  }
}

/// The programs of the folder run for a user who trusts it, and for nobody else.
TEST(Hostile, WithoutTrustNoProgramOfAnEntryRuns) {
  const HostileFolder folder;
  const std::string trace = folder.path() + "/TRACE";
  wire::Settings settings{.compiler = "project"};
  for (const std::string &program :
       {folder.path() + "/bin/gcc", std::string("bin/gcc"), std::string("./bin/clang-22")}) {
    writeDatabase(folder, {}, program);
    for (const std::vector<std::string> &trusted : {{}, std::vector<std::string>{folder.path() + "/bin"}}) {
      settings.trustedFolders = trusted;
      const CompileCommand command = findCompileCommand(folder.source, wire::Language::Cxx, settings, kUnconfined);
      (void)targetOf(command);
      EXPECT_TRUE(compile(command, {}).succeeded) << program;
      EXPECT_FALSE(std::filesystem::exists(trace)) << program;
    }
  }
  writeDatabase(folder, {}, "bin/gcc");
  settings.trustedFolders = {folder.path()};
  (void)compile(findCompileCommand(folder.source, wire::Language::Cxx, settings, kUnconfined), {});
  EXPECT_TRUE(std::filesystem::exists(trace));
}

/// The bait works: what the tests above keep out does leave a trace when it gets in.
TEST(Hostile, TheBaitIsReal) {
  const HostileFolder folder;
  CompileCommand command = findCompileCommand(folder.source, wire::Language::Cxx, {}, kUnconfined);
  command.arguments.insert(command.arguments.begin() + 1, "-fplugin=" TRACE_PLUGIN);
  (void)compile(command, {});
  EXPECT_TRUE(folder.contents().contains(folder.path() + "/TRACE"));
}

TEST(Hostile, AConfinedCompilerLeavesNoTraceOfWhatItLoads) {
  if (confinementSupport().landlock == 0)
    GTEST_SKIP() << "this kernel has no Landlock";
  const HostileFolder folder;
  const auto before = folder.contents();
  CompileCommand command = findCompileCommand(folder.source, wire::Language::Cxx, {});
  command.arguments.insert(command.arguments.begin() + 1, "-fplugin=" TRACE_PLUGIN);
  (void)compile(command, {});
  EXPECT_EQ(folder.contents(), before);
}

TEST(Hostile, NoVariableOfTheEnvironmentLeavesATrace) {
  const HostileFolder folder;
  const auto before = folder.contents();
  const std::vector<std::pair<std::string, std::string>> variables = {
      {"CCC_OVERRIDE_OPTIONS", "# +-fplugin=" TRACE_PLUGIN},
      {"CCC_ADD_ARGS", "-fplugin=" TRACE_PLUGIN},
      {"COMPILER_PATH", folder.path() + "/bin"},
      {"GCC_EXEC_PREFIX", folder.path() + "/bin/"},
      {"CC_PRINT_OPTIONS", "1"},
      {"CC_PRINT_OPTIONS_FILE", folder.path() + "/leak1"},
      {"CC_PRINT_HEADERS", "1"},
      {"CC_PRINT_HEADERS_FILE", folder.path() + "/leak2"},
      {"CC_LOG_DIAGNOSTICS", "1"},
      {"CC_LOG_DIAGNOSTICS_FILE", folder.path() + "/leak3"},
      {"CC_PRINT_PROC_STAT", "1"},
      {"CC_PRINT_PROC_STAT_FILE", folder.path() + "/leak4"},
      {"DEPENDENCIES_OUTPUT", folder.path() + "/leak5"},
      {"SUNPRO_DEPENDENCIES", folder.path() + "/leak6"},
      {"CLANG_CRASH_DIAGNOSTICS_DIR", folder.path()},
  };
  for (const auto &[name, value] : variables)
    setenv(name.c_str(), value.c_str(), 1);
  EXPECT_TRUE(compile(findCompileCommand(folder.source, wire::Language::Cxx, {}, kUnconfined), {}).succeeded);
  for (const auto &[name, value] : variables)
    unsetenv(name.c_str());
  EXPECT_EQ(folder.contents(), before);
}

/// One use of the option, with a value that would be a file of the folder.
std::vector<std::string> useOf(const llvm::opt::Option &option) {
  const std::string spelling = option.getPrefixedName().str();
  switch (option.getKind()) {
  case llvm::opt::Option::FlagClass:
    return {spelling};
  case llvm::opt::Option::JoinedClass:
  case llvm::opt::Option::CommaJoinedClass:
  case llvm::opt::Option::JoinedOrSeparateClass:
    return {spelling + "leak"};
  case llvm::opt::Option::SeparateClass:
    return {spelling, "leak"};
  case llvm::opt::Option::JoinedAndSeparateClass:
    return {spelling + "leak", "leak"};
  default:
    return {};
  }
}

/// Uses of the driver's options of which something is kept. A -m… flag without a value is a feature of some target and
/// is left to the review of the list: there are hundreds.
std::vector<std::vector<std::string>> keptUses() {
  std::vector<std::vector<std::string>> uses;
  const llvm::opt::OptTable &table = clang::getDriverOptTable();
  for (unsigned id = 1; id <= table.getNumOptions(); ++id) {
    const llvm::opt::Option option = table.getOption(id);
    const bool isFeature =
        option.matches(clang::options::OPT_m_Group) && option.getKind() == llvm::opt::Option::FlagClass;
    if (option.hasVisibilityFlag(clang::options::ClangOption) && !isFeature)
      if (const std::vector<std::string> use = useOf(option);
          !selectSafeFlags(use, CompilerKind::Clang, [](llvm::StringRef) { return true; }).flags.empty())
        uses.push_back(use);
  }
  return uses;
}

/// Compiles with all of the uses at once; where the compiler refuses one of them, with each half of them.
void expectNoFile(const TempFolder &folder, const std::string &source, std::span<const std::vector<std::string>> uses,
                  const std::string &compiler = "") {
  wire::Settings settings{.compiler = compiler};
  for (const std::vector<std::string> &use : uses)
    settings.extraFlags.insert(settings.extraFlags.end(), use.begin(), use.end());
  const bool accepted = compile(findCompileCommand(source, wire::Language::C, settings, kUnconfined), {}).succeeded;
  ASSERT_EQ(folder.contents().size(), 1u) << ::testing::PrintToString(settings.extraFlags);
  if (accepted || uses.size() < 2)
    return;
  expectNoFile(folder, source, uses.first(uses.size() / 2), compiler);
  expectNoFile(folder, source, uses.subspan(uses.size() / 2), compiler);
}

/// Every option that clang's driver has, also those that nobody thought of: what is kept of it creates no file, whether
/// or not the compiler likes its value.
TEST(Hostile, NoOptionOfTheDriverCreatesAFile) {
  const TempFolder folder;
  const std::string source =
      folder.write("a.c", "int f(int *p, int n) { int s = 0; while (n--) s += *p++; return s; }\n");
  const std::vector<std::vector<std::string>> uses = keptUses();
  EXPECT_GT(uses.size(), 500u);
  constexpr size_t batch = 16;
  for (size_t at = 0; at < uses.size(); at += batch)
    expectNoFile(folder, source, std::span(uses).subspan(at, std::min(batch, uses.size() - at)));
}

/// What a command prints.
std::string outputOf(const std::string &command) {
  std::string output;
  FILE *const pipe = popen(command.c_str(), "r");
  std::array<char, 4096> buffer;
  for (size_t count; pipe && (count = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    output.append(buffer.data(), count);
  if (pipe)
    pclose(pipe);
  return output;
}

/// Uses of gcc's -f… options, as its own help lists them, of which something is kept.
std::vector<std::vector<std::string>> keptUsesOfGcc() {
  std::vector<std::vector<std::string>> uses;
  for (const char *topic : {"common", "optimizers", "c,^common", "c++,^common", "undocumented"}) {
    std::istringstream help(outputOf(std::string("gcc --help='") + topic + "'"));
    for (std::string word; help >> word;) {
      if (!word.starts_with("-f"))
        continue;
      const size_t value = word.find_first_of("<[=");
      const std::string use = value == std::string::npos ? word : word.substr(0, value) + "=leak";
      if (!selectSafeFlags({use}, CompilerKind::Gcc).flags.empty())
        uses.push_back({use});
    }
  }
  return uses;
}

TEST(Hostile, NoOptionOfGccCreatesAFile) {
  const TempFolder folder;
  const std::string source =
      folder.write("a.c", "int f(int *p, int n) { int s = 0; while (n--) s += *p++; return s; }\n");
  const std::vector<std::vector<std::string>> uses = keptUsesOfGcc();
  EXPECT_GT(uses.size(), 200u);
  constexpr size_t batch = 16;
  for (size_t at = 0; at < uses.size(); at += batch)
    expectNoFile(folder, source, std::span(uses).subspan(at, std::min(batch, uses.size() - at)), "gcc");
}

} // namespace
} // namespace analysis
