// From a C or C++ file to the assembly that its own build would make of it, and from assembly for the preprocessor to
// what the assembler would read.
//
// A compile command comes from a folder that someone opened, and that folder may be hostile: it chooses flags, never a
// program unless the user trusts it, and only flags that neither load code nor write files survive. What was dropped is
// said in `notes`.
#pragma once

#include "analysis/common/time_limit.h"
#include "analysis/wire/messages.h"

#include <cstdint>
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
  std::vector<std::string> launcher;  ///< argv before that: ccache and its like, where the build's own may run
  CompilerKind kind = CompilerKind::Clang;
  std::string
      compiledFile; ///< what is given to the compiler: the file itself, or for a header a source that includes it
  std::string inferredFrom;          ///< the file whose flags these are; empty when the file has its own
  std::string origin;                ///< "build/compile_commands.json", "compile_flags.txt", "fallback: -O2 -std=c++20"
  bool fallback = false;             ///< true when nothing names this file and the flags are our own guess
  bool preprocesses = false;         ///< of assembly: the preprocessor alone runs
  std::vector<std::string> notes;    ///< flags that were dropped, and why
  std::vector<std::string> variants; ///< names of the commands that make other code of the file (command_variants.h);
                                     ///< empty where there is only one
  std::string variant;               ///< the one of them that this is
};

/// What else is known about a file whose command is sought.
struct CommandQuery {
  bool vectorizerReasons = false;     ///< have clang say why it did not vectorize a loop
  std::vector<std::string> openFiles; ///< absolute paths of sources that may include the file, if it is a header
  std::string triple;                 ///< of assembly: the target, whatever the command says
  std::stop_token stop;               ///< ends the search for one that does
  std::string command;                ///< which of several commands (CompileCommand::variants); else the first
};

/// The target as the compiler's driver understands the command.
struct CompiledTarget {
  std::string triple;
  std::string cpu;                   ///< the CPU whose instructions may be used, "x86-64" when nothing names one
  std::string tuneCpu;               ///< of -mtune; empty when not given
  std::vector<std::string> features; ///< "+avx2"
  bool cpuNamed = false; ///< whether -march, -mcpu or -mtune names a CPU (rather than an architecture level)
  std::string namedBy;   ///< the flag that does, as written
  bool optimizes = true; ///< some -O of 1 or more is in force; also where the flags cannot be understood
};

struct CompilerDiagnostic {
  std::string path;    ///< as the compiler prints it, made absolute against the directory
  uint32_t line = 0;   ///< 1-based, 0 when it has none
  uint32_t column = 0; ///< 1-based, in bytes
  wire::Severity severity = wire::Severity::Error;
  std::string message;
};

/// What the compiler says it made of a loop.
struct LoopRemark {
  enum class Kind : uint8_t { Vectorized, Interleaved, Unrolled, FullyUnrolled, NotVectorized };
  std::string path;    ///< as the compiler prints it, made absolute against the directory
  uint32_t line = 0;   ///< 1-based
  uint32_t column = 0; ///< 1-based; clang counts bytes, gcc columns of the screen
  Kind kind = Kind::Vectorized;
  uint32_t width = 0;    ///< elements of a vector, times vscale when `scalable`; with `vectorBytes` iterations in one
  bool scalable = false; ///< the vectors are as long as the CPU has them
  uint32_t vectorBytes = 0; ///< of a vector; 0 when not told (clang)
  uint32_t interleave = 0;  ///< vectors or iterations side by side; 0 when not told
  uint32_t unroll = 0;      ///< copies of the body; of FullyUnrolled all iterations; 0 when not told
  std::string reason;       ///< of NotVectorized
};

struct CompileResult {
  bool succeeded = false;
  bool cancelled = false;
  bool reachedLimit = false; ///< of time or output: the same input would reach it again
  std::string assembly;
  std::vector<CompilerDiagnostic> diagnostics; ///< errors always; warnings not (clangd shows them already)
  std::vector<LoopRemark> remarks; ///< of a success, in the compiler's order, of headers too; at most 20,000
  bool remarksMissing = false;     ///< the compiler crashed with them and did without: nothing is known of loops
  std::string failure;             ///< why it did not succeed when no diagnostic says so
  uint64_t micros = 0;             ///< wall time
};

/// Looks for the file's entry: compile_commands.json in `settings.compileCommandsDir`, else in each folder from the
/// file's upward and in their `build/`; for a header then an open source that includes it; then compile_flags.txt
/// upward; then the closest file that the nearest database has; then the fallback. To learn what a source includes,
/// clang's preprocessor runs on at most 9 sources, for at most 10 s of processor time.
CompileCommand findCompileCommand(const std::string &path, wire::Language language, const wire::Settings &settings,
                                  const CommandQuery &query = {});

/// What the driver makes of -march, -mcpu, --target and their like; of gcc's flags what clang's driver would. Runs no
/// process.
CompiledTarget targetOf(const CompileCommand &command);

/// Whether the discriminators of its line directives hold duplication factors (regions/duplication.h).
bool tellsDuplication(const CompileCommand &command);

/// The text of a file as the editor has it.
struct UnsavedText {
  std::string path; ///< absolute
  std::string text;
};

/// Whether compile() can be given an unsaved text: gcc has no virtual files.
bool compilesUnsavedText(const CompileCommand &command);

class PrewarmedCompiler;

/// Runs the command; clang where one is `ready` for it. Ends early when `stop` is requested: the compiler and what it
/// started are killed. The compiler reads `unsaved`, if there is one, in place of its file. `time` is its limit, as
/// wire::TimeLimit counts.
CompileResult compile(const CompileCommand &command, std::stop_token stop, const UnsavedText *unsaved = nullptr,
                      PrewarmedCompiler *ready = nullptr, std::chrono::milliseconds time = wire::kCompileTime);

} // namespace analysis
