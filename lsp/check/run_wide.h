// What a run of --check says of the set-up: findings and notes that several files share word for word ("name the CPU")
// are printed once, with the number of files that they are about. The JSON keeps them by file.
#pragma once

#include "lsp/check/check_document.h"

#include <cstddef>
#include <string>
#include <vector>

namespace lsp::protocol {

/// Whether a finding is about the set-up rather than about the code: a run prints it once.
bool isOfSetUp(const CheckFinding &finding);

/// A finding of the set-up, or a note.
struct RunWideLine {
  const CheckFile *first = nullptr; ///< of the files that it is about
  const CheckFile *last = nullptr;
  const CheckFinding *finding = nullptr; ///< null: a note
  const std::string *text = nullptr;     ///< the finding's message, or the note
  size_t files = 0;                      ///< that it is about
};

/// In the order of the files, those that are alike as one. The lines point into `files`.
std::vector<RunWideLine> runWideLines(const std::vector<CheckFile> &files);

} // namespace lsp::protocol
