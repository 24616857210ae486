// A run against an earlier one: which regions became slower.
//
// Two regions are the same if they are of the same file, compiled by the same of its commands, and are paired by
// workspace/region_pairs.h, which needs no lines. Files with another target are not compared.
#pragma once

#include "lsp/check/check_document.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace lsp {

class CheckBaseline {
public:
  /// `document`: that of the earlier run. A region that takes more than `percent` more cycles
  /// per iteration counts as slower.
  CheckBaseline(CheckDocument document, double percent);

  /// Sets the baseline of each region, and adds a finding (`slower-than-baseline`) for each that became slower.
  /// Replaces the results of an earlier comparison, which a shard's JSON has.
  void compare(CheckFile &file) const;

  /// Why the comparison of `files`, all of a run, proves nothing: none of their regions is in the baseline for the same
  /// target. Empty if one is. The baseline may have no region of a shard, whose files may have no loops: there only
  /// files that had another target are an error.
  std::string whyNothingIsCompared(const std::vector<CheckFile> &files, bool isShard) const;

private:
  /// The name, the command, and whether it was compiled as a part of others: a header with a command of its own may
  /// have two results, and each is compared with its like.
  using Key = std::tuple<std::string, std::string, bool>;
  static Key keyOf(const CheckFile &file);

  std::multimap<Key, CheckFile> files_;
  double percent_;
};

} // namespace lsp
