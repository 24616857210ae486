// The files that are compared, and how llvm-mca is told what they say of themselves.
//
// corpus/  files that both programs take: the same text goes to both.
// twins/   NAME.s with NAME.expanded.s: llvm-mca compares addresses of unrelated buffers when a marker meets a macro,
// so
//          what it prints is not even the same from run to run. It gets the text with the macros expanded by hand.
// misuse/  files that llvm-mca complains about.
#pragma once

#include "analysis/job/buffer_settings.h"

#include <ostream>
#include <string>
#include <vector>

namespace differential {

/// One comparison.
struct Case {
  std::string name;      ///< "x86/macros.s"
  std::string path;      ///< what our programs get
  std::string reference; ///< what llvm-mca gets
};

std::ostream &operator<<(std::ostream &out, const Case &testCase);

/// The name as GoogleTest takes it: letters, digits and underscores.
std::string identifier(std::string name);

/// All cases of corpus/ and twins/, in the order of their names.
std::vector<Case> comparedCases();
std::vector<Case> misuseCases();
/// The files of engine_cases/, in the order of their names.
std::vector<std::string> engineCaseFiles();

std::string readFile(const std::string &path);

/// -mtriple, -mcpu and -mattr as the file's `mca:` comment says. Asserts that it says so.
std::vector<std::string> targetOptions(const analysis::BufferSettings &settings);
analysis::BufferSettings settingsOf(const std::string &text);

/// The program's command line for a file.
std::vector<std::string> commandFor(const std::string &program, const std::string &path,
                                    const std::vector<std::string> &options);

/// Which comparison a known difference belongs to.
enum class Path { Program, Editor, Both };

/// What is known to differ from llvm-mca: why, or null. The test then demands that it does differ, so that a repair
/// takes its line off the list.
const char *knownDifference(Path path, const std::string &name);

} // namespace differential
