// A Ninja file that does a run of --check: an edge for each file, which lists what it read in a depfile, and a last one
// that merges them. So a run after an edit analyses what depends on it, and Ninja decides what that is.
//
// Results are those of the run without Ninja. Nothing here knows how a file is analysed: an edge starts this program
// for one file (check_unit.h), and the last one starts it with --merge.
#pragma once

#include "lsp/check/check_unit.h"

#include <string>
#include <vector>

namespace lsp {

/// Paths are absolute or relative to the folder that Ninja runs in, which is the one of the run.
struct NinjaFile {
  std::string path;
  std::string program;                  ///< mca-lsp
  std::vector<std::string> again;       ///< arguments that write this file again; the first three lists have no --check
  std::vector<std::string> unitOptions; ///< arguments for a file's analysis
  std::vector<std::string> mergeOptions; ///< arguments for the end, without --output
  std::string database;                  ///< the compile_commands.json
  std::string baseline;                  ///< of the merge; empty for none
  std::string result;                    ///< written by the last edge
  std::vector<CheckUnit> units;
};

/// The file's text, or why there is none.
struct NinjaText {
  std::string text;
  std::string error; ///< for the log, without a full stop; empty if there is a text
};
NinjaText ninjaText(const NinjaFile &file);

/// A rule of make: `target` depends on these files. With `isComplete` false, or if a file has a name that no rule can
/// hold, it also depends on a file that never is there, and so is always out of date. The syntax is the one that Ninja
/// reads.
std::string makeRule(const std::string &target, const std::vector<std::string> &files, bool isComplete);

/// The names in a response file: one a line, those with other than plain characters between single quotes, as Ninja
/// writes $in_newline.
std::vector<std::string> namesInResponseFile(std::string_view text);

} // namespace lsp
