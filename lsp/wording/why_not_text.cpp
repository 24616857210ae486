#include "lsp/wording/why_not_text.h"

#include "analysis/text/counts.h"
#include "analysis/text/visible_text.h"

#include <boost/algorithm/string/join.hpp>

#include <algorithm>
#include <cctype>

namespace lsp::wording {
namespace {

using namespace std::string_view_literals;

/// clang 22's names are those of LLVM's LoopVectorize.cpp, LoopVectorizationLegality.cpp, LoopAccessAnalysis.cpp,
/// LICM.cpp and SLPVectorizer.cpp; tests/docs/remark_names.mjs compares them with the library's. gcc's are the messages
/// of its tree-vect-*.cc. Of names that begin alike the longer one comes first.
constexpr KnownRemark kRemarks[] = {
    {"loop-vectorize", "AllDisabled", "vectorizing it is switched off, or it is a vectorizer's loop already"},
    {"loop-vectorize", "CFGNotUnderstood", "its control flow has a form that the vectorizer does not handle"},
    {"loop-vectorize", "CantCheckMemDepsAtRunTime", "no check before the loop can tell whether its arrays overlap"},
    {"loop-vectorize", "CantComputeNumberOfIterations", "the number of its iterations is not known before it runs"},
    {"loop-vectorize", "CantIdentifyArrayBounds",
     "the part of an array that it uses is not known before it runs, so nothing can check whether arrays overlap"},
    {"loop-vectorize", "CantReorderFPOps", "its floating-point operations may not be reordered"},
    {"loop-vectorize", "CantReorderMemOps", "its memory accesses may not be reordered"},
    {"loop-vectorize", "CantVectorizeAliasWithCriticalUncountableExitLoad",
     "a store may change what the condition of its early exit loads"},
    {"loop-vectorize", "CantVectorizeInstructionReturnType", "an operation has a result that vectors cannot hold"},
    {"loop-vectorize", "CantVectorizeInstruction", "it calls a function, or has an operation without a vector form"},
    {"loop-vectorize", "CantVectorizeIntrinsic", "an operation has no vector form"},
    {"loop-vectorize", "CantVectorizeLibcall", "it calls a function that has no vector form"},
    {"loop-vectorize", "CantVectorizeNontemporalLoad", "a non-temporal load has no vector form on this CPU"},
    {"loop-vectorize", "CantVectorizeNontemporalStore", "a non-temporal store has no vector form on this CPU"},
    {"loop-vectorize", "CantVectorizeStoreToLoopInvariantAddress", "its iterations store to one address"},
    {"loop-vectorize", "CantVectorizeStore", "it stores values that vectors cannot hold"},
    {"loop-vectorize", "CantVectorizeUnsafeDependencyForEELoopWithSideEffects",
     "it has an early exit, and may load what it has stored"},
    {"loop-vectorize", "CantVersionLoopWithOptForSize",
     "it would need a check and a second version, and the code is optimized for size"},
    {"loop-vectorize", "ConditionalUncountableExitLoad",
     "the condition of its early exit loads only in some iterations"},
    {"loop-vectorize", "EarlyExitLoadInvariantAddress",
     "the condition of its early exit loads the same address in each iteration"},
    {"loop-vectorize", "EarlyExitLoopWithStridedFaultOnlyFirstLoad",
     "it has an early exit, and loads with gaps, which might fault behind that exit"},
    {"loop-vectorize", "EarlyExitNotLatchPredecessor",
     "its early exit is not the last condition before the loop's own one"},
    {"loop-vectorize", "EarlyExitTooManySuccessors", "its early exit is a branch to more than two places"},
    {"loop-vectorize", "IfConversionDisabled", "conditions inside of loops are not vectorized with these flags"},
    {"loop-vectorize", "InvalidCost", "an operation has no vector form on this CPU"},
    {"loop-vectorize", "InvalidUserVF", "the requested vector width is not possible"},
    {"loop-vectorize", "LoopContainsUnsupportedSwitch", "it contains a `switch`"},
    {"loop-vectorize", "LoopContainsUnsupportedTerminator", "it contains a jump that is no plain branch"},
    {"loop-vectorize", "LowTripCount", "it has too few iterations"},
    {"loop-vectorize", "MissedExplicitlyDisabled", "vectorizing it is switched off in the code"},
    {"loop-vectorize", "MissedForceOnly", "only loops that ask for it are vectorized with these flags"},
    {"loop-vectorize", "MissedTransformsDisabled", "only transformations that the code asks for are made"},
    {"loop-vectorize", "NoCFGForSelect", "what it does under a condition may not be done in each iteration"},
    {"loop-vectorize", "NoConditionLoadForEarlyExitLoop", "the condition of its early exit does not depend on a load"},
    {"loop-vectorize", "NoImplicitFloat", "the flags forbid vector registers where the code has no floating point"},
    {"loop-vectorize", "NoInductionVariable", "it has no counter that takes the same step in each iteration"},
    {"loop-vectorize", "NoIntegerInductionVariable", "it has no integer counter"},
    {"loop-vectorize", "NoLatchEarlyExit", "it has an early exit, and no condition at its end"},
    {"loop-vectorize", "NoTailLoopWithOptForSize",
     "iterations would be left over for a second loop, and the code is optimized for size"},
    {"loop-vectorize", "NonReadOnlyEarlyExitLoop", "it has an early exit, and may write memory"},
    {"loop-vectorize", "NonReductionValueUsedOutsideLoop",
     "a value that one iteration passes to the next is no counter, sum, product, minimum or the like"},
    {"loop-vectorize", "NonSimpleLoad", "it has a volatile or atomic load"},
    {"loop-vectorize", "NonSimpleStore", "it has a volatile or atomic store"},
    {"loop-vectorize", "NotInnerMostLoop", "it has a loop inside"},
    {"loop-vectorize", "PotentiallyFaultingEarlyExitLoop",
     "it has an early exit, and loads behind that exit might fault"},
    {"loop-vectorize", "PotentiallyFaultingLoadsNotSupported",
     "it has an early exit, and loads behind that exit might fault"},
    {"loop-vectorize", "RecurrencesInEarlyExitLoop",
     "it has an early exit, and a value that one iteration passes to the next"},
    {"loop-vectorize", "ScalableVFUnfeasible", "vectors of a length that the CPU chooses are not possible"},
    {"loop-vectorize", "ScalableVectorizationDisabled", "vectors of a length that the CPU chooses are switched off"},
    {"loop-vectorize", "SingleIterationLoop", "it has one iteration"},
    {"loop-vectorize", "TooManyMemoryRuntimeChecks", "too many checks whether arrays overlap would be needed"},
    {"loop-vectorize", "TooManySCEVRunTimeChecks", "too many checks of its counters would be needed"},
    {"loop-vectorize", "TooManyUncountableEarlyExits", "it has several early exits"},
    {"loop-vectorize", "TripCountWrapped", "its number of iterations may be too large for its counter"},
    {"loop-vectorize", "UncountableEarlyExitLoopsDisabled", "loops with an early exit are not vectorized"},
    {"loop-vectorize", "UncountableEarlyExitUnsupported", "loops with such an early exit are not vectorized"},
    {"loop-vectorize", "UnknownLatchExitCountEarlyExitLoop",
     "it has an early exit, and otherwise an unknown number of iterations"},
    {"loop-vectorize", "UnknownLoopCountComplexCFG",
     "the number of its iterations is not known before it runs, and it has several exits"},
    {"loop-vectorize", "UnsafeDep", "an iteration may need what an earlier one stored"},
    {"loop-vectorize", "UnsafeFP", "this CPU's vectors do not compute as its scalar floating point does"},
    {"loop-vectorize", "UnsafeOperationsEarlyExitLoop",
     "it has an early exit, and operations that may not be done behind that exit"},
    {"loop-vectorize", "UnsupportedOuterLoop", "it has a loop inside"},
    {"loop-vectorize", "UnsupportedPhi", "a value that one iteration passes to the next fits no vector"},
    {"loop-vectorize", "UnsupportedUncountableLoop", "the number of its iterations is not known before it runs"},
    {"loop-vectorize", "ValueUsedOutsideLoop", "a value that it computes is used after it"},
    {"loop-vectorize", "VectorizationNotBeneficial", "the compiler expects no gain"},
    {"loop-vectorize", "WritesInEarlyExitLoop", "it has an early exit, and writes memory"},
    {"licm", "LoadWithLoopInvariantAddressCondExecuted",
     "each iteration loads the same address again, under a condition"},
    {"licm", "LoadWithLoopInvariantAddressInvalidated",
     "each iteration loads the same address again, as a store in the loop may change it"},
    {"slp-vectorizer", "HorSLPNotBeneficial", "the compiler expects no gain from vectors in a sum within an iteration"},
    {"slp-vectorizer", "NotBeneficial", "the compiler expects no gain from vectors within an iteration"},
    {"vect", "number of iterations cannot be computed", "the number of its iterations is not known before it runs"},
    {"vect", "control flow in loop", "its control flow has a form that the vectorizer does not handle"},
    {"vect", "relevant stmt not supported", "it calls a function, or has an operation without a vector form"},
    {"vect", "relevant phi not supported", "a value that one iteration passes to the next has no vector form"},
    {"vect", "unsupported use in stmt", "an iteration needs a value of the one before"},
    {"vect", "unsupported data-type", "it has values that vectors cannot hold"},
    {"vect", "no vectype for stmt", "it has values that vectors cannot hold"},
    {"vect", "vectorization not profitable", "the compiler expects no gain"},
    {"vect", "estimated iteration count too small", "it has too few iterations"},
    {"vect", "iteration count too small", "it has too few iterations"},
    {"vect", "vectorized iteration count too small", "it has too few iterations"},
    {"vect", "loop with infinite iterations", "it does not end by itself"},
    {"vect", "statement can throw an exception", "an operation may throw an exception"},
    {"vect", "stmt is volatile", "it has a volatile access"},
    {"vect", "loop contains function calls or data references that cannot be analyzed",
     "it calls a function, or accesses memory in a way that the vectorizer does not handle"},
    {"vect", "failed evolution of base", "the addresses of an access do not take the same step in each iteration"},
    {"vect", "data ref analysis failed", "the addresses of an access do not take the same step in each iteration"},
    {"vect", "complicated access pattern", "the addresses of an access do not take the same step in each iteration"},
    {"vect", "unsupported access pattern", "the addresses of an access do not take the same step in each iteration"},
    {"vect", "possible dependence between data-refs", "an iteration may need what an earlier one stored"},
    {"vect", "versioning for alias required", "a check whether arrays overlap would be needed before it"},
    {"vect", "compilation time alias", "its arrays overlap"},
    {"vect", "number of versioning for alias run-time tests exceeds",
     "too many checks whether arrays overlap would be needed"},
    {"vect", "multiple nested loops", "it has several loops inside"},
    {"vect", "latch block not empty", "its control flow has a form that the vectorizer does not handle"},
    {"vect", "unsupported loop form", "its control flow has a form that the vectorizer does not handle"},
    {"vect", "multiple exits", "it has several exits"},
    {"vect", "loop nest containing two or more consecutive inner loops", "it has several loops inside"},
    {"vect", "unsupported outerloop form", "it has a loop inside"},
};

/// Null if it has no words here.
const KnownRemark *findKnown(const wire::WhyNot &reason) {
  const bool isGccs = reason.pass == "vect";
  const auto found = std::ranges::find_if(kRemarks, [&](const KnownRemark &one) {
    return one.pass == reason.pass && (isGccs ? reason.name.starts_with(one.name) : reason.name == one.name);
  });
  return found == std::end(kRemarks) ? nullptr : &*found;
}

/// The compiler's words, marked as such.
std::string compilersWords(std::string_view text) {
  for (const std::string_view begin : {"loop not vectorized: "sv, "not vectorized: "sv})
    if (text.starts_with(begin))
      text.remove_prefix(begin.size());
  return "“" + analysis::visibleText(std::string(text)) + "”, says the compiler";
}

/// "line 7", "v.h:12"; empty without a place. In the document the text's lines count.
std::string placeInWords(const wire::RemarkPlace &at, const Text &text) {
  if (!at.line)
    return "";
  if (at.path.empty())
    return "line " + std::to_string(text.lineOf(at.at.begin) + 1);
  return at.path.substr(at.path.rfind('/') + 1) + ":" + std::to_string(at.line);
}

/// "store in line 9", for an argument with a place.
std::string argumentInWords(const wire::WhyNot::Argument &argument, const Text &text) {
  const std::string place = placeInWords(argument.at, text);
  const bool isAccess = argument.key == "ClobberedBy" && !argument.value.empty();
  return isAccess ? argument.value + " in " + place : place;
}

/// The reason with its places: "… (line 7; store in line 9)".
std::string withPlaces(const wire::WhyNot &reason, const Text &text) {
  std::vector<std::string> places;
  const auto add = [&](std::string place) {
    if (!place.empty() && std::ranges::find(places, place) == places.end())
      places.push_back(std::move(place));
  };
  add(placeInWords(reason.at, text));
  for (const wire::WhyNot::Argument &argument : reason.arguments)
    if (argument.at.line)
      add(argumentInWords(argument, text));
  return inWords(reason) + (places.empty() ? "" : " (" + boost::algorithm::join(places, "; ") + ")");
}

} // namespace

std::span<const KnownRemark> knownRemarks() {
  return kRemarks;
}

std::string inWords(const wire::WhyNot &reason) {
  const KnownRemark *known = findKnown(reason);
  return known ? std::string(known->words) : compilersWords(reason.text);
}

bool isVectorizers(std::string_view pass) {
  return pass == "loop-vectorize" || pass == "vect";
}

std::string whyNotInWords(const wire::Region &region, const Text &text) {
  // The decisive one of the vectorizer's reasons, and of the others, is enough.
  std::vector<std::string> sentences;
  const auto isOfVectorizer = [](const wire::WhyNot &reason) { return isVectorizers(reason.pass); };
  const std::vector<wire::WhyNot> &all = region.whyNot;
  if (const auto reason = std::ranges::find_if(all, isOfVectorizer); reason != all.end())
    sentences.push_back("Not vectorized: " + withPlaces(*reason, text) + ".");
  if (const auto reason = std::ranges::find_if_not(all, isOfVectorizer); reason != all.end()) {
    sentences.push_back(withPlaces(*reason, text) + ".");
    char &first = sentences.back().front();
    first = static_cast<char>(std::toupper(static_cast<unsigned char>(first)));
  }
  return boost::algorithm::join(sentences, " ");
}

std::string fatesInWords(const wire::VanishedLoop &loop) {
  using Kind = wire::LoopFate::Kind;
  std::vector<std::string> words;
  for (const wire::LoopFate &fate : loop.fates)
    switch (fate.kind) {
    case Kind::Unrolled:
      words.push_back("unrolled completely" +
                      (fate.iterations ? ", " + analysis::counted(fate.iterations, "iteration") : ""));
      break;
    case Kind::LibraryCall:
      words.push_back("became a call of " + (fate.callee.empty() ? "a library function" : "`" + fate.callee + "`"));
      break;
    case Kind::Deleted:
      words.push_back("removed, as its results are unused or were computed without a loop");
      break;
    case Kind::NeverRuns:
      words.push_back("removed, as it never runs");
      break;
    }
  return boost::algorithm::join(words, "; in another copy ");
}

std::string vanishedInWords(const wire::VanishedLoop &loop) {
  const std::string fates = fatesInWords(loop);
  return "The compiled code has no machine loop of this statement" + (fates.empty() ? "" : ": " + fates) + ".";
}

} // namespace lsp::wording
