// The preambles of the sources that are edited, and when one is used.
//
// A preamble is made while the worker is idle, for each text that was compiled without one. Then the same text is
// compiled with it, once. It is used from then on only if the functions in the assembly are the same byte by byte and
// in the same order, line directives included, what is defined between them is the same in any order, and the compiler
// said the same of its optimizations. clang defines what it meets in the order in which it meets it, and some headers
// bring another order if they are precompiled.
//
// Whatever fails with a preamble is compiled again without, so errors, crashes and limits are those of the plain
// compile. Use it from one thread at a time.
#pragma once

#include "analysis/compile/compile.h"
#include "analysis/compile/preamble.h"
#include "analysis/compile/result_fingerprint.h"

#include <deque>
#include <list>
#include <memory>
#include <stop_token>
#include <string>

namespace analysis {

class Preambles {
public:
  /// `mostBytes`: on disk, of all preambles; the least recently used ones go. One of <ranges> has 8 MB, one of
  /// Eigen 20.
  explicit Preambles(uint64_t mostBytes = uint64_t{256} << 20) : mostBytes_(mostBytes) {}

  struct Source {
    const std::string &text;
    bool isSaved = true;                     ///< the file on disk has the same text
    std::vector<std::string> lastFlags = {}; ///< further flags, for what follows the front end
    wire::LentPreamble lent = {};            ///< used if there is no other; of this command and the top of the text
  };
  /// As compile(), of a command whose compiled file has this text.
  CompileResult compile(const CompileCommand &command, const Source &source, const std::stop_token &stop,
                        PrewarmedCompiler *ready, const wire::CompileLimits &limits);

  /// The preamble that compile() would use.
  wire::LentPreamble lend(const CompileCommand &command, const std::string &text);

  /// Notes that the text will be compiled again, so that make() makes its preamble. `result`: of compile(). Costs the
  /// user who waits for that no time.
  void want(const CompileCommand &command, const std::string &text, std::shared_ptr<const CompileResult> result);

  /// Makes the preambles of what is wanted, the newest first. A stop request ends it soon, and what is
  /// left is made by the next call.
  void make(const std::stop_token &stop, const wire::CompileLimits &limits);

  size_t count() const { return made_.size(); }

private:
  /// A text that was compiled without a preamble, and what came of it.
  struct Wanted {
    CompileCommand command;
    std::string text;
    size_t bytes = 0;
    uint64_t micros = 0;
    std::shared_ptr<const CompileResult> result; ///< null if there is its fingerprint
    Fingerprint fingerprint;
  };

  std::list<Preamble>::iterator find(const CompileCommand &command, const std::string &text, size_t bytes);
  static void reduce(Wanted &wanted);
  static Preamble::Made makeProven(const Wanted &wanted, const std::stop_token &stop,
                                   const wire::CompileLimits &limits);
  static Preamble::Made makeProven(const Wanted &wanted, Preamble::Templates templates, const std::stop_token &stop,
                                   const wire::CompileLimits &limits);
  void add(Preamble preamble);

  uint64_t mostBytes_;
  std::list<Preamble> made_;        ///< the most recently used first
  std::list<Wanted> wanted_;        ///< the newest first
  std::deque<Fingerprint> refused_; ///< of commands and preambles that are not tried again
};

} // namespace analysis
