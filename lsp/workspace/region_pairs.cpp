// The paths through a loop are paired after their loops: a path that comes or goes must not shift the paths of the next
// loop in the function. Aligning two lists takes n log n steps, because a function may have any number of loops.
#include "lsp/workspace/region_pairs.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace lsp {
namespace {

using analysis::wire::RegionKind;

bool isDigit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Whether a number after this text changes when something else in the file does: a line, or the number that compilers
/// give lambdas, unnamed types, blocks, and copies of functions (`f.constprop.0`, `main._omp_fn.1`).
bool precedesOrdinal(std::string_view text) {
  static constexpr std::string_view kBefore[] = {
      "at line ", "$_",     "'lambda",    "'unnamed",  "#",      "block_invoke_", ".isra.",     ".constprop.",
      ".part.",   ".llvm.", ".lto_priv.", "._omp_fn.", ".cold.", ".clone.",       "_outlined.", "_var_init."};
  return std::ranges::any_of(kBefore, [&](std::string_view before) { return text.ends_with(before); });
}

std::string withoutOrdinals(std::string_view name) {
  std::string result;
  for (size_t i = 0; i < name.size();) {
    const bool isOrdinal = isDigit(name[i]) && precedesOrdinal(result);
    while (isOrdinal && i < name.size() && isDigit(name[i]))
      ++i;
    if (!isOrdinal)
      result += name[i++];
  }
  return result;
}

/// The numbers in a text.
std::vector<uint64_t> numbersIn(std::string_view text) {
  std::vector<uint64_t> numbers;
  for (size_t i = 0; i < text.size(); ++i)
    if (isDigit(text[i])) {
      if (i == 0 || !isDigit(text[i - 1]))
        numbers.push_back(0);
      numbers.back() = numbers.back() * 10 + static_cast<uint64_t>(text[i] - '0');
    }
  return numbers;
}

/// FNV-1a.
uint64_t hashOf(std::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const unsigned char c : bytes)
    hash = (hash ^ c) * 0x100000001b3;
  return std::max<uint64_t>(hash, 1);
}

// ---- aligning ------------------------------------------------------------------------------------------------------

/// Evidence for each element of a list: equal keys mean the same element, and 0 that nothing is known.
using Keys = std::vector<uint64_t>;
/// Indices of partners in the old and in the new list.
using Pair = std::pair<size_t, size_t>;
using Pairs = std::vector<Pair>;

/// The longest part of the pairs, which are in the order of the old list, that is in the order of the new list, too.
Pairs longestInOrder(const Pairs &pairs) {
  std::vector<size_t> ends; // by length: the pair that ends a chain of it as early as possible
  std::vector<size_t> previous(pairs.size());
  for (size_t i = 0; i < pairs.size(); ++i) {
    const auto place =
        std::ranges::lower_bound(ends, pairs[i].second, {}, [&](size_t end) { return pairs[end].second; });
    previous[i] = place == ends.begin() ? pairs.size() : *(place - 1);
    if (place == ends.end())
      ends.push_back(i);
    else
      *place = i;
  }
  Pairs chain;
  for (size_t i = ends.empty() ? pairs.size() : ends.back(); i < pairs.size(); i = previous[i])
    chain.push_back(pairs[i]);
  std::ranges::reverse(chain);
  return chain;
}

/// The elements whose key occurs once in each list, in the order of the old list.
Pairs uniquePairs(const Keys &before, const Keys &now) {
  struct Places {
    size_t inBefore = 0, inNow = 0, before = 0, now = 0;
  };
  std::map<uint64_t, Places> places;
  for (size_t i = 0; i < before.size(); ++i) {
    Places &known = places[before[i]];
    ++known.inBefore;
    known.before = i;
  }
  for (size_t i = 0; i < now.size(); ++i) {
    Places &known = places[now[i]];
    ++known.inNow;
    known.now = i;
  }
  Pairs pairs;
  for (const auto &[key, known] : places)
    if (key != 0 && known.inBefore == 1 && known.inNow == 1)
      pairs.emplace_back(known.before, known.now);
  std::ranges::sort(pairs);
  return pairs;
}

/// Pairs of equal keys, in the order of both lists: those whose key occurs once, and the equal neighbours of these and
/// of the lists' ends.
Pairs align(const Keys &before, const Keys &now) {
  Pairs anchors = longestInOrder(uniquePairs(before, now)), aligned;
  anchors.emplace_back(before.size(), now.size());
  size_t nextBefore = 0, nextNow = 0;
  const auto isEqual = [&](size_t a, size_t b) { return before[a] == now[b] && before[a] != 0; };
  for (const auto &[endBefore, endNow] : anchors) {
    while (nextBefore < endBefore && nextNow < endNow && isEqual(nextBefore, nextNow))
      aligned.emplace_back(nextBefore++, nextNow++);
    size_t alike = 0;
    while (nextBefore + alike < endBefore && nextNow + alike < endNow &&
           isEqual(endBefore - alike - 1, endNow - alike - 1))
      ++alike;
    for (; alike > 0; --alike)
      aligned.emplace_back(endBefore - alike, endNow - alike);
    if (endBefore < before.size())
      aligned.emplace_back(endBefore, endNow);
    nextBefore = endBefore + 1;
    nextNow = endNow + 1;
  }
  return aligned;
}

// ---- loops ---------------------------------------------------------------------------------------------------------

/// A loop with its paths, or another region: regions [first, first + count) of the list.
struct Unit {
  size_t first = 0, count = 1;
  uint64_t code = 0, numbers = 0; ///< of all its paths, in any order; 0 if not all are known
  uint64_t position = 0;
};
using Units = std::vector<Unit>;

/// The loops of each name, in the order of the text.
std::map<std::string, Units> unitsOf(const std::vector<RegionIdentity> &regions) {
  std::map<std::string, std::vector<std::tuple<uint64_t, std::vector<uint64_t>, Unit>>> sorted;
  const auto hashOfAll = [&](const Unit &unit, uint64_t RegionIdentity::*member) {
    std::vector<uint64_t> all;
    for (size_t i = unit.first; i < unit.first + unit.count; ++i)
      all.push_back(regions[i].*member);
    std::ranges::sort(all);
    return all.front() == 0 ? 0 : hashOf({reinterpret_cast<const char *>(all.data()), all.size() * sizeof(uint64_t)});
  };
  for (size_t i = 0; i < regions.size();) {
    const RegionIdentity &first = regions[i];
    Unit unit{.first = i++, .position = first.position};
    while (!first.path.empty() && i < regions.size() && !regions[i].path.empty() && regions[i].loop == first.loop &&
           regions[i].name == first.name)
      unit.count = ++i - unit.first;
    unit.code = hashOfAll(unit, &RegionIdentity::code);
    unit.numbers = hashOfAll(unit, &RegionIdentity::numbers);
    // The author gave a marker its name, numbers included.
    const bool isMarker = first.kind == RegionKind::Marker;
    const RegionKind kind = first.kind == RegionKind::Path ? RegionKind::Loop : first.kind;
    const std::string key =
        std::to_string(static_cast<int>(kind)) + (isMarker ? first.name : withoutOrdinals(first.name));
    // Copies of one statement, which stand at the same place, are in the order of the calls that brought them in.
    sorted[key].emplace_back(first.position, numbersIn(first.name), unit);
  }
  std::map<std::string, Units> units;
  for (auto &[key, list] : sorted) {
    std::ranges::stable_sort(list, {}, [](const auto &one) { return std::tie(std::get<0>(one), std::get<1>(one)); });
    for (const auto &one : list)
      units[key].push_back(std::get<2>(one));
  }
  return units;
}

/// Pairs the loops of one name.
class LoopPairs {
public:
  LoopPairs(const Units &before, const Units &now) : before_(before), now_(now) {
    const auto isUnknown = [](const Unit &unit) { return unit.code == 0; };
    isCodeKnown_ = std::ranges::none_of(before, isUnknown) && std::ranges::none_of(now, isUnknown);
  }

  Pairs find() {
    std::vector<size_t> before(before_.size()), now(now_.size());
    for (size_t i = 0; i < before.size(); ++i)
      before[i] = i;
    for (size_t i = 0; i < now.size(); ++i)
      now[i] = i;
    const Pairs anchors = align(codesOf(before_, before), codesOf(now_, now));
    pairs_ = anchors;
    const Pairs moved = findMoved([&](const Unit &unit) { return codeOf(unit); });
    std::set<size_t> movedBefore, movedNow;
    for (const auto &[a, b] : moved) {
      movedBefore.insert(a);
      movedNow.insert(b);
    }
    std::erase_if(before, [&](size_t index) { return movedBefore.contains(index); });
    std::erase_if(now, [&](size_t index) { return movedNow.contains(index); });
    forEachGap(before, now, anchors, {}, Evidence::Numbers);
    findMoved(&Unit::numbers);
    return std::move(pairs_);
  }

private:
  enum class Evidence : uint8_t { Numbers, PositionFromAbove, PositionFromBelow, None };
  /// The paired loops around a gap, if there are any.
  struct Around {
    std::optional<Pair> above, below;
  };
  using Indices = std::vector<size_t>;

  uint64_t codeOf(const Unit &unit) const { return isCodeKnown_ ? unit.code : unit.numbers; }
  Keys codesOf(const Units &units, const Indices &of) const {
    Keys keys;
    for (const size_t index : of)
      keys.push_back(codeOf(units[index]));
    return keys;
  }

  /// Pairs the loops that are left and have equal keys, whatever has become of their order. Returns them.
  template <typename KeyOf>
  Pairs findMoved(const KeyOf &keyOf) {
    std::vector<bool> isPairedBefore(before_.size()), isPairedNow(now_.size());
    for (const auto &[a, b] : pairs_)
      isPairedBefore[a] = isPairedNow[b] = true;
    std::multimap<uint64_t, size_t> left; // those of equal keys stay in their order
    for (size_t i = 0; i < before_.size(); ++i)
      if (!isPairedBefore[i])
        left.emplace(std::invoke(keyOf, before_[i]), i);
    left.erase(0);
    Pairs moved;
    for (size_t i = 0; i < now_.size(); ++i) {
      const auto [first, last] = left.equal_range(std::invoke(keyOf, now_[i]));
      if (isPairedNow[i] || first == last)
        continue;
      moved.emplace_back(first->second, i);
      left.erase(first);
    }
    pairs_.insert(pairs_.end(), moved.begin(), moved.end());
    return moved;
  }

  /// Pairs the loops between paired ones. As many as before are the same ones in their order, whatever has changed in
  /// them; otherwise the next evidence decides.
  void pairGap(const Indices &before, const Indices &now, const Around &around, Evidence evidence) {
    if (before.size() == now.size())
      for (size_t i = 0; i < now.size(); ++i)
        pairs_.emplace_back(before[i], now[i]);
    if (before.empty() || now.empty() || before.size() == now.size() || evidence == Evidence::None)
      return;
    Pairs anchors;
    for (const auto &[a, b] : align(keysOf(before, true, around, evidence), keysOf(now, false, around, evidence)))
      anchors.emplace_back(before[a], now[b]);
    pairs_.insert(pairs_.end(), anchors.begin(), anchors.end());
    forEachGap(before, now, anchors, around, static_cast<Evidence>(static_cast<int>(evidence) + 1));
  }

  void forEachGap(const Indices &before, const Indices &now, const Pairs &anchors, Around around, Evidence evidence) {
    const std::optional<Pair> below = std::exchange(around.below, std::nullopt);
    auto nextBefore = before.begin(), nextNow = now.begin();
    for (size_t i = 0; i <= anchors.size(); ++i) {
      around.below = i < anchors.size() ? std::optional(anchors[i]) : below;
      const bool isLast = i == anchors.size();
      const auto endBefore = isLast ? before.end() : std::find(nextBefore, before.end(), anchors[i].first);
      const auto endNow = isLast ? now.end() : std::find(nextNow, now.end(), anchors[i].second);
      pairGap({nextBefore, endBefore}, {nextNow, endNow}, around, evidence);
      if (isLast)
        return;
      nextBefore = endBefore + 1;
      nextNow = endNow + 1;
      around.above = anchors[i];
    }
  }

  /// Distances from a paired neighbour are what an edit elsewhere leaves as it is.
  Keys keysOf(const Indices &loops, bool isBefore, const Around &around, Evidence evidence) const {
    const Units &units = isBefore ? before_ : now_;
    const std::optional<Pair> &neighbour = evidence == Evidence::PositionFromAbove ? around.above : around.below;
    Keys keys;
    for (const size_t index : loops)
      if (evidence == Evidence::Numbers) {
        keys.push_back(units[index].numbers);
      } else if (!neighbour) {
        keys.push_back(0);
      } else {
        const Unit &known = units[isBefore ? neighbour->first : neighbour->second];
        keys.push_back(std::max(units[index].position, known.position) -
                       std::min(units[index].position, known.position) + 1);
      }
    return keys;
  }

  const Units &before_, &now_;
  bool isCodeKnown_ = false;
  Pairs pairs_;
};

// ---- paths ---------------------------------------------------------------------------------------------------------

/// The paths of a loop, by the lines in their names.
std::vector<size_t> inOrderOfLines(const std::vector<RegionIdentity> &regions, const Unit &unit) {
  std::vector<size_t> indices;
  for (size_t i = unit.first; i < unit.first + unit.count; ++i)
    indices.push_back(i);
  const auto linesOf = [&](size_t index) { return std::pair(numbersIn(regions[index].path), regions[index].path); };
  std::ranges::stable_sort(indices, [&](size_t a, size_t b) { return linesOf(a) < linesOf(b); });
  return indices;
}

/// The words of a path and its lines, counted from the first one that a path of the loop names.
uint64_t relativeName(const std::string &path, uint64_t firstLine) {
  std::string name;
  for (const char c : path)
    if (!isDigit(c))
      name += c;
  for (const uint64_t line : numbersIn(path))
    name += " " + std::to_string(line - firstLine);
  return hashOf(name);
}

/// Pairs the paths of a loop: by their instructions, then by their lines, then in the order of these if there are as
/// many left as before.
class PathPairs {
public:
  PathPairs(const std::vector<RegionIdentity> &before, const std::vector<RegionIdentity> &now)
      : before_(before), now_(now) {}

  Pairs find(const Unit &unitBefore, const Unit &unitNow) {
    left_ = {inOrderOfLines(before_, unitBefore), inOrderOfLines(now_, unitNow)};
    pairEqual([&](const std::vector<RegionIdentity> &regions, size_t index) { return regions[index].code; });
    const uint64_t firstBefore = firstLine(before_, unitBefore), firstNow = firstLine(now_, unitNow);
    pairEqual([&](const std::vector<RegionIdentity> &regions, size_t index) {
      return relativeName(regions[index].path, &regions == &before_ ? firstBefore : firstNow);
    });
    if (left_.first.size() == left_.second.size())
      for (size_t i = 0; i < left_.first.size(); ++i)
        pairs_.emplace_back(left_.first[i], left_.second[i]);
    return std::move(pairs_);
  }

private:
  static uint64_t firstLine(const std::vector<RegionIdentity> &regions, const Unit &unit) {
    uint64_t first = UINT64_MAX;
    for (size_t i = unit.first; i < unit.first + unit.count; ++i)
      for (const uint64_t line : numbersIn(regions[i].path))
        first = std::min(first, line);
    return first;
  }

  template <typename KeyOf>
  void pairEqual(const KeyOf &keyOf) {
    std::multimap<uint64_t, size_t> known;
    std::set<size_t> paired;
    for (const size_t index : left_.first)
      known.emplace(keyOf(before_, index), index);
    std::erase_if(left_.second, [&](size_t index) {
      const uint64_t key = keyOf(now_, index);
      const auto found = known.lower_bound(key);
      if (key == 0 || found == known.end() || found->first != key)
        return false;
      pairs_.emplace_back(found->second, index);
      paired.insert(found->second);
      known.erase(found);
      return true;
    });
    std::erase_if(left_.first, [&](size_t index) { return paired.contains(index); });
  }

  const std::vector<RegionIdentity> &before_, &now_;
  std::pair<std::vector<size_t>, std::vector<size_t>> left_;
  Pairs pairs_;
};

} // namespace

uint64_t fingerprintOf(const std::vector<double> &numbers) {
  return hashOf({reinterpret_cast<const char *>(numbers.data()), numbers.size() * sizeof(double)});
}

std::vector<std::optional<size_t>> pairRegions(const std::vector<RegionIdentity> &before,
                                               const std::vector<RegionIdentity> &now) {
  std::vector<std::optional<size_t>> partners(now.size());
  const std::map<std::string, Units> unitsBefore = unitsOf(before), unitsNow = unitsOf(now);
  for (const auto &[key, units] : unitsNow) {
    const auto known = unitsBefore.find(key);
    if (known == unitsBefore.end())
      continue;
    for (const auto &[a, b] : LoopPairs(known->second, units).find())
      for (const auto &[pathBefore, pathNow] : PathPairs(before, now).find(known->second[a], units[b]))
        partners[pathNow] = pathBefore;
  }
  return partners;
}

} // namespace lsp
