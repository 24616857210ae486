// Folds the tokens of a trace while they arrive: what repeats is kept once, with its count.
//
// The end of the sequence is compared with what stands before it, for each period of up to kMaxPeriod items, and at the
// end of each call for the period of the call, however long. A folded group is an item itself, so loops in loops fold,
// too. So the memory of a loop's trace is that of its different ways.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace analysis {

/// How much of a text may still be written.
struct TextLimits {
  size_t bytes = 0; ///< of the whole text, which is appended to
  size_t nodes = 0; ///< tokens and groups that may be added; printing reduces it
};

class TokenFolder {
public:
  /// Adds a token: any number below 2^31.
  void add(uint32_t token);
  /// Tells that a call of the trace's function begins with the next token.
  void beginCall();
  /// Tells that it has ended with the last token.
  void endCall();

  bool isEmpty() const { return items_.empty(); }
  /// How many tokens were added.
  uint64_t tokens() const { return tokens_; }
  /// How many tokens and groups the folded text has.
  size_t size() const { return items_.size() + bodyItems_; }
  /// Appends the folded tokens, as a trace's text has them. Lines end inside parentheses only. If the limits do not
  /// allow all of them, appends the first ones, or nothing. Returns whether all were appended.
  bool print(const std::function<const std::string &(uint32_t token)> &nameOf, TextLimits &limits,
             std::string &out) const;

private:
  static constexpr size_t kMaxPeriod = 48;
  static constexpr uint32_t kBody = 1u << 31; ///< the item is a group: an index in `bodies_`

  struct Item {
    uint32_t what = 0;
    uint32_t depth = 0; ///< of groups in it
    uint64_t repeats = 1;
    bool operator==(const Item &) const = default;
  };
  struct ItemsHash {
    size_t operator()(const std::vector<Item> &items) const;
  };
  class Printer;

  void fold();
  bool foldPeriod(size_t period);
  bool repeatsBefore(size_t period) const;
  uint32_t intern(size_t period);

  std::vector<Item> items_;
  std::unordered_map<std::vector<Item>, uint32_t, ItemsHash> indices_;
  std::vector<const std::vector<Item> *> bodies_; ///< the keys of `indices_`
  size_t bodyItems_ = 0;
  uint64_t tokens_ = 0;
  size_t callBegin_ = 0; ///< index of the first item of the current call
};

} // namespace analysis
