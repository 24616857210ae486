// gcc's own flags. They are judged as they are written: clang's option table knows only some of them.
//
// The first rule that matches decides. Of what no rule names and clang does not know, -m… options and -f… options
// without a value are kept: what else writes files, loads code or starts programs in gcc is named below.
#include "analysis/compile/flag_verdict.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace analysis {
namespace {

using llvm::StringRef;
using Verdict = FlagVerdict;

constexpr FlagRule kGccRules[] = {
    // Never: they load code or run programs.
    {"-fplugin*", Verdict::LoadsCode},
    {"-iplugindir*", Verdict::LoadsCode},
    {"-wrapper*", Verdict::LoadsCode},
    {"-specs*", Verdict::LoadsCode},
    {"--specs*", Verdict::LoadsCode},
    {"-B*", Verdict::LoadsCode},
    {"--prefix*", Verdict::LoadsCode},
    {"-fself-test*", Verdict::LoadsCode},
    {"-foffload*", Verdict::LoadsCode},
    {"-Xclang*", Verdict::LoadsCode},

    // Never: they write files.
    {"-fdump*", Verdict::WritesFiles},
    {"-fsave*", Verdict::WritesFiles},
    {"-fcallgraph-info*", Verdict::WritesFiles},
    {"-fstack-usage*", Verdict::WritesFiles},
    {"-fopt-info*", Verdict::WritesFiles},
    {"-fcompare-debug*", Verdict::WritesFiles},
    {"-fdeps-*", Verdict::WritesFiles},
    {"-frepo*", Verdict::WritesFiles},
    {"-fvtv-*", Verdict::WritesFiles},
    {"-freport-bug*", Verdict::WritesFiles},
    {"-ftest-coverage", Verdict::WritesFiles},
    {"-fcondition-coverage", Verdict::WritesFiles},
    {"-fpath-coverage", Verdict::WritesFiles},
    {"-fada-*", Verdict::WritesFiles},
    {"-fgo-*", Verdict::WritesFiles},
    {"-aux-info*", Verdict::WritesFiles},
    {"-time=*", Verdict::WritesFiles},

    // A profile is read; making one writes next to the source.
    {"-fprofile-use", Verdict::Keep},
    {"-fprofile-use=*", Verdict::Keep},
    {"-fprofile-correction", Verdict::Keep},
    {"-fprofile-partial-training", Verdict::Keep},
    {"-fprofile-reorder-functions", Verdict::Keep},
    {"-fprofile-*", Verdict::WritesFiles},
    {"-fauto-profile=*", Verdict::Keep},

    {"-flto*", Verdict::LinkTime},
    {"-fno-lto", Verdict::Expected},
    {"-fwpa*", Verdict::LinkTime},
    {"-fltrans*", Verdict::LinkTime},
    {"-fresolution*", Verdict::LinkTime},
    {"-flinker-output*", Verdict::LinkTime},
    {"-fuse-linker-plugin", Verdict::Expected},
    {"-fno-use-linker-plugin", Verdict::Expected},
    {"-fuse-ld*", Verdict::Expected},
    {"-ffat-lto-objects", Verdict::Expected},
    {"-fno-fat-lto-objects", Verdict::Expected},

    {"-fmodule*", Verdict::Precompiled},
    {"-fpch-*", Verdict::Precompiled},

    // What changes no instruction, or what our own flags replace.
    {"-fdiagnostics-*", Verdict::Expected},
    {"-fno-diagnostics-*", Verdict::Expected},
    {"-fmessage-length*", Verdict::Expected},
    {"-fmax-errors*", Verdict::Expected},
    {"-ftabstop*", Verdict::Expected},
    {"-fanalyzer*", Verdict::Expected},
    {"-fno-analyzer*", Verdict::Expected},
    {"-fverbose-asm", Verdict::Expected},
    {"-ftime-report*", Verdict::Expected},
    {"-fmem-report*", Verdict::Expected},
    {"-fpre-ipa-mem-report", Verdict::Expected},
    {"-fpost-ipa-mem-report", Verdict::Expected},
    {"-fstats", Verdict::Expected},
    {"-fworking-directory", Verdict::Expected},

    // They change what comes out.
    {"-fsyntax-only", Verdict::Unlisted},
    {"-fpreprocessed", Verdict::Unlisted},
    {"-fdirectives-only", Verdict::Unlisted},
    {"-fdisable-*", Verdict::Unlisted},
    {"-fenable-*", Verdict::Unlisted},
    {"-fdbg-cnt*", Verdict::Unlisted},

    // clang's alone: gcc takes them for an error.
    {"--target=*", Verdict::Unlisted},
    {"--gcc-*", Verdict::Unlisted},
    {"-arch *", Verdict::Unlisted},
    {"-stdlib=*", Verdict::Unlisted},

    // The use of registers.
    {"-fcall-saved-*", Verdict::Keep},
    {"-fcall-used-*", Verdict::Keep},
    {"-ffixed-*", Verdict::Keep},
};

/// The names of gcc's options whose value is a word or a number that shapes the code.
constexpr StringRef kGccValued[] = {"-falign-functions",
                                    "-falign-jumps",
                                    "-falign-labels",
                                    "-falign-loops",
                                    "-fabi-version",
                                    "-fconstexpr-cache-depth",
                                    "-fconstexpr-depth",
                                    "-fconstexpr-loop-limit",
                                    "-fconstexpr-ops-limit",
                                    "-fexcess-precision",
                                    "-ffp-contract",
                                    "-finline-limit",
                                    "-finput-charset",
                                    "-fira-algorithm",
                                    "-fira-region",
                                    "-flifetime-dse",
                                    "-flive-patching",
                                    "-fmax-include-depth",
                                    "-fpack-struct",
                                    "-fpermitted-flt-eval-methods",
                                    "-fprefetch-loop-arrays",
                                    "-frandom-seed",
                                    "-freorder-blocks-algorithm",
                                    "-fsanitize-coverage",
                                    "-fsched-stalled-insns",
                                    "-fsched-stalled-insns-dep",
                                    "-fsimd-cost-model",
                                    "-fsso-struct",
                                    "-fstack-check",
                                    "-fstack-reuse",
                                    "-fstrong-eval-order",
                                    "-fstrub",
                                    "-ftls-model",
                                    "-ftree-parallelize-loops",
                                    "-fvect-cost-model",
                                    "-fwide-exec-charset",
                                    "-fzero-init-padding-bits"};

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

/// Of what clang does not know.
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
  for (const FlagRule &rule : kGccRules)
    if (rule.matches(argument))
      return rule.verdict;
  // avr-gcc makes a path of this name and reads a specs file there.
  if (argument.starts_with("-mmcu=") && argument.contains('/'))
    return Verdict::LoadsCode;
  if (argument.starts_with("--param") || unknownToClang)
    return judgeByForm(argument);
  return std::nullopt;
}

} // namespace analysis
