// llvm-mca on the listings of regions. It starts slowly, so that it gets the regions of many programs in one text. For
// the listings that say that a load waits for the store to its operand, it is mca that is run.
#pragma once

#include "tests/shown.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace sources {

class Reference {
public:
  /// `folder` takes the texts.
  explicit Reference(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Keeps the regions of a program.
  void add(const std::string &program, const analysis::Shown &result);
  /// What llvm-mca says otherwise of the regions kept. Empty when nothing differs.
  std::string differences() const;

private:
  /// What one run of llvm-mca is given.
  struct Batch {
    std::string text;
    std::vector<std::string> names; ///< of the regions, for the reader: "array_sum.c:4 loop in sum"
    std::vector<analysis::ShownRegion> regions;
  };
  using Options = std::vector<std::string>; ///< the program first

  std::string differences(const Options &options, const Batch &batch) const;

  std::filesystem::path folder_;
  std::map<Options, Batch> batches_;
};

} // namespace sources
