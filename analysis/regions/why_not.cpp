#include "analysis/regions/why_not.h"

#include "analysis/compile/paths.h"
#include "analysis/regions/function_names.h"
#include "analysis/regions/loop_place.h"
#include "analysis/regions/vector_use.h"

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

/// The versions of one loop statement in one function, through one inlined call.
struct Family {
  std::vector<Region *> regions;
  bool hasVectors = false;
};

class ReasonFinder {
public:
  ReasonFinder(const mca::Target &target, const mca::Program &program, const SourceMap &map,
               const CompileResult &compiled, const std::string &path)
      : target_(target), program_(program), map_(map), path_(path), functions_(program) {
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
  void setReasons(Family &family, StringRef function) {
    std::vector<wire::WhyNot> reasons;
    const std::vector<const MissedRemark *> vectorizers = vectorizersReasons(family.regions.front()->code, function);
    for (const bool isVague : {false, true})
      for (const MissedRemark *reason : vectorizers)
        if ((reason->name == kVague) == isVague && !StringRef(reason->name).starts_with(kInterleaving))
          add(*reason, reasons);
    const std::set<Place> places = placesIn(family, function);
    addRepeatedLoads(places, reasons);
    if (reasons.empty())
      addUnprofitable(places, reasons);
    for (Region *region : family.regions)
      region->whyNot = reasons;
  }

  /// What all decisions about the loop have in common.
  std::vector<const MissedRemark *> vectorizersReasons(const CodeLines &code, StringRef function) const {
    std::vector<const VectorizerDecision *> decisions = decisionsAt(code, function);
    if (decisions.empty() || llvm::any_of(decisions, [](const auto *one) { return one->vectorized; }))
      return {};
    std::vector<const MissedRemark *> common;
    for (const MissedRemark &reason : decisions.front()->reasons)
      if (llvm::all_of(decisions, [&](const auto *one) { return llvm::is_contained(one->reasons, reason); }))
        common.push_back(&reason);
    return common;
  }

  std::vector<const VectorizerDecision *> decisionsAt(const CodeLines &code, StringRef function) const {
    std::vector<const VectorizerDecision *> found;
    const auto end = decisions_.upper_bound({StringRef(code.file), code.lastLine});
    for (auto at = decisions_.lower_bound({StringRef(code.file), code.firstLine}); at != end; ++at)
      llvm::copy_if(at->second, std::back_inserter(found), [&](const VectorizerDecision *one) {
        return one->function.empty() || StringRef(one->function) == function;
      });
    const auto isAtKeyword = [&](const VectorizerDecision *one) {
      return one->head.line == code.lastLine && one->head.column == code.column;
    };
    if (llvm::any_of(found, isAtKeyword))
      llvm::erase_if(found, [&](const VectorizerDecision *one) { return !isAtKeyword(one); });
    // Several loops on these lines: which of them is this one?
    if (llvm::any_of(found, [&](const auto *one) { return one->head != found.front()->head; }))
      return {};
    return found;
  }

  /// The innermost frames of the loop's instructions.
  std::set<Place> placesIn(const Family &family, StringRef function) const {
    std::set<Place> places;
    for (const Region *region : family.regions)
      for (const uint32_t instruction : region->body->loop.instructions)
        if (const uint32_t index = map_.frameOf(instruction); index != SourceMap::kNoFrame)
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
