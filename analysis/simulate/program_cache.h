// The programs that were analysed last: those of assembly buffers, so that only edited instructions are parsed again
// (mca::Program::update), and that of a source whose headers are analysed next. A program refers to its target, so that
// a cache belongs to one target.
#pragma once

#include "mca-core/assembly/program.h"

#include "llvm/ADT/STLExtras.h"

#include <list>
#include <memory>
#include <string>
#include <utility>

namespace analysis {

class ProgramCache {
public:
  /// Removes and returns the program of a path; null if there is none.
  std::unique_ptr<mca::Program> take(const std::string &path) {
    const auto found = llvm::find_if(programs_, [&](const auto &kept) { return kept.first == path; });
    if (found == programs_.end())
      return nullptr;
    std::unique_ptr<mca::Program> program = std::move(found->second);
    programs_.erase(found);
    return program;
  }

  /// The longest text of a buffer that is kept, in bytes. A program has some 30 times the size of its text.
  static constexpr size_t kMaxText = size_t{2} << 20;

  /// Keeps the program, unless its text has more than `maxText` bytes. Drops the one that was kept for the longest
  /// time.
  void put(const std::string &path, std::unique_ptr<mca::Program> program, size_t maxText = kMaxText) {
    if (program->text().size() > maxText)
      return;
    programs_.emplace_front(path, std::move(program));
    if (programs_.size() > kMaxPrograms)
      programs_.pop_back();
  }

private:
  static constexpr size_t kMaxPrograms = 3;

  std::list<std::pair<std::string, std::unique_ptr<mca::Program>>> programs_;
};

} // namespace analysis
