#include "analysis/regions/why_not.h"

#include "analysis/compile/paths.h"
#include "analysis/regions/function_names.h"
#include "analysis/regions/loop_place.h"
#include "analysis/regions/vector_use.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace analysis {
namespace {

using llvm::StringRef;

/// Remarks that are about scalar iterations side by side, not about vectors.
constexpr StringRef kInterleaving = "Interleaving";
/// Also given of a value that decides whether the loop goes on, whose own reason says more.
constexpr StringRef kVague = "NonReductionValueUsedOutsideLoop";
/// A load of one address in each iteration, and what may change its value (gvn).
constexpr StringRef kRepeatedLoad = "LoadWithLoopInvariantAddress", kClobbered = "LoadClobbered",
                    kClobberedBy = "ClobberedBy";
constexpr StringRef kUnprofitable = "NotBeneficial"; ///< the end of such names of slp-vectorizer

/// A place in a function of the assembly; no column stands for all.
using Place = std::tuple<StringRef, StringRef, uint32_t, uint32_t>; // function, path, line, column

using Decisions = std::vector<const VectorizerDecision *>;

/// The versions of one loop statement in one function, through one inlined call.
struct Family {
  std::vector<Region *> regions;
  bool hasVectors = false;
};

class ReasonFinder {
public:
  ReasonFinder(const mca::Target &target, const mca::Program &program, const SourceMap &map,
               const CompileResult &compiled, const std::string &path)
      : target_(target), program_(program), map_(map), path_(path), functions_(program),
        isGcc_(llvm::any_of(compiled.decisions, [](const auto &one) { return one.function.empty(); })) {
    for (const VectorizerDecision &decision : compiled.decisions)
      decisions_[{decision.head.path, decision.head.line}].push_back(&decision);
    for (const MissedRemark &remark : compiled.missed)
      missed_[{remark.function, remark.at.path, remark.at.line, remark.at.column}].push_back(&remark);
  }

  void findIn(std::vector<Region> &regions) {
    llvm::MapVector<std::tuple<int, StringRef, uint32_t, uint32_t, uint32_t, uint32_t>, Family> families;
    for (Region &region : regions) {
      if (!region.body || !region.code.firstLine)
        continue;
      const CodeLines &code = region.code;
      const int function = functions_.indexOf(region.instructions.front());
      Family &family = families[{function, code.file, code.firstLine, code.lastLine, code.column, code.caller}];
      family.regions.push_back(&region);
      family.hasVectors |= vectorUseOf(target_, program_, region.instructions) != VectorUse::None;
    }
    for (auto &[key, family] : families)
      if (!family.hasVectors)
        setReasons(family, functions_.symbolOf(std::get<0>(key)));
  }

private:
  /// A macro's loops are all one family, and each has decisions of its own.
  void setReasons(Family &family, StringRef function) {
    const std::set<Place> places = placesIn(family, function);
    for (Region *region : family.regions) {
      const std::vector<MissedRemark> vectorizers = vectorizersReasons(*region, function);
      for (const bool isVague : {false, true})
        for (const MissedRemark &reason : vectorizers)
          if ((reason.name == kVague) == isVague && !StringRef(reason.name).starts_with(kInterleaving))
            add(reason, region->whyNot);
      addRepeatedLoads(places, region->whyNot);
      if (region->whyNot.empty())
        addUnprofitable(places, region->whyNot);
    }
  }

  /// What all decisions about the loop have in common: of reasons with one name those at the same place, else the name
  /// alone. (The statements that gcc names differ from copy to copy.)
  std::vector<MissedRemark> vectorizersReasons(const Region &region, StringRef function) const {
    const Decisions decisions = decisionsAbout(region, function);
    if (decisions.empty() || llvm::any_of(decisions, [](const auto *one) { return one->vectorized; }))
      return {};
    std::vector<MissedRemark> common;
    for (MissedRemark reason : decisions.front()->reasons)
      if (llvm::all_of(decisions, [&](const auto *one) { return reduceToCommon(one->reasons, reason); }))
        common.push_back(std::move(reason));
    return common;
  }

  /// Whether one of the reasons has the name of this one, which loses what it has not in common with it.
  static bool reduceToCommon(llvm::ArrayRef<MissedRemark> reasons, MissedRemark &reason) {
    const auto hasName = [&](const MissedRemark &one) { return one.name == reason.name && one.pass == reason.pass; };
    auto other = llvm::find_if(reasons, [&](const auto &one) { return hasName(one) && one.at == reason.at; });
    if (other == reasons.end())
      other = llvm::find_if(reasons, hasName);
    if (other == reasons.end())
      return false;
    if (other->at != reason.at)
      reason.at = {};
    if (other->arguments != reason.arguments)
      reason.arguments.clear();
    return true;
  }

  /// clang names a loop by its keyword, and gives the branch back the same place, which may be a macro's. gcc names it
  /// by the condition of its exit or by its first statement (find_loop_location in its tree-vectorizer.cc).
  Decisions decisionsAbout(const Region &region, StringRef function) const {
    // gcc's messages and line directives may have different columns of one statement.
    for (const bool hasColumn : isGcc_ ? std::vector{true, false} : std::vector{true})
      for (Decisions found : {decisionsAtBranches(region.body->loop, /*goesBack=*/true, hasColumn, function),
                              decisionsAtHead(region.code, function),
                              decisionsAtBranches(region.body->loop, /*goesBack=*/false, hasColumn, function)})
        if (isOfOneLoop(found))
          return found;
    return {};
  }

  Decisions decisionsAtHead(const CodeLines &code, StringRef function) const {
    Decisions found = decisionsOn(code.file, code.firstLine, code.lastLine, function);
    const auto isAtKeyword = [&](const VectorizerDecision *one) {
      return one->head.line == code.lastLine && one->head.column == code.column;
    };
    if (llvm::any_of(found, isAtKeyword))
      llvm::erase_if(found, [&](const VectorizerDecision *one) { return !isAtKeyword(one); });
    return found;
  }

  /// Those at the place of one of the loop's branches, or of a branch back to its head.
  Decisions decisionsAtBranches(const mca::Loop &loop, bool goesBack, bool hasColumn, StringRef function) const {
    std::set<Place> places;
    for (const mca::LoopBlock &block : loop.blocks)
      if (const uint32_t last = loop.instructions[block.end - 1];
          (block.isLatch || !goesBack) && isBranch(last) && map_.frameOf(last) != SourceMap::kNoFrame) {
        const Frame &frame = map_.frame(map_.frameOf(last));
        places.emplace(function, map_.fileName(frame.file), frame.line, hasColumn ? frame.column : 0);
      }
    Decisions found;
    for (const auto &[inside, file, line, column] : places)
      for (const VectorizerDecision *one : decisionsOn(file, line, line, inside))
        if (!hasColumn || one->head.column == column)
          found.push_back(one);
    return found;
  }

  bool isBranch(uint32_t instruction) const {
    return target_.instructions().get(program_.instructions()[instruction].inst.getOpcode()).isBranch();
  }

  /// Those about loops of the function whose place is on one of these lines, both included.
  Decisions decisionsOn(StringRef file, uint32_t firstLine, uint32_t lastLine, StringRef function) const {
    Decisions found;
    const auto end = decisions_.upper_bound({file, lastLine});
    for (auto at = decisions_.lower_bound({file, firstLine}); at != end; ++at)
      llvm::copy_if(at->second, std::back_inserter(found), [&](const VectorizerDecision *one) {
        return one->function.empty() || StringRef(one->function) == function;
      });
    return found;
  }

  /// Otherwise it is not known which of several loops is meant.
  static bool isOfOneLoop(const Decisions &found) {
    return !found.empty() && llvm::all_of(found, [&](const auto *one) { return one->head == found.front()->head; });
  }

  /// The innermost frames of the loop's instructions.
  std::set<Place> placesIn(const Family &family, StringRef function) const {
    std::set<Place> places;
    llvm::SmallDenseSet<uint32_t, 32> seen; // comparing places takes longer, as they have names of files
    for (const Region *region : family.regions)
      for (const uint32_t instruction : region->body->loop.instructions)
        if (const uint32_t index = map_.frameOf(instruction); index != SourceMap::kNoFrame && seen.insert(index).second)
          if (const Frame &frame = map_.frame(index); frame.line)
            places.emplace(function, map_.fileName(frame.file), frame.line, frame.column);
    return places;
  }

  void addRepeatedLoads(const std::set<Place> &places, std::vector<wire::WhyNot> &reasons) const {
    forEachMissed(places, [&](const MissedRemark &remark) {
      if (!StringRef(remark.name).starts_with(kRepeatedLoad) || !add(remark, reasons))
        return;
      for (const MissedRemark *other : missedAt({remark.function, remark.at.path, remark.at.line, remark.at.column}))
        if (other->name == kClobbered)
          for (const MissedRemark::Argument &argument : other->arguments)
            if (argument.key == kClobberedBy)
              addArgument(argument, reasons.back());
    });
  }

  void addUnprofitable(const std::set<Place> &places, std::vector<wire::WhyNot> &reasons) const {
    forEachMissed(places, [&](const MissedRemark &remark) {
      if (StringRef(remark.name).ends_with(kUnprofitable))
        add(remark, reasons);
    });
  }

  void forEachMissed(const std::set<Place> &places, llvm::function_ref<void(const MissedRemark &)> see) const {
    for (const Place &place : places)
      for (const MissedRemark *remark : missedAt(place))
        see(*remark);
  }

  const std::vector<const MissedRemark *> &missedAt(const Place &place) const {
    static const std::vector<const MissedRemark *> none;
    const auto found = missed_.find(place);
    return found == missed_.end() ? none : found->second;
  }

  /// Whether it was added: each is said once, and not too many are.
  bool add(const MissedRemark &remark, std::vector<wire::WhyNot> &reasons) const {
    wire::WhyNot reason{
        .pass = remark.pass, .name = remark.name, .text = remark.text, .at = placeOf(remark.at), .arguments = {}};
    for (const MissedRemark::Argument &argument : remark.arguments)
      addArgument(argument, reason);
    const auto isSame = [&](const wire::WhyNot &one) { return one.name == reason.name && one.at == reason.at; };
    if (reasons.size() == wire::kMostReasons || llvm::any_of(reasons, isSame))
      return false;
    reasons.push_back(std::move(reason));
    return true;
  }

  void addArgument(const MissedRemark::Argument &argument, wire::WhyNot &reason) const {
    wire::WhyNot::Argument added{argument.key, argument.value, placeOf(argument.at)};
    if (!llvm::is_contained(reason.arguments, added))
      reason.arguments.push_back(std::move(added));
  }

  wire::RemarkPlace placeOf(const RemarkPlace &at) const {
    if (at.path.empty() || !at.line)
      return {};
    wire::RemarkPlace place{.path = at.path, .at = {}, .line = at.line, .column = at.column};
    const TextLines &lines = map_.lines();
    if (at.line > lines.count() || !isSameFile(at.path, path_))
      return place;
    place.path.clear();
    place.at = lines.content(at.line - 1);
    if (at.column)
      place.at.begin = std::min(lines.range(at.line - 1).begin + at.column - 1, place.at.end);
    return place;
  }

  const mca::Target &target_;
  const mca::Program &program_;
  const SourceMap &map_;
  const std::string &path_;
  const FunctionNames functions_;
  const bool isGcc_; ///< its messages name no functions
  std::map<std::pair<StringRef, uint32_t>, std::vector<const VectorizerDecision *>> decisions_; // by path and line
  std::map<Place, std::vector<const MissedRemark *>> missed_;
};

} // namespace

void findReasons(const mca::Target &target, const mca::Program &program, const SourceMap &map,
                 const CompileResult &compiled, const std::string &path, std::vector<Region> &regions) {
  ReasonFinder(target, program, map, compiled, path).findIn(regions);
}

std::vector<wire::LoopFate> fatesOf(uint32_t keyword, const LoopStatements &statements, const TextLines &lines,
                                    const std::vector<LoopRemark> &remarks, const std::string &path) {
  using Kind = LoopRemark::Kind;
  using Fate = wire::LoopFate::Kind;
  const uint32_t line = lines.lineOf(keyword) + 1;
  // The call that a loop became has the place of the loop's store.
  const auto isStoreOf = [&](const LoopRemark &remark) {
    if (!remark.line || remark.line > lines.count())
      return false;
    const LoopStatement *around = statements.around(offsetInLine(lines, remark.line, remark.column));
    return around && around->keyword == keyword;
  };
  std::vector<wire::LoopFate> fates;
  bool isVectorized = false;
  for (const LoopRemark &remark : remarks) {
    const bool isCall = remark.kind == Kind::LibraryCall;
    if (!(remark.line == line || (isCall && isStoreOf(remark))) || !isSameFile(remark.path, path))
      continue;
    isVectorized |= remark.kind == Kind::Vectorized;
    std::optional<wire::LoopFate> fate;
    if (remark.kind == Kind::FullyUnrolled)
      fate = {.kind = Fate::Unrolled, .iterations = isVectorized ? 0 : remark.unroll, .callee = {}};
    else if (isCall)
      fate = {.kind = Fate::LibraryCall, .callee = remark.callee};
    else if (remark.kind == Kind::Deleted || remark.kind == Kind::NeverRuns)
      fate = {.kind = remark.kind == Kind::Deleted ? Fate::Deleted : Fate::NeverRuns, .callee = {}};
    if (fate && !llvm::is_contained(fates, *fate))
      fates.push_back(std::move(*fate));
  }
  // A loop that has become a call is deleted then.
  if (llvm::any_of(fates, [](const auto &fate) { return fate.kind == Fate::LibraryCall; }))
    llvm::erase_if(fates, [](const auto &fate) { return fate.kind == Fate::Deleted; });
  return fates;
}

} // namespace analysis
