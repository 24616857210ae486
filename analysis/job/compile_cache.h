// The last outputs of the compiler, or its failure to stay within a limit. A later analysis of the same text uses them
// to show another document, CPU or comparison.
//
// The key covers the text and the settings that choose the command. It cannot know whether included files have changed
// on disk; the caller must (AnalyzeRequest::reuseCompiled).
#pragma once

#include "analysis/compile/compile.h"

#include "llvm/Support/xxhash.h"

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace analysis {

class CompileCache {
public:
  using Key = llvm::XXH128_hash_t;
  struct Output {
    CompileCommand command;
    CompileResult result;                           ///< of a success, or of a run that reached a limit
    bool forReasons = false;                        ///< the request was one with AnalyzeRequest::reasons
    std::optional<std::vector<std::string>> inputs; ///< job/inputs.h, if they were requested and are known
  };
  using Entry = std::shared_ptr<const Output>;

  /// The same for requests with and without reasons. `variableLocations`: whether the output says where variables are.
  static Key keyOf(const wire::AnalyzeRequest &request, bool variableLocations, const std::string &fallbackTriple);
  /// Null if there is none.
  Entry find(const Key &key);
  /// Keeps the newest four, none with more than 64 MiB of assembly.
  void insert(const Key &key, Entry entry);

private:
  std::list<std::pair<Key, Entry>> entries_; // the most recently used first
};

} // namespace analysis
