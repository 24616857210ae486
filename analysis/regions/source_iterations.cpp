#include "analysis/regions/source_iterations.h"

#include "analysis/regions/induction.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace analysis {
namespace {

/// What was made of the loop at one place.
struct Transformations {
  /// Iterations that one may do, and whether vectors do them.
  std::map<uint32_t, bool> factors{{1, false}};
  size_t vectorLoops = 0; ///< loops that were vectorized, by gcc's count
  bool unknown = false;   ///< by a factor that is not told
  bool any() const { return factors.size() > 1 || unknown || vectorLoops; }
};

/// The loops that one statement became in one function: of each its regions, and how far it moves.
struct Family {
  struct Member {
    std::vector<Region *> paths;
    uint64_t advance = 0; ///< 0 when not known, or not the same on all paths
  };
  std::vector<Member> members;
};

Transformations transformationsOf(const Region &region, std::span<const LoopRemark> remarks) {
  Transformations made;
  std::map<uint32_t, bool> bodies; // iterations side by side, and whether in vectors
  std::set<uint32_t> unrolls{1};
  for (const LoopRemark &remark : remarks) {
    const bool here = remark.line >= region.code.firstLine && remark.line <= region.code.lastLine &&
                      llvm::sys::path::filename(remark.path) == llvm::sys::path::filename(region.code.file);
    if (!here)
      continue;
    using Kind = LoopRemark::Kind;
    if (remark.kind == Kind::Unrolled) {
      made.unknown |= remark.unroll == 0;
      unrolls.insert(std::max(remark.unroll, 1u));
    } else if (remark.kind == Kind::Vectorized || remark.kind == Kind::Interleaved) {
      made.unknown |= remark.scalable;
      made.vectorLoops += remark.vectorBytes != 0;
      if (!remark.scalable && !remark.vectorBytes)
        bodies[std::max(remark.width, 1u) * std::max(remark.interleave, 1u)] |= remark.kind == Kind::Vectorized;
    }
  }
  for (const uint32_t unroll : unrolls)
    made.factors.try_emplace(unroll, false);
  for (const auto &[body, isVector] : bodies)
    for (const uint32_t unroll : unrolls)
      made.factors[body * unroll] |= isVector;
  return made;
}

/// gcc tells the bytes of a vector, not its elements. It does not unroll by itself: with more loops than vectorized
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
  const bool alone = family.members.size() == 1;
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
  // Of several choices one that leaves a remainder, and has a vector body where the compiler told of vectors.
  const bool toldVectors = llvm::any_of(made.factors, [](const auto &factor) { return factor.second; });
  if (solutions.size() > 1)
    llvm::erase_if(solutions, [&](const std::vector<uint32_t> &factors) {
      const bool hasVectors = llvm::any_of(factors, [&](uint32_t factor) { return made.factors.at(factor); });
      return !hasRemainder(factors) || (toldVectors && !hasVectors);
    });
  return solutions.size() == 1 ? solutions.front() : std::vector<uint32_t>();
}

/// clang may vectorize what its vector body leaves once more, for fewer iterations, and does not tell: of three loops
/// or more, of which no two are alike, the one that moves least does one iteration, and the one that moves farthest
/// then does as many as told.
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

/// Of several loops that one statement became, and that nothing better tells apart.
std::string copyName(size_t member, const Family &family) {
  return "copy " + std::to_string(member + 1) + " of " + std::to_string(family.members.size());
}

void name(Family &family, const Transformations &made, const std::vector<uint32_t> &factors) {
  const bool remainders = !factors.empty() && *std::max_element(factors.begin(), factors.end()) > 1;
  for (size_t i = 0; i < family.members.size(); ++i)
    for (Region *region : family.members[i].paths) {
      if (factors.empty()) {
        region->sourceIterations = 0;
        region->caveats.push_back("the compiler put several iterations of the source's loop into one; how many cannot "
                                  "be told, so the cycles are those of the machine code's iteration");
        if (family.members.size() > 1)
          region->variant = copyName(i, family);
        continue;
      }
      region->sourceIterations = factors[i];
      const auto factor = made.factors.find(factors[i]);
      const bool isVector = factor == made.factors.end() || factor->second;
      if (factors[i] > 1)
        region->variant = (isVector ? "vector body ×" : "unrolled ×") + std::to_string(factors[i]);
      else if (remainders)
        region->variant = "remainder";
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
  const bool ofMemory = llvm::any_of(advances, [](const Advance &advance) { return advance.ofMemory; });
  for (size_t i = 0; i < advances.size(); ++i)
    family.members[i].advance = advances[i].ofMemory == ofMemory ? advances[i].distance : 0;
}

void solve(const mca::Target &target, const mca::Program &program, std::span<const LoopRemark> remarks,
           Family &family) {
  Transformations made = transformationsOf(*family.members.front().paths.front(), remarks);
  findAdvances(target, program, family);
  // Nothing was said, and yet one moves farther than another.
  made.unknown |= !made.any() && llvm::any_of(family.members, [&](const Family::Member &member) {
    return member.advance != family.members.front().advance;
  });
  if (!made.any()) {
    for (size_t i = 0; family.members.size() > 1 && i < family.members.size(); ++i)
      for (Region *region : family.members[i].paths)
        region->variant = copyName(i, family);
    return;
  }
  std::vector<uint32_t> factors;
  if (!made.unknown)
    factors = made.vectorLoops ? byLeastAdvance(family, made) : byRemarks(family, made);
  if (factors.empty() && !made.unknown && !made.vectorLoops)
    factors = byVectorBody(family, made);
  name(family, made, factors);
}

} // namespace

void findSourceIterations(const mca::Target &target, const mca::Program &program, std::span<const LoopRemark> remarks,
                          std::vector<Region> &regions) {
  // Loops of one statement in one function, through one inlined call, have the same name, anchor and code.
  llvm::MapVector<std::tuple<uint32_t, llvm::StringRef, llvm::StringRef, uint32_t>, Family> families;
  const Region *before = nullptr;
  for (Region &region : regions) {
    if (region.kind != wire::RegionKind::Loop && region.kind != wire::RegionKind::Path)
      continue;
    const uint32_t statement = region.code.isStatement ? region.code.firstLine : 0;
    Family &family = families[{region.anchor, region.name, region.code.file, statement}];
    if (!before || before->loop != region.loop)
      family.members.emplace_back();
    family.members.back().paths.push_back(&region);
    before = &region;
  }
  for (auto &[key, family] : families)
    solve(target, program, remarks, family);
}

} // namespace analysis
