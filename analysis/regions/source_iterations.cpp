#include "analysis/regions/source_iterations.h"

#include "analysis/regions/induction.h"

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

/// What was made of the loop at one place.
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

/// The loops that one statement became in one function: of each its regions, and how far it moves.
struct Family {
  struct Member {
    std::vector<Region *> paths;
    uint64_t advance = 0;     ///< 0 when not known, or not the same on all paths
    uint32_t width = 0;       ///< bytes of the widest access that moves; 0 when not known
    uint32_t duplication = 0; ///< as in Region
  };
  std::vector<Member> members;
  bool sharesPlace = false; ///< whether another function's or call's loop has the same place, and perhaps the remark
};

bool isAt(const LoopRemark &remark, const CodeLines &code) {
  return remark.line >= code.firstLine && remark.line <= code.lastLine &&
         llvm::sys::path::filename(remark.path) == llvm::sys::path::filename(code.file);
}

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

/// Whether the compiler says that it made several iterations of a loop around this one into one, or straight code of
/// it.
bool isTransformedAround(const Family &family, std::span<const LoopRemark> remarks) {
  const Region &region = *family.members.front().paths.front();
  return llvm::any_of(remarks, [&](const LoopRemark &remark) {
    return remark.kind != LoopRemark::Kind::NotVectorized &&
           llvm::any_of(region.around, [&](const CodeLines &head) { return isAt(remark, head); });
  });
}

/// Where a loop around this one was unrolled, clang counts the copies that were made of it as a whole, in all of its
/// versions. A count that all have in common is the loop's own only if a remark says so, too.
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

/// Whether the factors are what clang says of its copies, as far as it does.
bool agrees(const Family &family, const std::vector<uint32_t> &factors) {
  for (size_t i = 0; i < factors.size(); ++i)
    if (const uint32_t own = family.members[i].duplication; own && own != factors[i])
      return false;
  return true;
}

/// What clang says of its copies, where it does of all members and they move accordingly.
std::vector<uint32_t> byDuplication(const Family &family) {
  std::vector<uint32_t> factors;
  const Family::Member *moving = nullptr;
  for (const Family::Member &member : family.members) {
    if (moving && member.advance && member.advance * moving->duplication != moving->advance * member.duplication)
      return {};
    if (member.advance)
      moving = &member;
    factors.push_back(member.duplication);
  }
  return llvm::is_contained(factors, 0u) ? std::vector<uint32_t>() : factors;
}

/// What a member may do at once where gcc reported its vectors: accesses of a vector's width are that vector's.
/// Narrower ones may be those of single numbers, or of a vector's elements one after the other, which do not overlap.
/// Wider than a number, but no vector's, are accesses that were put together or taken apart.
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
std::vector<uint32_t> byWidth(const Family &family, const Transformations &made) {
  const Family::Member &first = family.members.front();
  std::vector<std::vector<uint32_t>> solutions;
  for (const uint32_t factor : candidatesOf(first, made)) {
    std::vector<uint32_t> factors;
    for (const Family::Member &member : family.members)
      for (const uint32_t own : candidatesOf(member, made))
        if (first.advance && first.advance % factor == 0 && member.advance == first.advance / factor * own)
          factors.push_back(own);
    if (factors.size() == family.members.size())
      solutions.push_back(std::move(factors));
  }
  return solutions.size() == 1 ? solutions.front() : std::vector<uint32_t>();
}

/// gcc reports the bytes of a vector, not its elements. It does not unroll by itself: with more loops than vectorized
/// ones, the one that moves least does one iteration.
std::vector<uint32_t> byLeastAdvance(const Family &family, const Transformations &made) {
  std::vector<uint32_t> factors;
  if (family.members.size() <= made.vectorLoops)
    return factors;
  uint64_t least = ~uint64_t{0};
  for (const Family::Member &member : family.members)
    least = std::min(least, member.advance);
  for (const Family::Member &member : family.members) {
    if (!least || member.advance % least)
      return {};
    factors.push_back(static_cast<uint32_t>(member.advance / least));
  }
  return factors;
}

/// Whether one loop does what another one, which does several iterations at once, leaves.
bool hasRemainder(const std::vector<uint32_t> &factors) {
  return llvm::is_contained(factors, 1u) && !llvm::all_equal(factors);
}

/// What transformed loops leave to do is left to a loop that does one iteration, or to none. Of two loops one may also
/// be the other's remainder and have been unrolled.
bool isPlausible(const std::vector<uint32_t> &factors) {
  return factors.size() <= 2 || hasRemainder(factors) || llvm::all_equal(factors);
}

/// The one choice of factors under which all members move equally far for one iteration of the source.
std::vector<uint32_t> byRemarks(const Family &family, const Transformations &made) {
  const Family::Member &first = family.members.front();
  const bool alone = family.members.size() == 1 && !family.sharesPlace;
  std::vector<std::vector<uint32_t>> solutions;
  for (const auto &[factor, isVector] : made.factors) {
    if (alone && factor == 1)
      continue; // it was transformed, and there is no other
    if (alone && !first.advance) {
      solutions.push_back({factor});
      continue;
    }
    if (!first.advance || first.advance % factor)
      continue;
    const uint64_t stride = first.advance / factor;
    std::vector<uint32_t> factors;
    for (const Family::Member &member : family.members)
      if (member.advance && member.advance % stride == 0 && made.factors.contains(member.advance / stride))
        factors.push_back(static_cast<uint32_t>(member.advance / stride));
    if (factors.size() == family.members.size() && isPlausible(factors))
      solutions.push_back(std::move(factors));
  }
  // Of several choices one that leaves a remainder, and has a vector body where the compiler reported vectors.
  const bool reportsVectors = llvm::any_of(made.factors, [](const auto &factor) { return factor.second; });
  if (solutions.size() > 1)
    llvm::erase_if(solutions, [&](const std::vector<uint32_t> &factors) {
      const bool hasVectors = llvm::any_of(factors, [&](uint32_t factor) { return made.factors.at(factor); });
      return !hasRemainder(factors) || (reportsVectors && !hasVectors);
    });
  return solutions.size() == 1 ? solutions.front() : std::vector<uint32_t>();
}

/// clang may vectorize what its vector body leaves once more, for fewer iterations, and does not report it: of three
/// loops or more, of which no two are alike, the one that moves least does one iteration, and the one that moves
/// farthest then does as many as reported.
std::vector<uint32_t> byVectorBody(const Family &family, const Transformations &made) {
  const auto [widest, isVector] = *made.factors.rbegin();
  if (family.members.size() < 3 || made.factors.size() != 2 || !isVector)
    return {};
  std::set<uint64_t> advances;
  for (const Family::Member &member : family.members)
    advances.insert(member.advance);
  const uint64_t least = *advances.begin();
  if (!least || advances.size() != family.members.size() || *advances.rbegin() != least * widest)
    return {};
  std::vector<uint32_t> factors;
  for (const Family::Member &member : family.members) {
    const auto factor = static_cast<uint32_t>(member.advance / least);
    if (member.advance % least || widest % factor)
      return {};
    factors.push_back(factor);
  }
  return factors;
}

/// Whether a member that does that many iterations does so with vectors. Where the compiler does not distinguish them,
/// they show: one access then reaches farther than an iteration of the source moves.
bool isVector(const Family::Member &member, const Transformations &made, uint32_t factor) {
  const auto known = made.factors.find(factor);
  const bool anyVector = llvm::any_of(made.factors, [](const auto &one) { return one.second; });
  if (made.vectorLoops)
    return true;
  if (known != made.factors.end() && (known->second || !anyVector))
    return known->second;
  return member.advance && uint64_t{member.width} * factor > member.advance;
}

void nameVersions(Family &family) {
  for (size_t i = 0; family.members.size() > 1 && i < family.members.size(); ++i)
    for (Region *region : family.members[i].paths)
      region->variant = "copy " + std::to_string(i + 1) + " of " + std::to_string(family.members.size());
}

void nameUnknown(Family &family) {
  nameVersions(family);
  for (Family::Member &member : family.members)
    for (Region *region : member.paths) {
      region->sourceIterations = 0;
      region->caveats.push_back({.kind = wire::Caveat::Kind::UnknownIterations});
    }
}

/// Without factors they are not known.
void name(Family &family, const Transformations &made, const std::vector<uint32_t> &factors) {
  if (factors.empty())
    return nameUnknown(family);
  if (llvm::all_of(factors, [](uint32_t factor) { return factor == 1; }))
    return nameVersions(family);
  for (size_t i = 0; i < family.members.size(); ++i)
    for (Region *region : family.members[i].paths) {
      region->sourceIterations = factors[i];
      region->variant = factors[i] == 1
                            ? "remainder"
                            : (isVector(family.members[i], made, factors[i]) ? "vector body ×" : "unrolled ×") +
                                  std::to_string(factors[i]);
    }
}

/// Steps of counters and movements of memory have no unit in common: a family has either.
void findAdvances(const mca::Target &target, const mca::Program &program, Family &family) {
  std::vector<Advance> advances;
  for (const Family::Member &member : family.members) {
    Advance advance = advanceOf(target, program, member.paths.front()->instructions);
    for (const Region *path : member.paths)
      if (advanceOf(target, program, path->instructions) != advance)
        advance = {};
    advances.push_back(advance);
  }
  for (Family::Member &member : family.members) {
    member.duplication = member.paths.front()->duplication;
    for (const Region *path : member.paths)
      member.width = std::max(member.width, widestMoving(target, program, path->instructions));
  }
  const bool ofMemory = llvm::any_of(advances, [](const Advance &advance) { return advance.ofMemory; });
  for (size_t i = 0; i < advances.size(); ++i)
    family.members[i].advance = advances[i].ofMemory == ofMemory ? advances[i].distance : 0;
}

std::vector<uint32_t> factorsOf(const Family &family, const Transformations &made) {
  if (made.unknown)
    return {};
  if (std::vector<uint32_t> factors = byDuplication(family); !factors.empty())
    return factors;
  if (!made.vectors.empty() && !made.vectorLoops)
    return byWidth(family, made);
  if (made.vectorLoops)
    return byLeastAdvance(family, made);
  std::vector<uint32_t> factors = byRemarks(family, made);
  if (factors.empty())
    factors = byVectorBody(family, made);
  return agrees(family, factors) ? factors : std::vector<uint32_t>();
}

void solve(const mca::Target &target, const mca::Program &program, std::span<const LoopRemark> remarks,
           Family &family) {
  Transformations made = transformationsOf(*family.members.front().paths.front(), remarks);
  findAdvances(target, program, family);
  judgeCommonCopies(family, made, remarks);
  const auto &members = family.members;
  const bool isKnown = llvm::all_of(members, [](const Family::Member &one) { return one.duplication != 0; });
  const bool isCopied = llvm::any_of(members, [](const Family::Member &one) { return one.duplication > 1; });
  // Nothing was said, and yet one moves farther than another.
  made.unknown |= !made.any() && !isKnown && llvm::any_of(members, [&](const Family::Member &one) {
    return one.advance != members.front().advance;
  });
  // What is left of it is in the iterations of a loop around it, and several of those are one.
  made.unknown |= !made.any() && !isKnown && made.isGone && isTransformedAround(family, remarks);
  if (made.any() || isCopied)
    name(family, made, factorsOf(family, made));
  else
    nameVersions(family);
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
  for (auto &[key, family] : families)
    family.sharesPlace = atPlace[placeOf(family)] > 1;
  for (auto &[key, family] : families)
    solve(target, program, remarks, family);
}

} // namespace analysis
