// A run against an earlier one: which regions became slower.
//
// A region is the earlier one of the same file, compiled by the same of its commands, with the same name, kind and,
// among several of these, the same place in their order; what is left over then is matched with the line numbers in the
// names left out, as lines move. Two files with another target are not compared.
#pragma once

#include "lsp/check/check_document.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace lsp::features {

class Baseline {
public:
  /// A region that takes more than `percent` more cycles per iteration counts as slower.
  Baseline(protocol::CheckDocument document, double percent);

  /// Tells each region its cycles in the baseline, and adds a finding (`slower-than-baseline`) for each that became
  /// slower. What an earlier comparison said is replaced.
  void compare(protocol::CheckFile &file) const;

  /// Why a comparison of these files, all of a run, is worth nothing: no region of theirs is in the baseline for the
  /// same target. Empty when one is. Of a shard, files that have no region in common with it prove nothing, as the
  /// others' may: only files whose target is another one count.
  std::string whyNothingIsCompared(const std::vector<protocol::CheckFile> &files, bool isShard) const;

private:
  /// The name, the command, and whether it was compiled as a part of others.
  using Key = std::tuple<std::string, std::string, bool>;
  static Key keyOf(const protocol::CheckFile &file);

  std::multimap<Key, protocol::CheckFile> files_;
  double percent_;
};

} // namespace lsp::features
