// From a C or C++ file to the assembly that its own build would produce, and from assembly for the preprocessor to the
// text that the assembler would read.
//
// A compile command comes from a folder that someone opened, and that folder may be hostile. It chooses flags, but no
// program unless the user trusts it; flags that load code or write files are dropped, with a note.
#pragma once

#include "analysis/process/confinement.h"
#include "analysis/process/time_limit.h"
#include "analysis/wire/messages.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace analysis {

enum class CompilerKind : uint8_t { Clang, Gcc };

/// The command that lowers one file, ready to run: the compiler, the entry's safe flags, -S, line directives, no output
/// file.
struct CompileCommand {
  std::string directory;              ///< where it runs, absolute
  std::vector<std::string> arguments; ///< argv, the compiler first, the file last
  std::vector<std::string> launcher;  ///< argv before that: ccache and the like, if the build's own may run
  CompilerKind kind = CompilerKind::Clang;
  std::string compiledFile;          ///< the file itself, or a source that includes it
  std::string inferredFrom;          ///< the file whose flags these are; empty if the file has its own
  std::string origin;                ///< "build/compile_commands.json", "compile_flags.txt", "fallback: -O2 -std=c++20"
  bool fallback = false;             ///< nothing names this file: the flags are our own guess
  bool preprocesses = false;         ///< only the preprocessor runs, on assembly
  std::vector<std::string> readFrom; ///< databases, flags files and response files; absolute
  std::vector<std::string> notes;    ///< flags that were dropped, and why
  std::vector<std::string> variants; ///< names of the file's different commands (command_variants.h); empty if
                                     ///< there is only one
  std::string variant;               ///< the name of this one
  std::vector<std::string> quotable; ///< folders, links resolved: messages may quote the files below them, and the
                                     ///< compiled file
  std::optional<Confinement> confinement; ///< no value: the program of a trusted folder runs, or none is wanted
};

/// Options of findCompileCommand().
struct CommandQuery {
  bool variableLocations = false;     ///< have clang print the registers that variables are in
  bool reasons = false;               ///< have clang say why it did not optimize more, which takes it longer
  std::vector<std::string> openFiles; ///< absolute paths of sources that may include the file
  std::string triple;                 ///< the target of assembly, which overrides the command's
  std::string fallbackTriple;         ///< the same for a file of any language without a command
  std::stop_token stop;               ///< ends the search among them
  std::string command;  ///< the name of the command (CompileCommand::variants); the first one if there is none of it
  bool confined = true; ///< as in wire::CompileLimits
  std::vector<std::string> addedFlags;   ///< after the command's, if they are safe
  std::vector<std::string> removedFlags; ///< of the command's, as they are written
};

/// The target as the compiler's driver understands the command.
struct CompiledTarget {
  std::string triple;
  std::string cpu;                   ///< the CPU whose instructions may be used, "x86-64" when nothing names one
  std::string tuneCpu;               ///< of -mtune; empty without it
  std::vector<std::string> features; ///< "+avx2"
  bool cpuNamed = false; ///< whether -march, -mcpu or -mtune names a CPU (rather than an architecture level)
  std::string namedBy;   ///< that flag, as written
  bool optimizes = true; ///< -O1 or more is in force, or the flags cannot be understood
};

/// An error.
struct CompilerDiagnostic {
  std::string path;    ///< absolute, otherwise as the compiler prints it
  uint32_t line = 0;   ///< 1-based, 0 if the message has none
  uint32_t column = 0; ///< 1-based, in bytes
  std::string message;
};

/// What the compiler reports that it did to a loop.
struct LoopRemark {
  enum class Kind : uint8_t { Vectorized, Interleaved, Unrolled, FullyUnrolled, LibraryCall, Deleted, NeverRuns };
  std::string path;    ///< absolute, otherwise as the compiler prints it
  uint32_t line = 0;   ///< 1-based
  uint32_t column = 0; ///< 1-based; clang counts bytes, gcc columns of the screen
  Kind kind = Kind::Vectorized;
  uint32_t width = 0; ///< elements of a vector, times vscale if `scalable`; with `vectorBytes` set, source iterations
                      ///< in one of the code
  bool scalable = false;    ///< the CPU determines the vectors' length
  uint32_t vectorBytes = 0; ///< of a vector; 0 if unknown (clang does not say)
  uint32_t interleave = 0;  ///< vectors or iterations side by side; 0 if unknown
  uint32_t unroll = 0;      ///< copies of the body; with FullyUnrolled all iterations; 0 if unknown
  std::string callee;       ///< of LibraryCall: "memset"; empty if the compiler does not say
};

/// A place that a remark names.
struct RemarkPlace {
  std::string path;    ///< absolute, otherwise as the compiler prints it; empty if there is no place
  uint32_t line = 0;   ///< 1-based
  uint32_t column = 0; ///< 1-based; clang counts bytes, gcc columns of the screen; 0 if unknown
  bool operator==(const RemarkPlace &) const = default;
};

/// Why a pass of the compiler did not do something, as its own record says.
struct MissedRemark {
  struct Argument {
    std::string key;   ///< "ClobberedBy"
    std::string value; ///< "store"
    RemarkPlace at;
    bool operator==(const Argument &) const = default;
  };
  std::string pass;                ///< "loop-vectorize"; of gcc "vect"
  std::string name;                ///< "CantReorderFPOps"; gcc has no names: the words before its message's colon
  std::string function;            ///< its symbol in the assembly; empty with gcc
  RemarkPlace at;                  ///< of an instruction, or of the loop's head
  std::string text;                ///< the compiler's words
  std::vector<Argument> arguments; ///< those that vary
  bool operator==(const MissedRemark &) const = default;
};

/// What a vectorizer decided about one loop of one function.
struct VectorizerDecision {
  std::string function; ///< its symbol in the assembly; empty with gcc
  RemarkPlace head;     ///< of clang the keyword of the loop's statement
  bool vectorized = false;
  std::vector<MissedRemark> reasons; ///< against it, in the order in which the vectorizer looked for them
};

struct CompileResult {
  bool succeeded = false;
  bool cancelled = false;
  bool reachedLimit = false; ///< the same input would reach it again
  bool usedPreamble = false; ///< its headers were compiled in advance (preambles.h)
  std::string assembly;
  std::vector<CompilerDiagnostic> diagnostics; ///< errors alone: clangd shows the warnings
  std::vector<LoopRemark> remarks; ///< if it succeeded, in the compiler's order, headers included; at most 20,000
  std::vector<VectorizerDecision> decisions; ///< likewise
  std::vector<MissedRemark> missed; ///< likewise, of other passes: what keeps code in a loop (optimization_record.h)
  bool remarksMissing = false;      ///< the compiler crashed unless it ran without them
  bool hasReasons = false;          ///< `decisions` and `missed` are all that the compiler says
  std::string failure;              ///< why it did not succeed, if no diagnostic says so
  uint64_t micros = 0;              ///< wall time
  uint64_t plainMicros = 0;         ///< with `usedPreamble`: what it took without, when the preamble was made
};

/// Adds flags to a command of clang, after those that it has.
void addClangFlags(CompileCommand &command, const std::vector<std::string> &flags);

/// Looks for the file's entry, in this order:
/// 1. in compile_commands.json, in `settings.compileCommandsDir` or else in each folder upward and its `build/`;
/// 2. that of an open source that includes it;
/// 3. in compile_flags.txt, upward;
/// 4. that of a source of the nearest database that includes it;
/// 5. that of the closest file in that database;
/// 6. the fallback.
/// With 2 and 4 the file is compiled as a part of that source. To find out what a source includes, clang's preprocessor
/// runs on at most 17 sources, for at most 10 s of processor time: those whose text names the file, directly or by way
/// of another one, and for a header also the closest one and open ones.
CompileCommand findCompileCommand(const std::string &path, wire::Language language, const wire::Settings &settings,
                                  const CommandQuery &query = {});

/// The target that clang's driver derives from -march, -mcpu, --target and the like, also for gcc's flags. Runs no
/// process.
CompiledTarget targetOf(const CompileCommand &command);

/// The words in place of those of an error in the file, which may quote it, if that must not be shown
/// (CompileCommand::quotable); else empty. `file` is as the compiler names it.
std::string wordsInPlaceOfQuote(const CompileCommand &command, const std::string &file);

/// Whether the discriminators in its assembly's line directives hold duplication factors (regions/duplication.h).
bool tellsDuplication(const CompileCommand &command);

/// The text of a file as the editor has it.
struct UnsavedText {
  std::string path; ///< absolute
  std::string text;
};

/// Whether compile() accepts an unsaved text with the command: gcc has no virtual files.
bool compilesUnsavedText(const CompileCommand &command);

class PrewarmedCompiler;

/// Runs the command, in the process that is `ready` if that serves it. When `stop` is requested, the compiler and all
/// that it started are killed. The compiler reads `unsaved`, if there is one, in place of its file.
CompileResult compile(const CompileCommand &command, const std::stop_token &stop, const UnsavedText *unsaved = nullptr,
                      PrewarmedCompiler *ready = nullptr, const wire::CompileLimits &limits = {});

} // namespace analysis
