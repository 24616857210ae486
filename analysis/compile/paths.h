// Names of files and programs, as compile commands write them and as the system finds them.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace analysis {

/// The file that `name` means in `directory`, without "." and ".." in its path. Links are not followed.
std::string absolutePath(llvm::StringRef name, llvm::StringRef directory);

/// What the path leads to, without links; the path itself if nothing is there.
std::string resolveLinks(const std::string &path);

/// Whether both absolute names lead to one file. Names that differ in their last part are taken for different files.
bool isSameFile(const std::string &a, const std::string &b);

/// Whether the file is the folder, or lies below it by its name. Neither path ends in a slash.
bool isWithin(llvm::StringRef folder, llvm::StringRef file);

/// The program of this name in PATH; the name itself if there is none. Relative folders of PATH are skipped: with them,
/// the directory that we run in would choose the program.
std::string findInPath(const std::string &name);

} // namespace analysis
