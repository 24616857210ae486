// The table is the function's body: a sign, an edit or flags, and a label. Signs only spare compiles; whether a change
// gains is decided by trying it. gcc reads no text that is not saved, so for it there are flags alone.
#include "analysis/advice/candidates.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <utility>

namespace analysis {
namespace {

using llvm::StringRef;
using wire::AdviceLabel;
using wire::Candidate;
using Flags = std::vector<std::string>;

/// The levels of the x86-64 psABI, and features that only CPUs of the level have.
struct Level {
  const char *name;
  const char *features;
};
constexpr Level kLevels[] = {
    {"x86-64", ""}, {"x86-64-v2", "+sse4.2"}, {"x86-64-v3", "+avx2,+fma,+bmi2"}, {"x86-64-v4", "+avx512bw,+avx512vl"}};

/// Of the user's own flags, those without which code may be faster.
struct CostlyFlag {
  StringRef flag;
  AdviceLabel label;
};
constexpr CostlyFlag kCostly[] = {{"-fno-strict-aliasing", AdviceLabel::Promise},
                                  {"-fwrapv", AdviceLabel::Promise},
                                  {"-ftrapv", AdviceLabel::Promise},
                                  {"-D_GLIBCXX_ASSERTIONS", AdviceLabel::Promise},
                                  {"-D_GLIBCXX_DEBUG", AdviceLabel::Promise},
                                  {"-fno-vectorize", AdviceLabel::SameResults},
                                  {"-fno-tree-vectorize", AdviceLabel::SameResults},
                                  {"-fno-slp-vectorize", AdviceLabel::SameResults},
                                  {"-fno-unroll-loops", AdviceLabel::SameResults},
                                  {"-fno-inline", AdviceLabel::SameResults},
                                  {"-fno-inline-functions", AdviceLabel::SameResults},
                                  {"-fno-builtin", AdviceLabel::Promise},
                                  {"-mno-avx", AdviceLabel::Hardware},
                                  {"-mno-avx2", AdviceLabel::Hardware},
                                  {"-mno-sse4.1", AdviceLabel::Hardware},
                                  {"-ffp-contract=off", AdviceLabel::ChangesResults},
                                  {"-frounding-math", AdviceLabel::Promise},
                                  {"-ffp-model=strict", AdviceLabel::ChangesResults},
                                  {"-ffp-exception-behavior=strict", AdviceLabel::Promise}};

/// Those whose promise is about values or counts.
constexpr StringRef kAboutInputs[] = {"no-nans", "multiple", "without-flag"};

/// Pragmas with which clang vectorizes floating-point reductions, too, without another word (LLVM issue 198726).
constexpr StringRef kReordering[] = {"no-dependences", "vectorize", "interleave"};

class Table {
public:
  explicit Table(const LoopToAdvise &loop)
      : loop_(loop), signs_(loop.signs), isClang_(loop.command.kind == CompilerKind::Clang) {}

  std::vector<Candidate> make() {
    addOwnFlags();
    addFloats();
    addMemory();
    addHardware();
    addBranches();
    addShape();
    if (made_.size() > wire::kMostCandidates)
      made_.resize(wire::kMostCandidates);
    return std::move(made_);
  }

private:
  Candidate *add(const char *id, AdviceLabel label) {
    Candidate &candidate = made_.emplace_back();
    candidate.id = id;
    candidate.label = label;
    candidate.isAboutInputs = llvm::is_contained(kAboutInputs, candidate.id);
    candidate.mayReorder = llvm::is_contained(kReordering, candidate.id);
    return &candidate;
  }
  /// A change of the source. `enables`: it may need another one to gain.
  void edit(const char *id, AdviceLabel label, Edits edits, bool enables = false, Flags operands = {}) {
    if (edits.empty() || !isClang_)
      return;
    Candidate *candidate = add(id, label);
    candidate->edits = std::move(edits);
    candidate->operands = std::move(operands);
    candidate->enables = enables;
  }
  void flags(const char *id, AdviceLabel label, Flags added, bool enables = false, Flags removed = {}) {
    Candidate *candidate = add(id, label);
    candidate->operands = added.empty() ? removed : added;
    candidate->addedFlags = std::move(added);
    candidate->removedFlags = std::move(removed);
    candidate->enables = enables;
  }
  bool has(StringRef flag) const { return llvm::is_contained(loop_.command.arguments, flag); }
  /// A pragma that lets clang vectorize or interleave reorders floating-point additions, too.
  AdviceLabel labelOfReordering() const {
    return signs_.chainsFloats ? AdviceLabel::ChangesResults : AdviceLabel::SameResults;
  }
  /// A level with fused multiply-add rounds a product and a sum once.
  AdviceLabel labelOfLevel() const { return signs_.usesFloats ? AdviceLabel::ChangesResults : AdviceLabel::Hardware; }

  /// Flags of the user that cost, and the optimisation level.
  void addOwnFlags() {
    for (const CostlyFlag &costly : kCostly)
      if (has(costly.flag))
        flags("without-flag", costly.label, {}, /*enables=*/true, {costly.flag.str()});
    for (const std::string &flag : loop_.command.arguments)
      if (StringRef(flag).starts_with("-fsanitize="))
        flags("without-flag", AdviceLabel::Promise, {}, false, {flag});
    StringRef level;
    for (const StringRef flag : loop_.command.arguments)
      if (flag.starts_with("-O"))
        level = flag;
    if (level != "-O3" && level != "-Ofast" && level != "-O4")
      flags("o3", AdviceLabel::SameResults, {"-O3"});
  }

  void addFloats() {
    if (signs_.chainsFloats && isClang_)
      edit("reassociate", AdviceLabel::ChangesResults, loop_.text.pragmaInBody("clang fp reassociate(on)"), true);
    if (signs_.chainsFloats && !isClang_)
      flags("reassociate", AdviceLabel::ChangesResults,
            {"-fassociative-math", "-fno-signed-zeros", "-fno-trapping-math"}, true);
    if (signs_.comparesFloats)
      flags("no-nans", AdviceLabel::Promise, nansFlags(), true);
    if (loop_.text.callsMath())
      flags("no-errno", AdviceLabel::SameResults, {"-fno-math-errno"}, true);
    if (signs_.divides && isClang_)
      edit("reciprocal", AdviceLabel::ChangesResults, loop_.text.pragmaInBody("clang fp reciprocal(on)"));
    if (signs_.divides && !isClang_)
      flags("reciprocal", AdviceLabel::ChangesResults, {"-freciprocal-math"});
    if (signs_.converts)
      edit("float-literals", AdviceLabel::ChangesResults, loop_.text.floatLiterals(), true);
  }

  Flags nansFlags() const {
    return isClang_ ? Flags{"-fno-honor-nans", "-fno-signed-zeros"} : Flags{"-ffinite-math-only", "-fno-signed-zeros"};
  }

  void addMemory() {
    edit("locals", AdviceLabel::Promise, loop_.text.copyToLocals(), true);
    if (!signs_.isVector)
      edit("signed-counter", AdviceLabel::Promise, loop_.text.signedCounter(), true);
    edit("restrict", AdviceLabel::Promise, loop_.text.restrictParameters(), true);
    // Of a loop whose iterations do depend on each other the promise is false, and nobody knows it where data decide.
    if (!signs_.isVector && !signs_.hasRecurrence && !signs_.isDependent) {
      if (!signs_.storesWhereDataSay)
        edit("no-dependences", AdviceLabel::Promise, loop_.text.pragmaBefore("clang loop vectorize(assume_safety)"),
             true);
      edit("vectorize", AdviceLabel::SameResults, loop_.text.pragmaBefore("clang loop vectorize(enable)"));
    }
    // The compiler's own remark recommends it.
    if (signs_.isDependent)
      edit("distribute", AdviceLabel::SameResults, loop_.text.pragmaBefore("clang loop distribute(enable)"));
  }

  /// What another host would bring: only what the simulated CPU has can be simulated.
  void addHardware() {
    if (!loop_.target.triple().isX86())
      return;
    const std::string &cpu = loop_.compiled.cpu;
    const auto now = llvm::find_if(kLevels, [&](const Level &level) { return cpu == level.name; });
    // The two highest levels: the lower one is what most hosts have.
    if (now != std::end(kLevels)) {
      const auto *end = now + 1;
      while (end != std::end(kLevels) && simulatedHas(end->features))
        ++end;
      for (const auto *level = std::max(now + 1, end - 2); level < end; ++level)
        addLevel(level->name);
    }
    if (loop_.compiled.tuneCpu.empty() && !loop_.target.cpu().empty() && loop_.target.cpu() != cpu)
      flags("mtune", AdviceLabel::SameResults, {"-mtune=" + loop_.target.cpu()});
    if (signs_.isVector && !signs_.isWide && hasWideVectors())
      flags("wide-vectors", AdviceLabel::SameResults, {"-mprefer-vector-width=512"});
  }

  /// Compilers use 256 bits of the level with 512, unless they are asked for all.
  void addLevel(StringRef name) {
    const std::string level = "-march=" + name.str();
    flags("march", labelOfLevel(), {level}, true);
    if (name == "x86-64-v4")
      flags("wide-march", labelOfLevel(), {level, "-mprefer-vector-width=512"}, true);
  }

  bool simulatedHas(StringRef features) const {
    return features.empty() || loop_.target.subtarget().checkFeatures(features.str());
  }
  bool hasWideVectors() const {
    return llvm::is_contained(loop_.compiled.features, "+avx512f") || loop_.compiled.cpu == "x86-64-v4" ||
           (loop_.compiled.cpuNamed && simulatedHas("+avx512f") && loop_.compiled.cpu == loop_.target.cpu());
  }

  void addBranches() {
    edit("inline", AdviceLabel::SameResults, loop_.text.inlineFunctions(signs_.calls), true);
    if (signs_.branches)
      edit("select", AdviceLabel::SameResults, loop_.text.conditionsIn("__builtin_unpredictable(", ")"));
    if (signs_.selects)
      edit("branch", AdviceLabel::SameResults,
           loop_.text.conditionsIn("__builtin_expect_with_probability(!!(", "), 1, 0.99)"));
  }

  /// How the compiler lays out the loop.
  void addShape() {
    if (signs_.gathers && isClang_)
      flags("no-gather", AdviceLabel::SameResults, {"-mno-gather"});
    if (signs_.isVector && isClang_)
      edit("no-vector", labelOfReordering(), loop_.text.pragmaBefore("clang loop vectorize(disable)"));
    if (signs_.isVector && !isClang_)
      flags("no-vector", labelOfReordering(), {"-fno-tree-vectorize"});
    if (signs_.isVector)
      for (const char *count : {"4", "8"})
        edit("interleave", labelOfReordering(),
             loop_.text.pragmaBefore("clang loop interleave_count(" + std::string(count) + ")"), false, {count});
    else
      edit("unroll", AdviceLabel::SameResults, loop_.text.pragmaBefore("clang loop unroll_count(4)"), false, {"4"});
    if (!isClang_ && !has("-funroll-loops"))
      flags("unroll-flag", AdviceLabel::SameResults, {"-funroll-loops"});
    if (signs_.isVector)
      edit("multiple", AdviceLabel::Promise, loop_.text.assumeMultiple(64), false, {"64"});
  }

  const LoopToAdvise &loop_;
  const LoopSigns &signs_;
  bool isClang_;
  std::vector<Candidate> made_;
};

} // namespace

std::vector<Candidate> candidatesFor(const LoopToAdvise &loop) {
  return Table(loop).make();
}

} // namespace analysis
