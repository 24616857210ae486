// gcc's own flags, judged as they are written, because clang's option table has only some of them.
//
// The first rule that matches decides. Among flags without a rule that clang does not know either, -m… options and -f…
// options without a value are kept: all of gcc's options that write files, load code or start programs have a rule.
#include "analysis/compile/flag_verdict.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace analysis {
namespace {

using llvm::StringRef;
using Verdict = FlagVerdict;

/// They come before the others: no rule below may catch a flag that reads a profile.
constexpr StringRef kKept[] = {
    // A profile may be read. Making one (-fprofile-*) writes next to the source.
    "-fprofile-use", "-fprofile-use=*", "-fprofile-correction", "-fprofile-partial-training",
    "-fprofile-reorder-functions", "-fauto-profile=*",
    // Registers that the code may not use, or has to save.
    "-fcall-saved-*", "-fcall-used-*", "-ffixed-*"};

/// They load code or run programs: -wrapper and -B choose what the driver starts, specs files hold its command lines.
constexpr StringRef kLoadsCode[] = {"-fplugin*", "-iplugindir*", "-wrapper*",    "-specs*",    "--specs*",
                                    "-B*",       "--prefix*",    "-fself-test*", "-foffload*", "-Xclang*"};

/// They write files next to the output or the source.
constexpr StringRef kWritesFiles[] = {
    // Dumps, reports and dependencies.
    "-fdump*", "-fsave*", "-fcallgraph-info*", "-fstack-usage*", "-fopt-info*", "-fdeps-*", "-frepo*", "-fvtv-*",
    "-freport-bug*", "-fada-*", "-fgo-*", "-aux-info*", "-time=*",
    // The file is compiled twice, and the dumps of both are compared.
    "-fcompare-debug*",
    // Notes and counters of gcov.
    "-ftest-coverage*", "-fcondition-coverage*", "-fpath-coverage*", "-fprofile-*"};

/// With -flto gcc writes its intermediate form (GIMPLE) and leaves code generation to the linker.
constexpr StringRef kLinkTime[] = {"-flto*", "-fwpa*", "-fltrans*", "-fresolution*", "-flinker-output*"};

constexpr StringRef kPrecompiled[] = {"-fmodule*", "-fpch-*", "-fprebuilt-*"};

/// They change no instruction, or our own flags replace them.
constexpr StringRef kExpected[] = {
    // The linker's part; with fat objects the assembly is that of a build without -flto.
    "-fno-lto", "-fuse-linker-plugin", "-fno-use-linker-plugin", "-fuse-ld*", "-ffat-lto-objects",
    "-fno-fat-lto-objects",
    // Messages, statistics and comments.
    "-fdiagnostics-*", "-fno-diagnostics-*", "-fmessage-length*", "-fmax-errors*", "-ftabstop*", "-fanalyzer*",
    "-fno-analyzer*", "-fverbose-asm", "-ftime-report*", "-fmem-report*", "-fpre-ipa-mem-report",
    "-fpost-ipa-mem-report", "-fstats", "-fworking-directory"};

constexpr StringRef kUnlisted[] = {
    // They change what comes out.
    "-fsyntax-only", "-fpreprocessed", "-fdirectives-only", "-fdisable-*", "-fenable-*", "-fdbg-cnt*",
    // clang's alone: gcc takes them for an error.
    "--target=*", "--gcc-*", "-arch *", "-stdlib=*"};

constexpr FlagRules kRules[] = {
    {Verdict::Keep, kKept},         {Verdict::LoadsCode, kLoadsCode},     {Verdict::WritesFiles, kWritesFiles},
    {Verdict::LinkTime, kLinkTime}, {Verdict::Precompiled, kPrecompiled}, {Verdict::Expected, kExpected},
    {Verdict::Unlisted, kUnlisted}};

/// The options of gcc alone that keep their value, which follows a "=" and is no path.
constexpr StringRef kGccValued[] = {
    // Alignment, layout and the ABI.
    "-falign-functions", "-falign-jumps", "-falign-labels", "-falign-loops", "-fabi-version", "-fpack-struct",
    "-frandom-seed", "-freorder-blocks-algorithm", "-fsso-struct",
    // The language and the compiler's limits.
    "-fconstexpr-cache-depth", "-fconstexpr-depth", "-fconstexpr-loop-limit", "-fconstexpr-ops-limit",
    "-fexcess-precision", "-ffp-contract", "-finput-charset", "-flifetime-dse", "-fmax-include-depth",
    "-fpermitted-flt-eval-methods", "-fstrong-eval-order", "-fwide-exec-charset", "-fzero-init-padding-bits",
    // Optimizations and checks.
    "-finline-limit", "-fira-algorithm", "-fira-region", "-flive-patching", "-fprefetch-loop-arrays",
    "-fsanitize-coverage", "-fsched-stalled-insns", "-fsched-stalled-insns-dep", "-fsimd-cost-model", "-fstack-check",
    "-fstack-reuse", "-fstrub", "-ftls-model", "-ftree-parallelize-loops", "-fvect-cost-model"};

bool isWord(StringRef text) {
  return !text.empty() && llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '-' || c == '_'; });
}

/// "--param NAME=VALUE" and "--param=NAME=VALUE".
bool isParameter(StringRef argument) {
  if (!argument.consume_front("--param ") && !argument.consume_front("--param="))
    return false;
  const auto [name, value] = argument.split('=');
  return isWord(name) && isWord(value);
}

/// The verdict on a flag that only its form tells us about: no rule names it, and clang does not know it.
Verdict judgeByForm(StringRef argument) {
  const auto [name, value] = argument.split('=');
  const bool hasValue = name.size() != argument.size();
  const bool isPlain = !hasValue && isWord(name);
  if (isParameter(argument))
    return Verdict::Keep;
  if (name.starts_with("-f"))
    return isPlain || (llvm::is_contained(kGccValued, name) && isWord(value)) ? Verdict::Keep : Verdict::Unlisted;
  if (name.starts_with("-m"))
    return isPlain || !argument.contains('/') ? Verdict::Keep : Verdict::Unlisted;
  return Verdict::Unlisted;
}

} // namespace

std::optional<Verdict> judgeForGcc(StringRef argument, bool unknownToClang) {
  if (const std::optional<Verdict> listed = firstMatch(kRules, argument))
    return listed;
  // avr-gcc makes a path of this name and reads a specs file there.
  if (argument.starts_with("-mmcu=") && argument.contains('/'))
    return Verdict::LoadsCode;
  if (argument.starts_with("--param") || unknownToClang)
    return judgeByForm(argument);
  return std::nullopt;
}

} // namespace analysis
