// Calls of a function in a child that can do nothing but compute (child.h). Their arrays are the child's shared cells.
#pragma once

#include "mca-core/measure/child.h"
#include "mca-core/measure/harness.h"
#include "mca-core/measure/same/linked_text.h"

#include <span>
#include <variant>
#include <vector>

namespace mca::measure {

struct CallArguments {
  static constexpr size_t kNoCell = ~size_t{0};

  std::vector<uint64_t> words;   ///< integers and addresses in their order; at most 6 + CallRecord::kMaxStackWords
  std::vector<uint64_t> vectors; ///< what the low halves of xmm0 and so on hold; at most 8
  size_t dataCell = kNoCell;     ///< the cell with the variables' content, if the text has any
};

struct CallReturn {
  uint64_t integer = 0, vector = 0; ///< rax and the low half of xmm0
};

using CallResult = std::variant<CallReturn, CodeRefusal>;

/// Not thread-safe; one at a time exists in a process, and no CodeRunner beside it.
class CallRunner {
public:
  /// Fails where CodeRunner::create() does. `cells`: without the one that the runner itself needs.
  static Result<CallRunner> create(SharedCells cells);

  size_t cellCount() const { return memory_.cells().count - 1; }
  /// The same address in the child.
  std::span<uint8_t> cell(size_t index) const;

  /// Makes the calls one after the other, up to the first one that ends as a refusal, or as many as one child can make.
  /// Returns at least one result. `limit`: processor time of each.
  std::vector<CallResult> run(const LinkedText &text, std::span<const CallArguments> calls,
                              std::chrono::milliseconds limit);

private:
  explicit CallRunner(ChildMemory memory) : memory_(std::move(memory)), wrapper_(harness()) {}
  CallRecord *records() const;
  void write(CallRecord &record, const LinkedText &text, const CallArguments &call) const;

  ChildMemory memory_;
  Harness wrapper_;
  size_t codeBytes_ = 0; ///< of Image::code that hold code
};

} // namespace mca::measure
