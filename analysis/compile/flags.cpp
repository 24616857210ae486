// The allow-list of clang's flags.
//
// The first rule that matches an option's canonical spelling decides; an alias has the spelling of the option that it
// stands for. An option without a rule is judged by its group in clang's option table: -m… options and -f… options
// without a value are kept, since neither can name a file, a program or an output (the few that write to a place of
// their own have a rule). All others are left out.
#include "analysis/compile/flags.h"

#include "analysis/compile/flag_verdict.h"
#include "analysis/compile/invocation.h"
#include "analysis/text/counts.h"

#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/Option.h"

#include <array>

namespace analysis {
namespace {

using namespace clang::options;
using llvm::StringRef;
using llvm::opt::Arg;
using llvm::opt::Option;
using Verdict = FlagVerdict;

/// The beginning of the note for each verdict; empty for those without a note.
constexpr StringRef kReasons[] = {
    "",
    "",
    "flags left out, as they would load code into the compiler or run another program: ",
    "flags left out, as they would make the compiler write files: ",
    "flags left out, as they defer code generation to the linker: ",
    "flags left out, as precompiled headers, modules of headers and gcc's modules are not used here: ",
    "flags left out, as they name a module's file outside of the project: ",
    "flags left out, as clang does not know them: ",
    "flags left out, as clang refuses them here: ",
    "flags left out, as they are not on the list of those that shape the code: ",
};
static_assert(std::size(kReasons) == static_cast<size_t>(Verdict::Unlisted) + 1);

/// They load code, choose programs, read more flags from a file, or change what other flags mean.
constexpr StringRef kLoadsCode[] = {"-fplugin*", "-fpass-plugin*", "-Xclang*",  "-mllvm", "-mmlir",
                                    "-B",        "-specs*",        "--config*", "-ccc-*", "-fthinlto-distributor="};

/// They write files, or exchange those that are read.
constexpr StringRef kWritesFiles[] = {
    // Beside the output, or under a name of their own.
    "-save-*", "-fsave-*", "-foptimization-record-*", "-fcodegen-data-*", "-ftime-trace*", "-fproc-stat-report*",
    "-fcrash-diagnostics*", "-gen-*", "-fstack-usage", "-serialize-diagnostics", "-dependency-*",
    "-module-dependency-dir",
    // The .gcno file that gcov needs is written when compiling.
    "-coverage", "-ftest-coverage", "-fprofile-arcs",
    // An overlay shows one file as if it were another.
    "-ivfsoverlay", "-vfsoverlay"};

constexpr StringRef kLinkTime[] = {
    // With -flto, -S prints LLVM IR in place of assembly.
    "-flto*", "-ffat-lto-objects", "-funified-lto", "-fsplit-lto-unit", "-fthin*",
    // clang accepts them only with -flto.
    "-fwhole-program-vtables", "-fvirtual-function-elimination",
    // Bitcode in a section of the object file.
    "-fembed-*"};

/// The files that the build made of named modules (C++20). An importer cannot be compiled without them. clang reads
/// them, and refuses one of another version or with other flags; such a file runs nothing. They have to be the
/// project's.
constexpr StringRef kModuleFiles[] = {"-fmodule-file=", "-fprebuilt-module-path="};

/// How a module's own file is written.
constexpr StringRef kModuleOutput[] = {"-fmodule-output*", "-fmodules-reduced-bmi", "-fno-modules-reduced-bmi",
                                       "-fmodules-embed-all-files"};

/// What they read was made by the build's own compiler, and clang accepts only files of its exact version.
constexpr StringRef kPrecompiled[] = {
    "-include-pch",         "-fpch-*",      "-fmodule*",   "-fcxx-modules",      "-fimplicit-module*",
    "-fbuiltin-module-map", "-fprebuilt-*", "-fapinotes*", "-iapinotes-modules", "-relocatable-pch"};

/// What every build has and no assembly shows, and what our own flags replace.
constexpr StringRef kExpected[] = {
    // The output and its form.
    "-o", "-x", "--driver-mode=", "-pipe", "-v", "-w", "-H", "-C", "-CC", "-P", "-Q*", "-time", "-ftime-report*",
    "-fverbose-asm", "-fno-verbose-asm",
    // Messages.
    "-pedantic*", "-no-pedantic", "-fsystem-module", "-fdiagnostics-*", "-fno-diagnostics-*", "-fcaret-*",
    "-fno-caret-*", "-fcolor-*", "-fno-color-*", "-fansi-escape-codes", "-fshow-*", "-fno-show-*",
    "-fmessage-length=", "-ferror-limit=", "-ftemplate-backtrace-limit=", "-fconstexpr-backtrace-limit=",
    "-fmacro-backtrace-limit=", "-fspell-checking*",
    // Debug information, and the names of files in it.
    "-fdebug-*", "-ffile-prefix-map=", "-ffile-compilation-dir=", "-fcoverage-compilation-dir=",
    "-fcoverage-prefix-map=", "-fstandalone-debug", "-fno-standalone-debug",
    // The assembler, the linker and its libraries.
    "-fintegrated-*", "-fno-integrated-*", "-fuse-ld=", "-L", "-Wa,", "-Xassembler",
    "-rtlib=", "-unwindlib=", "-nodefaultlibs", "-nolibc", "-nostdlib++", "-shared-lib*", "-static-lib*",
    "-canonical-prefixes", "-no-canonical-prefixes"};

constexpr StringRef kUnlisted[] = {
    // The preprocessor's text in another form.
    "-fdirectives-only", "-fno-directives-only", "-frewrite-*", "-fminimize-whitespace", "-fkeep-system-includes",
    // Other ways through the compiler.
    "-fclangir", "-fopenacc"};

constexpr StringRef kKept[] = {
    // The preprocessor and the search for headers.
    "-D", "-U", "-undef", "-I", "-I-", "-F", "-isystem", "-isystem-after", "-iquote", "-idirafter", "-iprefix",
    "-iwith*", "-iframework*", "-cxx-isystem", "-stdlib++-isystem", "-ibuiltininc", "-include", "-imacros", "-nostdinc",
    "-nostdinc++", "-nostdlibinc", "-nobuiltininc",
    "--embed-dir=", "--system-header-prefix=", "--no-system-header-prefix=", "--sysroot=", "-isysroot",
    "--gcc-toolchain=", "--gcc-install-dir=", "--gcc-triple=", "-stdlib=", "-working-directory",
    // The language, the target and the code.
    "--target=", "-arch", "-std=", "-ansi", "-O", "-O0", "-O4", "-Ofast", "-pthread", "-pg", "-m3dnow*", "-mno-3dnow*",
    "-fcx-limited-range", "-fno-cx-limited-range", "-ffinite-math-only", "-fno-finite-math-only", "-fcheck-new",
    "-fno-check-new", "-fconvergent-functions", "-fno-convergent-functions", "-fno-unsigned-char",
    // -f… with a value. No value names a file that clang writes: with -fprofile-generate= it is the program that does.
    "-falign-functions=", "-falign-loops=", "-faligned-new=", "-faltivec-src-compat=", "-fbracket-depth=", "-fc++-abi=",
    "-fc++-static-destructors=", "-fcf-protection=", "-fclang-abi-compat=", "-fcomplex-arithmetic=",
    "-fconstexpr-depth=", "-fconstexpr-steps=", "-fcs-profile-generate=", "-fdenormal-fp-math=", "-fexcess-precision=",
    "-fexec-charset=", "-fextend-arguments=", "-ffp-contract=", "-ffp-eval-method=", "-ffp-exception-behavior=",
    "-ffp-model=", "-fgnuc-version=", "-finline-max-stacksize=", "-finput-charset=", "-flax-vector-conversions=",
    "-fmacro-prefix-map=", "-fmatrix-memory-layout=", "-fmax-type-align=", "-fms-compatibility-version=",
    "-fmsc-version=", "-fnew-alignment=", "-fno-builtin-", "-fno-sanitize*",
    "-fopenmp=", "-fopenmp-version=", "-foperator-arrow-depth=", "-fpack-struct=", "-fpatchable-function-entry=",
    "-fprofile-generate=", "-fprofile-instr-generate=", "-fprofile-instr-use=", "-fprofile-sample-use=",
    "-fprofile-update=", "-fprofile-use=", "-frandomize-layout-seed=", "-fsanitize*",
    "-fstrict-flex-arrays=", "-ftemplate-depth=", "-ftls-model=", "-ftrap-function=", "-ftrapv-handler*",
    "-ftrivial-auto-var-init=", "-fveclib=", "-fvisibility*",
    "-fxray-instruction-threshold=", "-fxray-modes=", "-fzero-call-used-regs="};

/// -fthinlto-distributor= names a program: what loads code comes before -fthin*.
constexpr FlagRules kRules[] = {
    {Verdict::LoadsCode, kLoadsCode},    {Verdict::WritesFiles, kWritesFiles}, {Verdict::LinkTime, kLinkTime},
    {Verdict::ModuleFile, kModuleFiles}, {Verdict::Expected, kModuleOutput},   {Verdict::Precompiled, kPrecompiled},
    {Verdict::Expected, kExpected},      {Verdict::Unlisted, kUnlisted},       {Verdict::Keep, kKept}};

/// The verdict on an option without a rule. Warnings are clangd's to show, and debug information is ours to choose;
/// dependency files and linking are not needed.
Verdict judgeByGroup(const Option &option) {
  const auto isInAny = [&](std::initializer_list<ID> groups) {
    return llvm::any_of(groups, [&](ID group) { return option.matches(group); });
  };
  if (option.hasFlag(LinkerInput) || isInAny({OPT_INPUT, OPT_Action_Group, OPT_M_Group, OPT_W_Group, OPT_W_value_Group,
                                              OPT_R_Group, OPT_g_Group, OPT_Link_Group, OPT_d_Group}))
    return Verdict::Expected;
  if (isInAny({OPT_clang_ignored_gcc_optimization_f_Group, OPT_clang_ignored_f_Group}))
    return Verdict::Unknown;
  const bool isOffloaded = isInAny({OPT_offload_Group, OPT_opencl_Group});
  const bool isPlain = option.matches(OPT_f_Group) && option.getKind() == Option::FlagClass;
  return !isOffloaded && (isPlain || option.matches(OPT_m_Group)) ? Verdict::Keep : Verdict::Unlisted;
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
  const std::optional<Verdict> listed = firstMatch(kRules, option.getPrefixedName());
  return listed ? *listed : judgeByGroup(option);
}

/// Whether another version of the driver could read the value as a flag or as a response file.
bool looksLikeFlag(StringRef value) {
  return value.starts_with("-") || value.starts_with("@");
}

/// Whether the option would be rendered without its value, and take the argument after it for one: `-D ''` is `-D`.
bool losesValue(const Arg &arg) {
  return arg.getOption().getKind() == Option::JoinedOrSeparateClass && StringRef(arg.getValue()).empty();
}

/// A path with a line end would be printed as two lines, so that a message would seem to be about another file.
bool hasLineEnd(StringRef value) {
  return value.find_first_of("\r\n") != StringRef::npos;
}

std::optional<wire::Language> languageNamed(StringRef name) {
  return llvm::StringSwitch<std::optional<wire::Language>>(name)
      .Cases({"c", "c-header", "cpp-output"}, wire::Language::C)
      .Cases({"c++", "c++-header", "c++-cpp-output", "c++-module"}, wire::Language::Cxx)
      .Case("assembler-with-cpp", wire::Language::Assembly)
      .Default(std::nullopt);
}

/// The flags with commas between them; a hostile command could have very many, or very long ones.
std::string listed(const std::vector<std::string> &flags) {
  constexpr size_t kMaxFlags = 12, kMaxBytes = 120;
  std::string text;
  for (const std::string &flag : llvm::ArrayRef(flags).take_front(kMaxFlags))
    text += (text.empty() ? "" : ", ") + shortened(flag, kMaxBytes);
  return text + andMore(flags.size(), kMaxFlags);
}

/// Sorts parsed arguments into flags that are kept and notes about the rest.
struct Selection {
  const llvm::opt::InputArgList &arguments;
  CompilerKind compiler;
  MayLoad mayLoad;
  SafeFlags result{};
  std::array<std::vector<std::string>, std::size(kReasons)> leftOut{}; ///< by verdict
  bool followsInclude = false;                                         ///< the last argument was -Xclang -include

  void add(const Arg &arg) {
    if (arg.getOption().matches(OPT_x)) {
      result.language = languageNamed(arg.getValue());
      if (!result.language && StringRef(arg.getValue()) != "none")
        leaveOut(Verdict::Unlisted, arg.getAsString(arguments));
    } else if (arg.getOption().matches(OPT_driver_mode) && StringRef(arg.getValue()) == "g++") {
      result.language = wire::Language::Cxx;
    } else if (arg.getOption().matches(OPT_Wp_COMMA)) {
      addPreprocessorArguments(arg);
    } else if (arg.getOption().matches(OPT_Xclang) && compiler == CompilerKind::Clang) {
      addFrontendArgument(arg);
    } else if (const Verdict verdict = judgeForCompiler(arg);
               verdict == Verdict::Keep || (verdict == Verdict::ModuleFile && mayLoadFileOf(arg))) {
      keep(arg);
    } else {
      leaveOut(verdict, arg.getAsString(arguments));
    }
  }

  /// The file of "NAME=FILE", or a folder of such files. A file without a name is one of a header.
  bool mayLoadFileOf(const Arg &arg) const {
    StringRef file = arg.getValue();
    if (arg.getOption().matches(OPT_fmodule_file))
      file = file.split('=').second;
    return mayLoad && !file.empty() && mayLoad(file);
  }

  SafeFlags finish() {
    for (size_t i = 0; i < std::size(kReasons); ++i)
      if (!kReasons[i].empty() && !leftOut[i].empty())
        result.notes.push_back(kReasons[i].str() + listed(leftOut[i]));
    return std::move(result);
  }

  Verdict judgeForCompiler(const Arg &arg) const {
    const Verdict verdict = judge(arg);
    if (compiler == CompilerKind::Clang || arg.getOption().getKind() == Option::InputClass)
      return verdict;
    return judgeForGcc(asWritten(arg).getAsString(arguments), verdict == Verdict::Unknown).value_or(verdict);
  }

  /// gcc gets an alias as the user wrote it: the option that it stands for may be clang's alone.
  const Arg &asWritten(const Arg &arg) const {
    // NOLINTNEXTLINE(bugprone-return-const-ref-from-parameter): `arguments` owns both
    return compiler == CompilerKind::Gcc && arg.getAlias() ? *arg.getAlias() : arg;
  }

  void keep(const Arg &arg) {
    llvm::opt::ArgStringList rendered;
    if (arg.getOption().matches(OPT_include) || arg.getOption().matches(OPT_imacros))
      return keepHeader(arg.getOption().getPrefixedName(), arg.getValue());
    asWritten(arg).render(arguments, rendered);
    if (losesValue(asWritten(arg)) || llvm::any_of(llvm::drop_begin(rendered), looksLikeFlag) ||
        llvm::any_of(rendered, hasLineEnd))
      return leaveOut(Verdict::Unlisted, arg.getAsString(arguments));
    llvm::append_range(result.flags, rendered);
  }

  /// Behind -Xclang the header reaches clang's frontend directly. The driver would look for a precompiled one next to
  /// it (foo.h.pch), which may be another compiler's or out of date. The frontend has no --include=.
  void keepHeader(StringRef option, StringRef header) {
    if (looksLikeFlag(header) || hasLineEnd(header))
      return leaveOut(Verdict::Unlisted, (option + " " + header).str());
    if (compiler == CompilerKind::Gcc)
      llvm::append_values(result.flags, option.str(), header.str());
    else
      llvm::append_values(result.flags, "-Xclang", option.str(), "-Xclang", header.str());
  }

  /// -Wp,-DNAME is how some distributions define macros; the rest of -Wp, is about output. A -D without a name would
  /// take the flag after it for one.
  void addPreprocessorArguments(const Arg &arg) {
    for (StringRef value : arg.getValues()) {
      StringRef name = value;
      const bool isMacro = name.consume_front("-D") || name.consume_front("-U");
      if (isMacro && !name.empty() && !looksLikeFlag(name) && !hasLineEnd(name))
        result.flags.push_back(value.str());
      else
        leaveOut(Verdict::Expected, value.str());
    }
  }

  /// Of -Xclang, only a header passes: CMake includes the one of a precompiled header this way.
  void addFrontendArgument(const Arg &arg) {
    const StringRef value = arg.getValue();
    if (followsInclude && !looksLikeFlag(value))
      keepHeader("-include", value);
    else if (value != "-include")
      leaveOut(Verdict::LoadsCode, arg.getAsString(arguments));
    followsInclude = value == "-include";
  }

  void leaveOut(Verdict verdict, std::string written) {
    leftOut[static_cast<size_t>(verdict)].push_back(std::move(written));
  }
};

} // namespace

std::string refusedNote(const std::vector<std::string> &flags) {
  return kReasons[static_cast<size_t>(Verdict::Refused)].str() + listed(flags);
}

SafeFlags selectSafeFlags(const std::vector<std::string> &arguments, CompilerKind compiler, MayLoad mayLoad) {
  const llvm::opt::InputArgList parsed = parseFlags(arguments);
  Selection selection{parsed, compiler, mayLoad};
  for (const Arg *arg : parsed)
    selection.add(*arg);
  return selection.finish();
}

} // namespace analysis
