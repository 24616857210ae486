// What can go wrong before a simulation starts, against the installed llvm-mca: targets, files, options, and texts that
// no corpus would hold. Standard output, exit status and every message must be the same.
#include "tests/differential/compiled.h"
#include "tests/differential/corpus.h"
#include "tests/differential/option_sets.h"
#include "tests/differential/process.h"
#include "tests/differential/same_output.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

namespace differential {
namespace {

const std::string kTwoRegions = "# LLVM-MCA-BEGIN foo\n"
                                "\taddl %eax, %ebx // a comment\n"
                                "\timull (%rdi), %ecx /* another */\n"
                                "\tmovl %ecx, (%rsi)\n"
                                "# LLVM-MCA-END\n"
                                "# LLVM-MCA-BEGIN\n"
                                "\tvaddps %xmm0, %xmm0, %xmm0\n"
                                "# LLVM-MCA-END\n";

class CommandLine : public testing::Test {
protected:
  std::string write(const std::string &name, const std::string &text) const {
    const std::string path = folder_ / name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  void expectSame(const std::vector<Options> &sets, const std::vector<std::string> &files) {
    Comparison comparison(MCA_PROGRAM);
    for (const std::string &file : files)
      for (const Options &options : sets) {
        Options arguments = options;
        arguments.push_back(file);
        comparison.run(arguments);
      }
    EXPECT_EQ(comparison.report(), "");
  }

private:
  TemporaryFolder folder_;
};

TEST_F(CommandLine, Targets) {
  expectSame({{},
              {"-mcpu="},
              {"-mcpu=help"},
              {"-mcpu=native"},
              {"-mcpu=foo"},
              {"-mcpu=i486"},
              {"-mcpu=skylake", "-mattr=help"},
              {"-mcpu=skylake", "-mattr=+foo"},
              {"-mcpu=skylake", "-mattr=foo,-bar,+avx"},
              {"-mcpu=skylake", "-mattr=+foo", "-mattr=-sse2"},
              {"-mtriple="},
              {"-mtriple=foo"},
              {"-mtriple=foo-bar-baz", "-mcpu=help"},
              {"-march=foo"},
              {"-march=aarch64", "-mcpu=cortex-a57"},
              {"-march=x86-64", "-mtriple=i386-linux", "-mcpu=skylake", "-json"},
              {"-march=x86", "-mtriple=x86_64-linux", "-mcpu=skylake", "-json"},
              {"-mtriple=x86_64", "-mcpu=skylake", "-json"},
              {"-mtriple=x86_64-linux", "-mcpu=skylake", "-json"},
              {"-mtriple=aarch64", "-mcpu=cortex-a57"},
              {"-mtriple=aarch64", "-mcpu=help"},
              {"-mtriple=riscv32", "-mcpu=sifive-u74"},
              {"-mtriple=riscv64", "-mcpu=rocket-rv32"},
              {"-mtriple=hexagon", "-mcpu=hexagonv68"},
              {"-mtriple=nvptx64", "-mcpu=sm_80"},
              {"-mtriple=wasm32", "-mcpu=generic"},
              {"--version"}},
             {write("two.s", kTwoRegions)});
}

TEST_F(CommandLine, Options) {
  std::vector<differential::Options> sets;
  for (const char *option : {"-foo",
                             "-skip-unsupported-instructions=foo",
                             "-skip-unsupported-instructions",
                             "-iterations=x",
                             "-iterations=-1",
                             "-iterations",
                             "-instruction-tables=",
                             "-instruction-tables=foo",
                             "-timeline=2",
                             "-timelin",
                             "--timeline",
                             "-json=false",
                             "-o=",
                             "-o=/nonexistent/x",
                             "-output-asm-variant=9",
                             "-output-asm-variant=-2",
                             "-output-asm-variant=x",
                             "-print-options",
                             "-x86-asm-syntax=intel",
                             "-fatal-warnings",
                             "-noalias=maybe",
                             "-dispatch=0",
                             "-lqueue=0",
                             "-call-latency=0"})
    sets.push_back({"-mcpu=skylake", option});
  sets.push_back({"-mcpu=skylake", "-mcpu=znver4"});
  sets.push_back({"-mcpu=skylake", "-timeline", "-timeline"});
  sets.push_back({"-mcpu=skylake", "-instruction-tables=full", "-instruction-tables"});
  sets.push_back({"-mcpu=skylake", "one", "two"});
  expectSame(sets, {write("two.s", kTwoRegions)});
}

TEST_F(CommandLine, InputFiles) {
  expectSame({{"-mcpu=skylake"}, {"-mcpu=foo"}, {"-mtriple=foo"}, {"-mcpu=help"}},
             {"/nonexistent", "/", "-", write("empty.s", "")});
}

TEST_F(CommandLine, Texts) {
  const std::string errors = "addl %eax, %foo\n# LLVM-MCA-END bar\nfoo:\nfoo:\naddl %eax,%ebx\n"
                             "# LLVM-MCA-LATENCY x\nbogus\n";
  const std::string included = write("included.s", errors);
  const std::vector<std::string> files = {
      included,
      write("labels.s", "foo:\nfoo:\naddl %eax,%ebx\n"),
      write("line_marker.s", "# 7 \"user.c\"\naddl %eax, %foo\n# LLVM-MCA-END bar\n"),
      write("includes.s", ".include \"" + included + "\"\naddl %eax,%ebx\n"),
      write("include_missing.s", ".include \"nonexistent.s\"\naddl %eax,%ebx\n"),
      write("debug_info.s", ".file 0 \"/d\" \"a.c\"\n.file 1 \"a.c\"\n.loc 1 3 4\naddl %eax,%ebx\n.loc 2 4\n"),
      write("debug_info_of_gcc.s", ".file \"a.c\"\n.file 0 \"/d\" \"a.c\"\n.file 1 \"a.c\"\n.loc 1 3 4\nnop\n"),
      write("calls.s", "call foo\nret\ncall bar\nnop\n"),
      write("no_line_end.s", "addl %eax, %ebx // x"),
      write("nul.s", std::string("addl %eax,%ebx\0addl %ebx,%eax\naddl %eax,%ebx\n", 46)),
      write("crlf.s", "addl %eax,%ebx // c\r\naddl %ebx, %eax\r\nfoo\r\n"),
      write("warnings.s", ".warning \"hey\"\naddl %eax,%ebx\n# LLVM-MCA-LATENCY 5\naddl %ebx,%eax\n"
                          ".warning \"again\"\n# LLVM-MCA-LATENCY x\n"),
      write("not_utf8.s", "# LLVM-MCA-BEGIN caf\xe9\naddl %eax,%ebx\n# LLVM-MCA-END\n"),
      write("empty_regions.s", "# LLVM-MCA-BEGIN a\n# LLVM-MCA-END a\n# LLVM-MCA-BEGIN b\n# LLVM-MCA-END b\n"),
      write("intel.s", ".intel_syntax noprefix\nadd eax, 255\nmov [rdi], ecx\n"),
      write("directional_label.s", "1:\naddl %eax, %ebx\njne 1b\n"),
      write("relocations.s", "movq foo@GOTPCREL(%rip), %rax\nleaq bar(,%rax,4), %rcx\njmp foo\n"),
  };
  std::vector<differential::Options> sets;
  for (const differential::Options &options :
       std::vector<differential::Options>{{},
                                          {"-skip-unsupported-instructions=any"},
                                          {"-skip-unsupported-instructions=parse-failure", "-all-views"},
                                          {"-skip-unsupported-instructions=lack-sched"},
                                          {"-json"},
                                          {"-instruction-tables=full"},
                                          {"-show-encoding"},
                                          {"-disable-im"},
                                          {"-call-latency=3"},
                                          {"-print-imm-hex", "-output-asm-variant=1"}}) {
    sets.push_back({"-mcpu=skylake"});
    sets.back().insert(sets.back().end(), options.begin(), options.end());
  }
  expectSame(sets, files);
}

/// Pseudo-instructions that expand to instructions without a place, in and around regions.
TEST_F(CommandLine, InstructionsWithoutPlace) {
  expectSame({{"-mtriple=riscv64", "-mcpu=sifive-u74"}, {"-mtriple=riscv64", "-mcpu=sifive-p450", "-all-views"}},
             {write("begun.s", "# LLVM-MCA-BEGIN\nadd a0,a0,a1\nli a0, 0x12345678\nadd a0,a0,a1\n# LLVM-MCA-END\n"),
              write("ended.s", "add a0,a0,a1\n# LLVM-MCA-END\nli a0, 0x12345678\nadd a0,a0,a1\n"),
              write("only.s", "# LLVM-MCA-BEGIN\nli a0, 0x12345678\n# LLVM-MCA-END\n"),
              write("latency.s", "# LLVM-MCA-LATENCY 20\nli a0, 0x12345678\nadd a0,a0,a1\n")});
}

/// Behind a skipped instruction llvm-mca describes instructions with the instruments of earlier ones.
TEST_F(CommandLine, InstrumentsBehindSkippedInstructions) {
  std::vector<Options> sets;
  for (const char *cpu : {"sifive-x280", "sifive-p670", "spacemit-x60"})
    for (const char *view : {"-all-views", "-json", "-instruction-tables=full"})
      sets.push_back(
          {"-mtriple=riscv64", std::string("-mcpu=") + cpu, "-skip-unsupported-instructions=lack-sched", view});
  const std::string wide = "vsetvli a3, a1, e64, m2, ta, ma\nvle64.v v10, (a4)\nvadd.vv v8, v8, v10\n";
  const std::string narrow = "vsetvli a3, a1, e8, mf2, ta, ma\nvle8.v v10, (a4)\nvadd.vv v8, v8, v10\n";
  const std::string skipped = "fence r, rw\n";
  expectSame(sets,
             {write("first.s", skipped + wide), write("two.s", skipped + skipped + wide + narrow),
              write("between.s", wide + skipped + narrow + skipped + wide),
              write("last.s", wide + narrow + skipped + skipped),
              write("regions.s", "# LLVM-MCA-BEGIN a\n" + skipped + wide + "# LLVM-MCA-END a\n# LLVM-MCA-BEGIN b\n" +
                                     narrow + skipped + wide + "# LLVM-MCA-END b\n")});
}

/// What is carried over and executed is forgotten in order, and what waits for its memory waits for ever: llvm-mca does
/// not end.
TEST_F(CommandLine, ProcessorsThatHalt) {
  expectSame({{"-mtriple=thumbv7em-none-eabi", "-mcpu=cortex-m4", "-iterations=2", "-noalias=false"},
              {"-mtriple=thumbv7em-none-eabi", "-mcpu=cortex-m4", "-iterations=2"}},
             {write("halt.s", "strb r4, [r0]\nit lo\npoplo.w {r4, r5, r6, r7, r8, r9, pc}\numull r4, r6, r1, r12\n")});
}

/// A report that fails half way leaves no file behind.
TEST_F(CommandLine, OutputFile) {
  const std::string good = write("two.s", kTwoRegions);
  const std::string bad = write("bad.s", kTwoRegions + "# LLVM-MCA-BEGIN bar\nbogus\n");
  const std::string unscheduled = write("unscheduled.s", kTwoRegions + "# LLVM-MCA-BEGIN bar\nmonitorx\n");
  const std::string output = write("out", "");
  const auto run = [&](const std::string &program, const std::string &input) {
    std::filesystem::remove(output);
    const ProcessResult result = runProcess({program, "-mtriple=x86_64-linux", "-mcpu=skylake", "-o", output, input});
    return std::pair(result.output, std::filesystem::exists(output) ? readFile(output) : "no file");
  };
  for (const std::string &input : {good, bad, unscheduled})
    EXPECT_EQ(run(LLVM_MCA, input), run(MCA_PROGRAM, input)) << input;
}

/// gcc's debug information, which llvm-mca rejects, is accepted on request.
TEST_F(CommandLine, GccDebugInfo) {
  const std::string plain = write("plain.s", "addl %eax, %ebx\n");
  const std::string debug = write("debug.s", ".file \"a.c\"\n.file 0 \"/d\" \"a.c\"\n.file 1 \"a.c\"\n"
                                             ".loc 1 3 4 is_stmt 0 view .LVU3\naddl %eax, %ebx\n");
  const ProcessResult rejected = runProcess({MCA_PROGRAM, "-mtriple=x86_64-linux", "-mcpu=skylake", debug});
  EXPECT_EQ(rejected.status, 1);
  const ProcessResult accepted =
      runProcess({MCA_PROGRAM, "-mtriple=x86_64-linux", "-mcpu=skylake", "-accept-gcc-debug-info", debug});
  const ProcessResult expected = runProcess({LLVM_MCA, "-mtriple=x86_64-linux", "-mcpu=skylake", plain});
  EXPECT_EQ(accepted.status, 0) << accepted.errors;
  EXPECT_EQ(accepted.output, expected.output);
}

/// The bottleneck analysis for in-order CPUs has an option of ours; llvm-mca's own only warns.
TEST_F(CommandLine, InOrderBottlenecks) {
  const std::string loads = write("loads.s", "ldr x2, [x0]\nadd x3, x2, x3\n");
  const std::vector<std::string> program = {MCA_PROGRAM, "-mtriple=aarch64", "-mcpu=cortex-a55", loads};
  const auto with = [&](const char *option) {
    std::vector<std::string> arguments = program;
    arguments.emplace_back(option);
    return runProcess(arguments);
  };
  const ProcessResult stock = with("-bottleneck-analysis"), own = with("-bottleneck-analysis-in-order");
  EXPECT_NE(stock.errors.find("bottleneck analysis is not supported"), std::string::npos);
  EXPECT_EQ(own.errors, "");
  EXPECT_NE(own.output.find("REGISTER dependency:  x2"), std::string::npos) << own.output;
  EXPECT_EQ(stock.output.find("REGISTER dependency"), std::string::npos);
}

/// What we add stands behind what llvm-mca prints.
TEST_F(CommandLine, ExplanationsComeLast) {
  const std::string chain = write("chain.s", "imull %esi, %eax\naddl %eax, %ebx\n");
  const ProcessResult plain = runProcess({MCA_PROGRAM, "-mtriple=x86_64-linux", "-mcpu=skylake", chain});
  const ProcessResult own = runProcess({MCA_PROGRAM, "-mtriple=x86_64-linux", "-mcpu=skylake", "-explain", chain});
  ASSERT_EQ(own.output.substr(0, plain.output.size()), plain.output);
  EXPECT_NE(own.output.find("for %eax from [0] imull", plain.output.size()), std::string::npos) << own.output;
}

/// The options that a program's help lists, without their values: "--timeline", "-o".
std::set<std::string> optionsOf(const std::string &program) {
  std::istringstream help(runProcess({program, "--help-hidden"}).output);
  std::set<std::string> options;
  for (std::string line; std::getline(help, line);) {
    std::string word;
    if (std::istringstream(line) >> word && word.starts_with("-"))
      options.insert(word.substr(0, word.find('=')));
  }
  return options;
}

/// llvm-mca says which options there are: another LLVM may have more.
TEST_F(CommandLine, HelpNamesEveryOptionOfLlvmMca) {
  const std::set<std::string> ours = optionsOf(MCA_PROGRAM), llvms = optionsOf(LLVM_MCA);
  EXPECT_GT(llvms.size(), 35u);
  for (const std::string &option : llvms)
    EXPECT_TRUE(ours.contains(option)) << option;
}

/// The comparison must see a difference of each kind, or the tests above prove nothing.
TEST_F(CommandLine, DifferencesAreSeen) {
  EXPECT_NE(differenceTo("/bin/echo", {"-mcpu=foo", "x"}).find("exit status: llvm-mca 1, mca 0"), std::string::npos);
  EXPECT_NE(differenceTo("/bin/echo", {"-mcpu=foo", "x"}).find("standard output, line 1"), std::string::npos);
  EXPECT_NE(differenceTo("/bin/echo", {"-mcpu=foo", "x"}).find("standard error, line 1"), std::string::npos);
  EXPECT_EQ(differenceTo(LLVM_MCA, {"-mcpu=foo", "x"}), "");
}

} // namespace
} // namespace differential
