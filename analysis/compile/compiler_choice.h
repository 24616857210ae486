// Which program lowers a file: our clang, the one that the user chose, or the build's own.
//
// A compile command comes from a folder that someone opened. The program that it names runs only if the user set
// mca.compiler to "project" and trusts the folder of the database, or allows the program by its path. Whether a program
// is clang or gcc follows from its name, as with clang's own driver: `--version` would already run it.
#pragma once

#include "analysis/compile/compile.h"

#include <optional>
#include <string>
#include <vector>

namespace analysis {

/// What the name of a compiler's driver says: aarch64-linux-gnu-g++ means C++ for AArch64.
struct DriverName {
  std::string targetFlag; ///< "--target=aarch64-linux-gnu"; empty when it names no target
  bool cxx = false;
  bool cl = false;
};

/// Reads the name as clang's driver reads its own.
DriverName parseDriverName(const std::string &program);

/// Whether the program is named like a C or C++ compiler of any kind: gcc, clang++-18, cc, clang-cl.
bool isCompilerName(const std::string &program);

/// The kind of a compiler named clang, clang++-18, gcc, aarch64-linux-gnu-g++-12 and their like; of cc and c++ by what
/// they are links to. No value for any other program.
std::optional<CompilerKind> kindOfCompiler(const std::string &program);

/// The major version in the name of a clang or of its installation, as clang-22 and llvm-22 have it; 0 when neither
/// does.
unsigned clangVersionOf(const std::string &program);

/// The program that an entry of a database names.
struct BuildProgram {
  std::string name;                  ///< as the entry has it; empty when the source of the flags names none
  std::string directory;             ///< the entry's
  std::string database;              ///< absolute path of the file that holds the entry
  std::string file;                  ///< absolute path of the file whose entry it is
  std::vector<std::string> launcher; ///< the words before it (wrappers.h), if LLVM's library leaves any
};

struct Compiler {
  std::string program; ///< an absolute path, or the name alone when it was not found
  CompilerKind kind = CompilerKind::Clang;
  std::vector<std::string> launcher; ///< the words before it in argv: the build's own, where that runs; else empty
};

/// The clang-22 in `ownFolder` (absolute or empty), as packages carry one beside the worker, else that of PATH; the
/// name alone if there is none.
std::string defaultCompiler(const std::string &ownFolder);

/// Whether the command runs the program that the build names, which the user has to have trusted.
bool isBuildsOwn(const CompileCommand &command, const wire::Settings &settings);

/// Adds a note when mca.compiler is "project" and another program is used.
Compiler chooseCompiler(const BuildProgram &build, const wire::Settings &settings, std::vector<std::string> &notes);

} // namespace analysis
