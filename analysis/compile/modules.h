// C++20 modules. A file that imports one is compiled with the file that the build made of it (clang's .pcm), which the
// compile command names. Here nothing reads such a file: clang does, confined, and refuses one of another version, with
// other flags, or older than its source. What is refused or missing becomes one error at the import that says what to
// do, in place of the errors that follow from it.
#pragma once

#include "analysis/compile/compile.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace analysis {

/// Whether the name is that of a module's source (.cppm, .ixx).
bool isModuleSource(const std::string &file);

/// Whether the command's compiler loads the files of modules.
bool loadsModules(const CompileCommand &command);

/// The files of modules that the command names, and those in the folders that it names; absolute.
std::vector<std::string> moduleFilesOf(const CompileCommand &command);

/// If the compiler's errors are about an import or the declaration of a module: the one in their place. `text` is that
/// of the file `path`.
std::optional<CompilerDiagnostic> moduleErrorOf(const std::vector<CompilerDiagnostic> &errors,
                                                const CompileCommand &command, const std::string &path,
                                                std::string_view text);

/// The same for a module whose source has been written after the file that the command names for it: clang compares
/// their sizes alone. `sources` are the files whose code the command's output has; absolute.
std::optional<CompilerDiagnostic> oldModuleErrorOf(const std::vector<std::string> &sources,
                                                   const CompileCommand &command, const std::string &path,
                                                   std::string_view text);

} // namespace analysis
