// The list of flags, and its use.
//
// The first rule whose pattern matches an option's canonical spelling decides. What no rule names is decided by the
// option's group: -m… options and -f… options without a value are kept, since neither can name a file, a program or
// an output (the few that write to a place of their own have a rule); all others are left out.
#include "analysis/compile/flags.h"

#include "analysis/common/counts.h"
#include "analysis/compile/flag_verdict.h"
#include "analysis/compile/invocation.h"

#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/Option.h"

#include <array>
#include <cstdint>

namespace analysis {
namespace {

using namespace clang::options;
using llvm::StringRef;
using llvm::opt::Arg;
using llvm::opt::Option;
using Verdict = FlagVerdict;

constexpr size_t kVerdicts = static_cast<size_t>(Verdict::Unlisted) + 1;

/// How a note begins; empty for the verdicts that have none.
constexpr std::array<StringRef, kVerdicts> kReasons = {
    "",
    "",
    "flags left out, as they would load code into the compiler or run another program: ",
    "flags left out, as they would make the compiler write files: ",
    "flags left out, as they defer code generation to the linker: ",
    "flags left out, as precompiled headers and modules are not used here: ",
    "flags left out, as clang does not know them: ",
    "flags left out, as clang refuses them here: ",
    "flags left out, as they are not on the list of those that shape the code: ",
};

constexpr FlagRule kRules[] = {
    // Never: they load code, choose programs, or change what other flags mean.
    {"-fplugin*", Verdict::LoadsCode},
    {"-fpass-plugin*", Verdict::LoadsCode},
    {"-Xclang*", Verdict::LoadsCode},
    {"-mllvm", Verdict::LoadsCode},
    {"-mmlir", Verdict::LoadsCode},
    {"-B", Verdict::LoadsCode},
    {"-specs*", Verdict::LoadsCode},
    {"--config*", Verdict::LoadsCode},
    {"-ccc-*", Verdict::LoadsCode},
    {"-fthinlto-distributor=", Verdict::LoadsCode},

    // Never: they write files, some of them next to the source, or read a file as if it were another.
    {"-save-*", Verdict::WritesFiles},
    {"-fsave-*", Verdict::WritesFiles},
    {"-foptimization-record-*", Verdict::WritesFiles},
    {"-fcodegen-data-*", Verdict::WritesFiles},
    {"-ftime-trace*", Verdict::WritesFiles},
    {"-fproc-stat-report*", Verdict::WritesFiles},
    {"-fcrash-diagnostics*", Verdict::WritesFiles},
    {"-gen-*", Verdict::WritesFiles},
    {"-fstack-usage", Verdict::WritesFiles},
    {"-serialize-diagnostics", Verdict::WritesFiles},
    {"-dependency-*", Verdict::WritesFiles},
    {"-module-dependency-dir", Verdict::WritesFiles},
    {"-coverage", Verdict::WritesFiles},
    {"-ftest-coverage", Verdict::WritesFiles},
    {"-fprofile-arcs", Verdict::WritesFiles},
    {"-ivfsoverlay", Verdict::WritesFiles},
    {"-vfsoverlay", Verdict::WritesFiles},

    {"-flto*", Verdict::LinkTime},
    {"-ffat-lto-objects", Verdict::LinkTime},
    {"-funified-lto", Verdict::LinkTime},
    {"-fsplit-lto-unit", Verdict::LinkTime},
    {"-fthin*", Verdict::LinkTime},
    {"-fwhole-program-vtables", Verdict::LinkTime},
    {"-fvirtual-function-elimination", Verdict::LinkTime},
    {"-fembed-*", Verdict::LinkTime},

    {"-include-pch", Verdict::Precompiled},
    {"-fpch-*", Verdict::Precompiled},
    {"-fmodule*", Verdict::Precompiled},
    {"-fcxx-modules", Verdict::Precompiled},
    {"-fimplicit-module*", Verdict::Precompiled},
    {"-fbuiltin-module-map", Verdict::Precompiled},
    {"-fprebuilt-*", Verdict::Precompiled},
    {"-fapinotes*", Verdict::Precompiled},
    {"-iapinotes-modules", Verdict::Precompiled},
    {"-relocatable-pch", Verdict::Precompiled},

    // What every build has and no assembly shows, and what our own flags replace.
    {"-o", Verdict::Expected},
    {"-x", Verdict::Expected},
    {"--driver-mode=", Verdict::Expected},
    {"-pipe", Verdict::Expected},
    {"-v", Verdict::Expected},
    {"-w", Verdict::Expected},
    {"-H", Verdict::Expected},
    {"-C", Verdict::Expected},
    {"-CC", Verdict::Expected},
    {"-P", Verdict::Expected},
    {"-Q*", Verdict::Expected},
    {"-time", Verdict::Expected},
    {"-ftime-report*", Verdict::Expected},
    {"-pedantic*", Verdict::Expected},
    {"-no-pedantic", Verdict::Expected},
    {"-fsystem-module", Verdict::Expected},
    {"-fdiagnostics-*", Verdict::Expected},
    {"-fno-diagnostics-*", Verdict::Expected},
    {"-fcaret-*", Verdict::Expected},
    {"-fno-caret-*", Verdict::Expected},
    {"-fcolor-*", Verdict::Expected},
    {"-fno-color-*", Verdict::Expected},
    {"-fansi-escape-codes", Verdict::Expected},
    {"-fshow-*", Verdict::Expected},
    {"-fno-show-*", Verdict::Expected},
    {"-fmessage-length=", Verdict::Expected},
    {"-ferror-limit=", Verdict::Expected},
    {"-ftemplate-backtrace-limit=", Verdict::Expected},
    {"-fconstexpr-backtrace-limit=", Verdict::Expected},
    {"-fmacro-backtrace-limit=", Verdict::Expected},
    {"-fspell-checking*", Verdict::Expected},
    {"-fverbose-asm", Verdict::Expected},
    {"-fno-verbose-asm", Verdict::Expected},
    {"-fintegrated-*", Verdict::Expected},
    {"-fno-integrated-*", Verdict::Expected},
    {"-fdebug-*", Verdict::Expected},
    {"-ffile-prefix-map=", Verdict::Expected},
    {"-ffile-compilation-dir=", Verdict::Expected},
    {"-fcoverage-compilation-dir=", Verdict::Expected},
    {"-fcoverage-prefix-map=", Verdict::Expected},
    {"-fstandalone-debug", Verdict::Expected},
    {"-fno-standalone-debug", Verdict::Expected},
    {"-fuse-ld=", Verdict::Expected},
    {"-L", Verdict::Expected},
    {"-Wa,", Verdict::Expected},
    {"-Xassembler", Verdict::Expected},
    {"-rtlib=", Verdict::Expected},
    {"-unwindlib=", Verdict::Expected},
    {"-nodefaultlibs", Verdict::Expected},
    {"-nolibc", Verdict::Expected},
    {"-nostdlib++", Verdict::Expected},
    {"-shared-lib*", Verdict::Expected},
    {"-static-lib*", Verdict::Expected},
    {"-canonical-prefixes", Verdict::Expected},
    {"-no-canonical-prefixes", Verdict::Expected},

    // They change what comes out, or print something else instead.
    {"-fdirectives-only", Verdict::Unlisted},
    {"-fno-directives-only", Verdict::Unlisted},
    {"-frewrite-*", Verdict::Unlisted},
    {"-fminimize-whitespace", Verdict::Unlisted},
    {"-fkeep-system-includes", Verdict::Unlisted},
    {"-fclangir", Verdict::Unlisted},
    {"-fopenacc", Verdict::Unlisted},

    // The preprocessor and the search for headers.
    {"-D", Verdict::Keep},
    {"-U", Verdict::Keep},
    {"-undef", Verdict::Keep},
    {"-I", Verdict::Keep},
    {"-I-", Verdict::Keep},
    {"-F", Verdict::Keep},
    {"-isystem", Verdict::Keep},
    {"-isystem-after", Verdict::Keep},
    {"-iquote", Verdict::Keep},
    {"-idirafter", Verdict::Keep},
    {"-iprefix", Verdict::Keep},
    {"-iwith*", Verdict::Keep},
    {"-iframework*", Verdict::Keep},
    {"-cxx-isystem", Verdict::Keep},
    {"-stdlib++-isystem", Verdict::Keep},
    {"-ibuiltininc", Verdict::Keep},
    {"-include", Verdict::Keep},
    {"-imacros", Verdict::Keep},
    {"-nostdinc", Verdict::Keep},
    {"-nostdinc++", Verdict::Keep},
    {"-nostdlibinc", Verdict::Keep},
    {"-nobuiltininc", Verdict::Keep},
    {"--embed-dir=", Verdict::Keep},
    {"--system-header-prefix=", Verdict::Keep},
    {"--no-system-header-prefix=", Verdict::Keep},
    {"--sysroot=", Verdict::Keep},
    {"-isysroot", Verdict::Keep},
    {"--gcc-toolchain=", Verdict::Keep},
    {"--gcc-install-dir=", Verdict::Keep},
    {"--gcc-triple=", Verdict::Keep},
    {"-stdlib=", Verdict::Keep},
    {"-working-directory", Verdict::Keep},

    // The language, the target and the code.
    {"--target=", Verdict::Keep},
    {"-arch", Verdict::Keep},
    {"-std=", Verdict::Keep},
    {"-ansi", Verdict::Keep},
    {"-O", Verdict::Keep},
    {"-O0", Verdict::Keep},
    {"-O4", Verdict::Keep},
    {"-Ofast", Verdict::Keep},
    {"-pthread", Verdict::Keep},
    {"-pg", Verdict::Keep},
    {"-m3dnow*", Verdict::Keep},
    {"-mno-3dnow*", Verdict::Keep},
    {"-fcx-limited-range", Verdict::Keep},
    {"-fno-cx-limited-range", Verdict::Keep},
    {"-ffinite-math-only", Verdict::Keep},
    {"-fno-finite-math-only", Verdict::Keep},
    {"-fcheck-new", Verdict::Keep},
    {"-fno-check-new", Verdict::Keep},
    {"-fconvergent-functions", Verdict::Keep},
    {"-fno-convergent-functions", Verdict::Keep},
    {"-fno-unsigned-char", Verdict::Keep},

    // -f… with a value.
    {"-falign-functions=", Verdict::Keep},
    {"-falign-loops=", Verdict::Keep},
    {"-faligned-new=", Verdict::Keep},
    {"-faltivec-src-compat=", Verdict::Keep},
    {"-fbracket-depth=", Verdict::Keep},
    {"-fc++-abi=", Verdict::Keep},
    {"-fc++-static-destructors=", Verdict::Keep},
    {"-fcf-protection=", Verdict::Keep},
    {"-fclang-abi-compat=", Verdict::Keep},
    {"-fcomplex-arithmetic=", Verdict::Keep},
    {"-fconstexpr-depth=", Verdict::Keep},
    {"-fconstexpr-steps=", Verdict::Keep},
    {"-fcs-profile-generate=", Verdict::Keep},
    {"-fdenormal-fp-math=", Verdict::Keep},
    {"-fexcess-precision=", Verdict::Keep},
    {"-fexec-charset=", Verdict::Keep},
    {"-fextend-arguments=", Verdict::Keep},
    {"-ffp-contract=", Verdict::Keep},
    {"-ffp-eval-method=", Verdict::Keep},
    {"-ffp-exception-behavior=", Verdict::Keep},
    {"-ffp-model=", Verdict::Keep},
    {"-fgnuc-version=", Verdict::Keep},
    {"-finline-max-stacksize=", Verdict::Keep},
    {"-finput-charset=", Verdict::Keep},
    {"-flax-vector-conversions=", Verdict::Keep},
    {"-fmacro-prefix-map=", Verdict::Keep},
    {"-fmatrix-memory-layout=", Verdict::Keep},
    {"-fmax-type-align=", Verdict::Keep},
    {"-fms-compatibility-version=", Verdict::Keep},
    {"-fmsc-version=", Verdict::Keep},
    {"-fnew-alignment=", Verdict::Keep},
    {"-fno-builtin-", Verdict::Keep},
    {"-fno-sanitize*", Verdict::Keep},
    {"-fopenmp=", Verdict::Keep},
    {"-fopenmp-version=", Verdict::Keep},
    {"-foperator-arrow-depth=", Verdict::Keep},
    {"-fpack-struct=", Verdict::Keep},
    {"-fpatchable-function-entry=", Verdict::Keep},
    {"-fprofile-generate=", Verdict::Keep},
    {"-fprofile-instr-generate=", Verdict::Keep},
    {"-fprofile-instr-use=", Verdict::Keep},
    {"-fprofile-sample-use=", Verdict::Keep},
    {"-fprofile-update=", Verdict::Keep},
    {"-fprofile-use=", Verdict::Keep},
    {"-frandomize-layout-seed=", Verdict::Keep},
    {"-fsanitize*", Verdict::Keep},
    {"-fstrict-flex-arrays=", Verdict::Keep},
    {"-ftemplate-depth=", Verdict::Keep},
    {"-ftls-model=", Verdict::Keep},
    {"-ftrap-function=", Verdict::Keep},
    {"-ftrapv-handler*", Verdict::Keep},
    {"-ftrivial-auto-var-init=", Verdict::Keep},
    {"-fveclib=", Verdict::Keep},
    {"-fvisibility*", Verdict::Keep},
    {"-fxray-instruction-threshold=", Verdict::Keep},
    {"-fxray-modes=", Verdict::Keep},
    {"-fzero-call-used-regs=", Verdict::Keep},
};

bool isInAnyGroup(const Option &option, std::initializer_list<ID> groups) {
  return llvm::any_of(groups, [&](ID group) { return option.matches(group); });
}

Verdict judgeByGroup(const Option &option) {
  // Warnings are clangd's business, debug information is ours, dependency files and linking are nobody's here.
  if (option.hasFlag(LinkerInput) ||
      isInAnyGroup(option, {OPT_INPUT, OPT_Action_Group, OPT_M_Group, OPT_W_Group, OPT_W_value_Group, OPT_R_Group,
                            OPT_g_Group, OPT_Link_Group, OPT_d_Group}))
    return Verdict::Expected;
  if (isInAnyGroup(option, {OPT_clang_ignored_gcc_optimization_f_Group, OPT_clang_ignored_f_Group}))
    return Verdict::Unknown;
  if (isInAnyGroup(option, {OPT_offload_Group, OPT_opencl_Group}))
    return Verdict::Unlisted;
  if (option.matches(OPT_m_Group) || (option.matches(OPT_f_Group) && option.getKind() == Option::FlagClass))
    return Verdict::Keep;
  return Verdict::Unlisted;
}

Verdict judge(const Arg &arg) {
  const Option option = arg.getOption();
  if (option.getKind() == Option::UnknownClass)
    return Verdict::Unknown;
  // A build that says -Wno-implicit-function-declaration relies on an error being none.
  if (option.matches(OPT_W_Joined) && StringRef(arg.getValue()).starts_with("no-"))
    return Verdict::Keep;
  // Control-flow integrity exists only with -flto, which is left out.
  if (option.matches(OPT_fsanitize_EQ) &&
      llvm::any_of(arg.getValues(), [](StringRef value) { return value.starts_with("cfi"); }))
    return Verdict::LinkTime;
  const StringRef spelling = option.getPrefixedName();
  for (const FlagRule &rule : kRules)
    if (rule.matches(spelling))
      return rule.verdict;
  return judgeByGroup(option);
}

/// A value that another version of the driver could take for a flag or a response file.
bool looksLikeFlag(StringRef value) {
  return value.starts_with("-") || value.starts_with("@");
}

std::optional<wire::Language> languageNamed(StringRef name) {
  if (name == "c" || name == "c-header" || name == "cpp-output")
    return wire::Language::C;
  if (name == "c++" || name == "c++-header" || name == "c++-cpp-output" || name == "c++-module")
    return wire::Language::Cxx;
  if (name == "assembler-with-cpp")
    return wire::Language::Assembly;
  return std::nullopt;
}

/// Shortened between two characters of UTF-8, not within one.
std::string shortened(const std::string &flag) {
  constexpr size_t maxBytes = 120;
  if (flag.size() <= maxBytes)
    return flag;
  size_t end = maxBytes;
  while (end > 0 && (flag[end] & 0xc0) == 0x80)
    --end;
  return flag.substr(0, end) + "…";
}

/// The flags with commas between them; a hostile command could have very many, or very long ones.
std::string listed(const std::vector<std::string> &flags) {
  constexpr size_t maxFlags = 12;
  std::string text;
  for (size_t i = 0; i < std::min(flags.size(), maxFlags); ++i)
    text += (i ? ", " : "") + shortened(flags[i]);
  return text + andMore(flags.size(), maxFlags);
}

/// Walks over the arguments and sorts them into kept flags and notes.
class Selection {
public:
  Selection(const llvm::opt::InputArgList &arguments, CompilerKind compiler)
      : arguments_(arguments), compiler_(compiler) {}

  void add(const Arg &arg) {
    if (arg.getOption().matches(OPT_x)) {
      result_.language = languageNamed(arg.getValue());
      if (!result_.language && StringRef(arg.getValue()) != "none")
        leaveOut(Verdict::Unlisted, arg.getAsString(arguments_));
    } else if (arg.getOption().matches(OPT_driver_mode) && StringRef(arg.getValue()) == "g++") {
      result_.language = wire::Language::Cxx;
    } else if (arg.getOption().matches(OPT_Wp_COMMA)) {
      addPreprocessorArguments(arg);
    } else if (arg.getOption().matches(OPT_Xclang) && compiler_ == CompilerKind::Clang) {
      addFrontendArgument(arg);
    } else if (const Verdict verdict = judgeForCompiler(arg); verdict != Verdict::Keep) {
      leaveOut(verdict, arg.getAsString(arguments_));
    } else {
      keep(arg);
    }
  }

  SafeFlags finish() {
    for (size_t i = 0; i < kVerdicts; ++i)
      if (!kReasons[i].empty() && !leftOut_[i].empty())
        result_.notes.push_back(kReasons[i].str() + listed(leftOut_[i]));
    return std::move(result_);
  }

private:
  Verdict judgeForCompiler(const Arg &arg) const {
    const Verdict verdict = judge(arg);
    if (compiler_ == CompilerKind::Clang || arg.getOption().getKind() == Option::InputClass)
      return verdict;
    return judgeForGcc(asWritten(arg).getAsString(arguments_), verdict == Verdict::Unknown).value_or(verdict);
  }

  /// The spelling that clang takes an alias for may be clang's alone.
  const Arg &asWritten(const Arg &arg) const {
    return compiler_ == CompilerKind::Gcc && arg.getAlias() ? *arg.getAlias() : arg;
  }

  void keep(const Arg &arg) {
    llvm::opt::ArgStringList rendered;
    if (arg.getOption().matches(OPT_include) || arg.getOption().matches(OPT_imacros))
      return keepHeader(arg.getSpelling(), arg.getValue());
    asWritten(arg).render(arguments_, rendered);
    if (llvm::any_of(llvm::drop_begin(rendered), looksLikeFlag))
      return leaveOut(Verdict::Unlisted, arg.getAsString(arguments_));
    result_.flags.insert(result_.flags.end(), rendered.begin(), rendered.end());
  }

  /// The driver would replace a header by a precompiled one that lies next to it; the frontend, asked directly, does
  /// not.
  void keepHeader(StringRef spelling, StringRef header) {
    if (looksLikeFlag(header))
      return leaveOut(Verdict::Unlisted, (spelling + " " + header).str());
    if (compiler_ == CompilerKind::Gcc) {
      result_.flags.insert(result_.flags.end(), {spelling.str(), header.str()});
      return;
    }
    for (StringRef part : {StringRef("-Xclang"), spelling, StringRef("-Xclang"), header})
      result_.flags.push_back(part.str());
  }

  /// -Wp,-DNAME is how some distributions define macros; the rest of -Wp, is about output.
  void addPreprocessorArguments(const Arg &arg) {
    for (StringRef value : arg.getValues())
      if (value.starts_with("-D") || value.starts_with("-U"))
        result_.flags.push_back(value.str());
      else
        leaveOut(Verdict::Expected, value.str());
  }

  /// Nothing of -Xclang is followed but the header that CMake includes this way next to a precompiled one.
  void addFrontendArgument(const Arg &arg) {
    const StringRef value = arg.getValue();
    if (frontendInclude_ && !looksLikeFlag(value))
      keepHeader("-include", value);
    else if (value != "-include")
      leaveOut(Verdict::LoadsCode, arg.getAsString(arguments_));
    frontendInclude_ = value == "-include";
  }

  void leaveOut(Verdict verdict, std::string written) {
    leftOut_[static_cast<size_t>(verdict)].push_back(std::move(written));
  }

  const llvm::opt::InputArgList &arguments_;
  CompilerKind compiler_;
  SafeFlags result_;
  std::array<std::vector<std::string>, kVerdicts> leftOut_;
  bool frontendInclude_ = false; ///< the last argument was -Xclang -include
};

} // namespace

std::string refusedNote(const std::vector<std::string> &flags) {
  return kReasons[static_cast<size_t>(Verdict::Refused)].str() + listed(flags);
}

SafeFlags selectSafeFlags(const std::vector<std::string> &arguments, CompilerKind compiler) {
  const llvm::opt::InputArgList parsed = parseFlags(arguments);
  Selection selection(parsed, compiler);
  for (const Arg *arg : parsed)
    selection.add(*arg);
  return selection.finish();
}

} // namespace analysis
