// The programs that were analysed last: of assembly buffers, so that an edit of a few instructions is parsed alone
// (mca::Program::update), and of a source whose headers come next. A program refers to its target: the cache belongs to
// one.
#pragma once

#include "mca-core/assembly/program.h"

#include <list>
#include <memory>
#include <string>
#include <utility>

namespace analysis {

class ProgramCache {
public:
  /// The program of a path, which is then no more here; null when there is none.
  std::unique_ptr<mca::Program> take(const std::string &path) {
    for (auto it = programs_.begin(); it != programs_.end(); ++it)
      if (it->first == path) {
        std::unique_ptr<mca::Program> program = std::move(it->second);
        programs_.erase(it);
        return program;
      }
    return nullptr;
  }

  /// Of the buffers that someone types in, one at a time. A program takes some 30 times its text.
  static constexpr size_t kMaxText = size_t{2} << 20;

  /// Keeps it unless its text is longer than `maxText` bytes.
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
