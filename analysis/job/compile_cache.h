// The last outputs of the compiler, or that it reached a limit, for an analysis that asks something else of the same
// text: another document, another CPU, another comparison.
//
// The key is a hash of the request's text and of what chooses the command in it; that files on disk have not changed
// since is for the one who asks to know (AnalyzeRequest::reuseCompiled).
#pragma once

#include "analysis/compile/compile.h"

#include "llvm/Support/xxhash.h"

#include <list>
#include <memory>

namespace analysis {

class CompileCache {
public:
  using Key = llvm::XXH128_hash_t;
  struct Output {
    CompileCommand command;
    CompileResult result; ///< of a success, or of a run that reached a limit
  };
  using Entry = std::shared_ptr<const Output>;

  static Key keyOf(const wire::AnalyzeRequest &request);
  /// Null when it is not there.
  Entry find(const Key &key);
  /// Keeps the newest four, none with more than 64 MiB of assembly.
  void insert(const Key &key, Entry entry);

private:
  std::list<std::pair<Key, Entry>> entries_; // the most recently used first
};

} // namespace analysis
