// Loops of one statement in one function form a family. Its members' factors follow from the compiler's remarks, if
// only one choice fits how far each of them moves; a choice between several would be a guess, and none is made.
#include "analysis/regions/source_iterations.h"

#include "analysis/regions/induction.h"
#include "analysis/regions/vector_use.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace analysis {
namespace {

/// What the compiler's remarks say that it made of the loop at one place.
struct Transformations {
  /// Iterations that one may do, and whether vectors do them.
  std::map<uint32_t, bool> factors{{1, false}};
  std::set<uint32_t> unrolls{1};
  size_t vectorLoops = 0;                    ///< loops that gcc vectorized by an unreported factor
  std::multimap<uint32_t, uint32_t> vectors; ///< those of which it did: the bytes of a vector, the iterations
  bool unknown = false;                      ///< by an unreported factor
  bool isGone = false;                       ///< one version of the loop has become straight code
  bool any() const { return factors.size() > 1 || unknown || vectorLoops || !vectors.empty(); }
};

/// Iterations of the source that one of the machine code does, by member of a family; empty if they are unknown.
using Factors = std::vector<uint32_t>;

/// The loops that one statement became in one function.
struct Family {
  struct Member {
    std::vector<Region *> paths;
    uint64_t advance = 0;     ///< as in Advance; 0 if unknown, or not the same on all paths
    bool ofMemory = false;    ///< likewise
    uint32_t width = 0;       ///< bytes of the widest access that moves; 0 if unknown
    uint32_t duplication = 0; ///< as in Region
    VectorUse vectors = VectorUse::None;
  };
  std::vector<Member> members;
  bool sharesPlace = false; ///< whether another function's or call's loop has the same place, and perhaps the remark
};

/// Whether a remark is about a loop whose head stands among these lines.
bool isAt(const LoopRemark &remark, const CodeLines &code) {
  return remark.line >= code.firstLine && remark.line <= code.lastLine &&
         llvm::sys::path::filename(remark.path) == llvm::sys::path::filename(code.file);
}

/// A vector body may be unrolled in turn, and so may the loop that is left: each product of a vectorization and an
/// unrolling is possible. Vectors without a reported length or factor leave the factor open.
Transformations transformationsOf(const Region &region, std::span<const LoopRemark> remarks) {
  Transformations made;
  std::map<uint32_t, bool> bodies; // iterations side by side, and whether in vectors
  for (const LoopRemark &remark : remarks) {
    if (!isAt(remark, region.code))
      continue;
    using Kind = LoopRemark::Kind;
    if (remark.kind == Kind::FullyUnrolled) {
      made.isGone = true;
    } else if (remark.kind == Kind::Unrolled) {
      made.unknown |= remark.unroll == 0;
      made.unrolls.insert(std::max(remark.unroll, 1u));
    } else if (remark.kind == Kind::Vectorized || remark.kind == Kind::Interleaved) {
      made.unknown |= remark.scalable;
      if (remark.vectorBytes && remark.width)
        made.vectors.emplace(remark.vectorBytes, remark.width);
      made.vectorLoops += remark.vectorBytes && !remark.width;
      if (!remark.scalable && !remark.vectorBytes)
        bodies[std::max(remark.width, 1u) * std::max(remark.interleave, 1u)] |= remark.kind == Kind::Vectorized;
    }
  }
  for (const uint32_t unroll : made.unrolls) {
    made.factors.try_emplace(unroll, false);
    for (const auto &[body, isVector] : bodies)
      made.factors[body * unroll] |= isVector;
    for (const auto &[bytes, iterations] : made.vectors)
      made.factors[iterations * unroll] = true;
  }
  return made;
}

/// Whether the compiler says that it unrolled or vectorized a loop around this one.
bool isTransformedAround(const Family &family, std::span<const LoopRemark> remarks) {
  const Region &region = *family.members.front().paths.front();
  return llvm::any_of(remarks, [&](const LoopRemark &remark) {
    return remark.kind <= LoopRemark::Kind::FullyUnrolled &&
           llvm::any_of(region.around, [&](const CodeLines &head) { return isAt(remark, head); });
  });
}

/// If a loop around this one was unrolled, clang's counts include the copies that this made of the whole loop, in all
/// of its versions. A count that all have in common is the loop's own only if a remark says so, too.
void judgeCommonCopies(Family &family, Transformations &made, std::span<const LoopRemark> remarks) {
  uint32_t common = 0, most = 0;
  for (const Family::Member &member : family.members) {
    common = std::gcd(common, member.duplication);
    most = std::max(most, member.duplication);
  }
  if (common <= 1)
    return;
  if (isTransformedAround(family, remarks))
    for (Family::Member &member : family.members)
      member.duplication = 0;
  else
    made.unknown |= !made.factors.contains(most);
}

/// Whether the factors are those that clang counts, as far as it does.
bool agrees(const Family &family, const Factors &factors) {
  return llvm::all_of(llvm::zip(family.members, factors), [](const auto &one) {
    const auto &[member, factor] = one;
    return !member.duplication || member.duplication == factor;
  });
}

/// The copies that clang counts, if it does so for all members and they move accordingly.
Factors byDuplication(const Family &family) {
  Factors factors;
  const Family::Member *moving = nullptr;
  for (const Family::Member &member : family.members) {
    if (moving && member.advance && member.advance * moving->duplication != moving->advance * member.duplication)
      return {};
    if (member.advance)
      moving = &member;
    factors.push_back(member.duplication);
  }
  return llvm::is_contained(factors, 0u) ? Factors() : factors;
}

using IsPossible = llvm::function_ref<bool(const Family::Member &, uint32_t factor)>;

/// The factors if one iteration of the source moves by `stride`; none unless they are whole and possible.
Factors factorsAt(uint64_t stride, const Family &family, IsPossible isPossible) {
  Factors factors;
  for (const Family::Member &member : family.members) {
    if (!stride || !member.advance || member.advance % stride)
      return {};
    factors.push_back(static_cast<uint32_t>(member.advance / stride));
    if (!isPossible(member, factors.back()))
      return {};
  }
  return factors;
}

/// Two choices contradict each other.
Factors onlyOne(const std::vector<Factors> &choices) {
  return choices.size() == 1 ? choices.front() : Factors();
}

/// The factors that a member may have if gcc reported the vectors: accesses of a vector's width are that vector's.
/// Accesses no wider than a number may be those of single numbers, or of a vector's elements one after the other, which
/// do not overlap. Others were put together or taken apart, and say nothing.
std::set<uint32_t> candidatesOf(const Family::Member &member, const Transformations &made) {
  std::set<uint32_t> candidates;
  const bool isNarrow = member.width && member.width <= sizeof(uint64_t);
  for (const auto &[bytes, iterations] : made.vectors)
    for (const uint32_t unroll : made.unrolls) {
      const uint32_t factor = iterations * unroll;
      if (bytes == member.width || (isNarrow && uint64_t{member.width} * factor <= member.advance))
        candidates.insert(factor);
    }
  if (isNarrow)
    candidates.insert(made.unrolls.begin(), made.unrolls.end());
  return candidates;
}

/// The one choice among the candidates under which all members move equally far for one iteration of the source.
Factors byWidth(const Family &family, const Transformations &made) {
  const Family::Member &first = family.members.front();
  std::vector<Factors> choices;
  for (const uint32_t factor : candidatesOf(first, made)) {
    Factors factors =
        factorsAt(first.advance % factor ? 0 : first.advance / factor, family,
                  [&](const auto &member, uint32_t own) { return candidatesOf(member, made).contains(own); });
    if (!factors.empty())
      choices.push_back(std::move(factors));
  }
  return onlyOne(choices);
}

/// gcc reports the bytes of a vector, not its elements. It does not unroll by itself: with more loops than vectorized
/// ones, the one that moves least does one iteration.
Factors byLeastAdvance(const Family &family, const Transformations &made) {
  if (family.members.size() <= made.vectorLoops)
    return {};
  const auto least = std::ranges::min(family.members, {}, &Family::Member::advance);
  return factorsAt(least.advance, family, [](const auto &, uint32_t) { return true; });
}

/// Whether one loop does the iterations that are left by another one, which does several at once.
bool hasRemainder(const Factors &factors) {
  return llvm::is_contained(factors, 1u) && !llvm::all_equal(factors);
}

/// The iterations that transformed loops leave are done by a loop that does one at a time, or there are none. Of two
/// loops one may also be the other's remainder and have been unrolled.
bool isPlausible(const Factors &factors) {
  return factors.size() <= 2 || hasRemainder(factors) || llvm::all_equal(factors);
}

/// The one choice of factors under which all members move equally far for one iteration of the source.
Factors byRemarks(const Family &family, const Transformations &made) {
  const Family::Member &first = family.members.front();
  const bool alone = family.members.size() == 1 && !family.sharesPlace;
  std::vector<Factors> choices;
  for (const auto &[factor, isVector] : made.factors) {
    if (alone && factor == 1)
      continue; // it was transformed, and there is no other
    if (alone && !first.advance) {
      choices.push_back({factor});
      continue;
    }
    Factors factors = factorsAt(first.advance % factor ? 0 : first.advance / factor, family,
                                [&](const auto &, uint32_t own) { return made.factors.contains(own); });
    if (!factors.empty() && isPlausible(factors))
      choices.push_back(std::move(factors));
  }
  // Of several choices one that leaves a remainder, and has a vector body if the compiler reported vectors.
  const bool reportsVectors = llvm::any_of(made.factors, [](const auto &factor) { return factor.second; });
  if (choices.size() > 1)
    llvm::erase_if(choices, [&](const Factors &factors) {
      const bool hasVectors = llvm::any_of(factors, [&](uint32_t factor) { return made.factors.at(factor); });
      return !hasRemainder(factors) || (reportsVectors && !hasVectors);
    });
  return onlyOne(choices);
}

/// clang may vectorize the iterations that its vector body leaves once more, with shorter vectors, and does not report
/// it. Of three loops or more, no two of which are alike, the one that moves least then does one iteration, and the one
/// that moves farthest as many as reported.
Factors byVectorBody(const Family &family, const Transformations &made) {
  const auto [widest, isVector] = *made.factors.rbegin();
  if (family.members.size() < 3 || made.factors.size() != 2 || !isVector)
    return {};
  std::set<uint64_t> advances;
  for (const Family::Member &member : family.members)
    advances.insert(member.advance);
  if (advances.size() != family.members.size() || *advances.rbegin() != *advances.begin() * widest)
    return {};
  return factorsAt(*advances.begin(), family,
                   [most = widest](const auto &, uint32_t factor) { return most % factor == 0; });
}

/// Whether a member with this factor is a vector body: the compiler may have made vectors of that factor, and of the
/// members with it none uses them more. (The loop for arrays that overlap may do as many iterations at once. clang does
/// not report shorter vectors for what its vector body leaves, which may do as many as a reported unrolling, too.)
bool isVectorBody(size_t index, const Family &family, const Transformations &made, const Factors &factors) {
  const VectorUse own = family.members[index].vectors;
  const auto known = made.factors.find(factors[index]);
  const bool reportsVectors = llvm::any_of(made.factors, [](const auto &factor) { return factor.second; });
  const bool isReported = made.vectorLoops || known == made.factors.end() || known->second;
  if (own == VectorUse::None || (!isReported && !(reportsVectors && own == VectorUse::Memory)))
    return false;
  return llvm::all_of(llvm::zip(family.members, factors), [&](const auto &one) {
    const auto &[member, factor] = one;
    return factor != factors[index] || member.vectors <= own;
  });
}

/// Says of each member what it does, or which one it is of several if the factors are unknown or all one.
void name(Family &family, const Transformations &made, const Factors &factors) {
  const bool isTransformed = llvm::any_of(factors, [](uint32_t factor) { return factor != 1; });
  for (size_t i = 0; i < family.members.size(); ++i) {
    const Family::Member &member = family.members[i];
    std::string variant;
    if (isTransformed && factors[i] == 1)
      variant = "remainder";
    else if (isTransformed)
      variant = (isVectorBody(i, family, made, factors) ? "vector body ×" : "unrolled ×") + std::to_string(factors[i]);
    else if (family.members.size() > 1)
      variant = "copy " + std::to_string(i + 1) + " of " + std::to_string(family.members.size());
    for (Region *region : member.paths) {
      region->variant = variant;
      region->sourceIterations = factors.empty() ? 0 : factors[i];
      if (factors.empty())
        region->caveats.push_back({.kind = wire::Caveat::Kind::UnknownIterations});
    }
  }
}

/// Steps of counters and movements of memory have no unit in common: a family has either.
void findAdvances(const mca::Target &target, const mca::Program &program, Family &family) {
  for (Family::Member &member : family.members) {
    const Advance advance = advanceOf(target, program, member.paths.front()->instructions);
    const bool isSame = llvm::all_of(
        member.paths, [&](const Region *path) { return advanceOf(target, program, path->instructions) == advance; });
    member.advance = isSame ? advance.distance : 0;
    member.ofMemory = isSame && advance.ofMemory;
    member.duplication = member.paths.front()->duplication;
    for (const Region *path : member.paths) {
      member.width = std::max(member.width, widestMoving(target, program, path->instructions));
      member.vectors = std::max(member.vectors, vectorUseOf(target, program, path->instructions));
    }
  }
  const bool ofMemory = llvm::any_of(family.members, [](const auto &member) { return member.ofMemory; });
  for (Family::Member &member : family.members)
    if (member.ofMemory != ofMemory)
      member.advance = 0;
}

/// clang's own counts come first. gcc reports its vectors with their iterations, or with their bytes alone. clang's
/// remarks come last: they name places and factors, but no loop of the machine code.
Factors factorsOf(const Family &family, const Transformations &made) {
  if (made.unknown)
    return {};
  if (Factors factors = byDuplication(family); !factors.empty())
    return factors;
  if (!made.vectors.empty() && !made.vectorLoops)
    return byWidth(family, made);
  if (made.vectorLoops)
    return byLeastAdvance(family, made);
  Factors factors = byRemarks(family, made);
  if (factors.empty())
    factors = byVectorBody(family, made);
  return agrees(family, factors) ? factors : Factors();
}

/// Sets the results of one family. If nothing was transformed, its members are copies that do one iteration each, such
/// as the two sides of an unswitched condition.
void solve(const mca::Target &target, const mca::Program &program, std::span<const LoopRemark> remarks,
           Family &family) {
  Transformations made = transformationsOf(*family.members.front().paths.front(), remarks);
  findAdvances(target, program, family);
  judgeCommonCopies(family, made, remarks);
  const auto &members = family.members;
  const bool isKnown = llvm::all_of(members, [](const Family::Member &one) { return one.duplication != 0; });
  const bool isCopied = llvm::any_of(members, [](const Family::Member &one) { return one.duplication > 1; });
  // No remark explains why one moves farther than another.
  made.unknown |= !made.any() && !isKnown && llvm::any_of(members, [&](const Family::Member &one) {
    return one.advance != members.front().advance;
  });
  // The loop that is left may hold several iterations of one around it.
  made.unknown |= !made.any() && !isKnown && made.isGone && isTransformedAround(family, remarks);
  name(family, made, made.any() || isCopied ? factorsOf(family, made) : Factors(members.size(), 1));
}

} // namespace

void findSourceIterations(const mca::Target &target, const mca::Program &program, std::span<const LoopRemark> remarks,
                          std::vector<Region> &regions) {
  // Loops of one statement in one function, through one inlined call, have the same name, anchor and code.
  llvm::MapVector<std::tuple<uint32_t, llvm::StringRef, llvm::StringRef, uint32_t, uint32_t>, Family> families;
  const Region *before = nullptr;
  for (Region &region : regions) {
    if (region.kind != wire::RegionKind::Loop && region.kind != wire::RegionKind::Path)
      continue;
    const uint32_t statement = region.code.isStatement ? region.code.firstLine : 0;
    Family &family = families[{region.anchor, region.name, region.code.file, statement, region.code.caller}];
    if (!before || before->loop != region.loop)
      family.members.emplace_back();
    family.members.back().paths.push_back(&region);
    before = &region;
  }
  // A macro or a template makes loops of several functions on the same lines, and a remark names no function.
  std::map<std::tuple<llvm::StringRef, uint32_t, uint32_t>, size_t> atPlace;
  const auto placeOf = [](const Family &family) {
    const CodeLines &code = family.members.front().paths.front()->code;
    return std::tuple(llvm::StringRef(code.file), code.firstLine, code.lastLine);
  };
  for (const auto &[key, family] : families)
    ++atPlace[placeOf(family)];
  for (auto &[key, family] : families) {
    family.sharesPlace = atPlace[placeOf(family)] > 1;
    solve(target, program, remarks, family);
  }
}

} // namespace analysis
