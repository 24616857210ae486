// What a finished analysis says, at its places in the present text of a document.
//
// Of assembly it comes in parts, a line's regions each. What no edit has touched stays right when the document is
// analysed again, so the worker only tells the other parts anew, and merge() puts old and new together.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/workspace/line_edit.h"
#include "lsp/workspace/text.h"

#include <vector>

namespace lsp {

/// Which items of an analysis are one part's.
struct KnownPart {
  uint64_t id = 0;                ///< analysis::wire::Part::id
  uint32_t line = 0;              ///< of its first line, when it was analysed
  analysis::wire::ByteRange text; ///< its lines
  bool intact = true;             ///< none of them was changed
  // How many items it has.
  uint32_t hints = 0;
  uint32_t findings = 0;
  uint32_t hovers = 0;
  uint32_t regions = 0;
};

/// Of a region that was edited, an instruction whose lines were changed has an empty place; RegionSummary::line is that
/// of the analysed text.
struct Analysis {
  std::vector<analysis::wire::Hint> hints;
  std::vector<analysis::wire::Finding> findings;
  std::vector<analysis::wire::Hover> hovers;
  std::vector<analysis::wire::RegionSummary> regions;
  analysis::wire::TargetSummary target;
  analysis::wire::Coverage coverage;
  /// Their items stand at the ends of the vectors, in this order.
  std::vector<KnownPart> parts;

  void move(const LineEdit &edit);
  /// Moves what points outside of a text of this size, and drops what points outside of a region's instructions.
  void clampTo(uint32_t size);
  void add(analysis::wire::Part part);
  /// The parts that stand where and as they were analysed.
  std::vector<uint64_t> intactParts(const Text &text) const;
};

/// `now`, with those of `parts` that are kept taken from `before`, in the order of `parts`; the others are in `now`
/// already.
Analysis merge(Analysis before, Analysis now, const std::vector<analysis::wire::Part> &parts);

} // namespace lsp
