#include "analysis/import/token_folder.h"

#include "llvm/ADT/Hashing.h"

#include <algorithm>

namespace analysis {

size_t TokenFolder::ItemsHash::operator()(const std::vector<Item> &items) const {
  size_t hash = items.size();
  for (const Item &item : items)
    hash = llvm::hash_combine(hash, item.what, item.repeats);
  return hash;
}

void TokenFolder::add(uint32_t token) {
  items_.push_back({.what = token});
  ++tokens_;
  fold();
}

void TokenFolder::beginCall() {
  callBegin_ = items_.size();
}

void TokenFolder::endCall() {
  if (callBegin_ < items_.size() && foldPeriod(items_.size() - callBegin_))
    fold();
  callBegin_ = items_.size();
}

/// Folds the end of the sequence until nothing repeats any more: a fold may complete a repetition of groups.
void TokenFolder::fold() {
  for (size_t period = 1; period <= std::min(kMaxPeriod, items_.size() - 1);)
    period = foldPeriod(period) ? 1 : period + 1;
}

/// Folds the last `period` items into a group before them, or with the same items before them. Returns whether they
/// were folded.
bool TokenFolder::foldPeriod(size_t period) {
  constexpr uint32_t kMaxDepth = 32; // the format's limit is 64
  const size_t begin = items_.size() - period;
  if (begin == 0)
    return false;
  Item &before = items_[begin - 1];
  if (period == 1 && before.what == items_.back().what) {
    before.repeats += items_.back().repeats;
    items_.pop_back();
    return true;
  }
  if (period == 1)
    return false;
  const auto isBefore = [&](const std::vector<Item> &body) {
    return body.size() == period && std::equal(body.rbegin(), body.rend(), items_.rbegin());
  };
  if (before.what >= kBody && isBefore(*bodies_[before.what - kBody])) {
    ++before.repeats;
    items_.resize(begin);
    return true;
  }
  if (begin < period || !repeatsBefore(period))
    return false;
  uint32_t depth = 0;
  for (size_t i = begin; i < items_.size(); ++i)
    depth = std::max(depth, items_[i].depth);
  if (depth >= kMaxDepth)
    return false;
  const uint32_t body = intern(period);
  items_.resize(begin - period);
  items_.push_back({.what = kBody | body, .depth = depth + 1, .repeats = 2});
  return true;
}

bool TokenFolder::repeatsBefore(size_t period) const {
  // From the end: most differ in the last item already.
  return std::equal(items_.rbegin(), items_.rbegin() + static_cast<ptrdiff_t>(period),
                    items_.rbegin() + static_cast<ptrdiff_t>(period));
}

/// The index of the body that the last `period` items are.
uint32_t TokenFolder::intern(size_t period) {
  const auto [known, isNew] = indices_.try_emplace({items_.end() - static_cast<ptrdiff_t>(period), items_.end()},
                                                   static_cast<uint32_t>(bodies_.size()));
  if (isNew) {
    bodies_.push_back(&known->first);
    bodyItems_ += period;
  }
  return known->second;
}

// ---- the text ------------------------------------------------------------------------------------------------------

class TokenFolder::Printer {
public:
  Printer(const TokenFolder &folder, const std::function<const std::string &(uint32_t)> &nameOf, TextLimits &limits,
          std::string &out)
      : folder_(folder), nameOf_(nameOf), limits_(limits), out_(out), lineBegin_(out.rfind('\n') + 1) {}

  /// Prints what the limits allow. Returns whether that was all; if not, nothing may follow but the ends of groups.
  bool print(const std::vector<Item> &items) {
    for (size_t i = 0; i < items.size(); ++i) {
      const Item &item = items[i];
      const size_t before = out_.size();
      if (i > 0)
        separate();
      const size_t begin = out_.size();
      const bool isWhole =
          item.what < kBody ? printToken(item) : printGroup(*folder_.bodies_[item.what - kBody], item.repeats);
      if (out_.size() == begin)
        out_.resize(before);
      if (!isWhole)
        return false;
    }
    return true;
  }

  /// What is printed of a group that is not whole is the beginning of its first repetition.
  bool printGroup(const std::vector<Item> &items, uint64_t repeats) {
    if (!fits(1))
      return false;
    --limits_.nodes;
    out_ += '(';
    ++depth_;
    const size_t begin = out_.size();
    const bool isWhole = print(items);
    --depth_;
    if (out_.size() == begin) {
      out_.pop_back();
      return false;
    }
    out_ += ')';
    if (isWhole && repeats > 1)
      out_ += "x" + std::to_string(repeats);
    return isWhole;
  }

private:
  bool printToken(const Item &item) {
    const std::string &name = nameOf_(item.what);
    if (!fits(name.size()))
      return false;
    --limits_.nodes;
    out_ += name;
    if (item.repeats > 1)
      out_ += " x" + std::to_string(item.repeats);
    return true;
  }

  /// Whether a text and the ends of all open groups may follow.
  bool fits(size_t size) const {
    constexpr size_t kEnd = 24; // ` x` with the longest number, and the end of the line
    return limits_.nodes > 0 && out_.size() + size + kEnd * (depth_ + 1) <= limits_.bytes;
  }

  void separate() {
    constexpr size_t kWidth = 100;
    const bool ends = depth_ > 0 && out_.size() - lineBegin_ >= kWidth;
    out_ += ends ? '\n' : ' ';
    if (ends) {
      lineBegin_ = out_.size();
      out_ += "  ";
    }
  }

  const TokenFolder &folder_;
  const std::function<const std::string &(uint32_t)> &nameOf_;
  TextLimits &limits_;
  std::string &out_;
  size_t lineBegin_;
  size_t depth_ = 0;
};

bool TokenFolder::print(const std::function<const std::string &(uint32_t token)> &nameOf, TextLimits &limits,
                        std::string &out) const {
  constexpr size_t kOneLine = 12; // items
  Printer printer(*this, nameOf, limits, out);
  return items_.size() <= kOneLine ? printer.print(items_) : printer.printGroup(items_, /*repeats=*/1);
}

} // namespace analysis
