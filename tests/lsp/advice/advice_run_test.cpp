// The search for what makes a loop faster, with results that a worker could send.
#include "lsp/advice/advice_run.h"

#include "lsp/advice/text_edits.h"
#include "lsp/wording/advice_text.h"

#include <gtest/gtest.h>
#include <map>

namespace lsp {
namespace {

using wire::AdviceLabel;
using wire::AnalysisResult;
using wire::Candidate;

const std::string kText = "float f() {\n  for (;;) g();\n}\n";
constexpr uint32_t kLoopLine = 1;

Candidate candidate(std::string id, AdviceLabel label, bool enables = false) {
  return {.id = id, .label = label, .edits = {}, .addedFlags = {"-" + id}, .operands = {"-" + id}, .enables = enables};
}

/// A result with a loop of so many cycles; `simulation` tells its code apart.
AnalysisResult resultOf(double cycles, uint64_t simulation, uint32_t sourceIterations = 1) {
  AnalysisResult result;
  result.target.cpu = "znver3";
  wire::Region region;
  region.name = "loop in f";
  region.kind = wire::RegionKind::Loop;
  region.at = {12, 27};
  region.anchor = 14;
  region.sourceIterations = sourceIterations;
  region.simulation = simulation;
  region.runnable = "code " + std::to_string(simulation);
  result.regions.push_back(region);
  wire::Simulation numbers;
  numbers.id = simulation;
  numbers.code = simulation;
  numbers.cyclesPerIteration = cycles;
  numbers.calibrated.llvmCycles = cycles; // measured numbers
  result.simulations.push_back(numbers);
  return result;
}

/// Runs a search over these candidates; each version's result is looked up by its added flags.
class Search {
public:
  explicit Search(std::vector<Candidate> candidates) : candidates_(std::move(candidates)) {}

  std::map<std::vector<std::string>, AnalysisResult> results;
  std::map<std::vector<std::string>, SameResults> same;      ///< of versions that are run
  std::map<std::vector<std::string>, MeasuredGain> measured; ///< of versions that are timed
  std::vector<std::vector<std::string>> tried, compared, timed;
  std::optional<AnalysisResult> atLast; ///< of the present code when it is looked at again, if it has changed
  unsigned looksAtPresent = 0;

  AdviceReport run(AnalysisResult base) {
    wire::AnalyzeRequest request;
    request.text = kText;
    AdviceRun run(std::move(request), kLoopLine, /*comparesResults=*/!same.empty(), /*measures=*/!measured.empty());
    std::map<size_t, std::vector<std::string>> flagsOf;
    while (auto step = run.next()) {
      EXPECT_EQ(step->request.onlyLine, kLoopLine + 1);
      if (!step->request.isVariant) {
        base.advice.candidates = candidates_;
        run.take(step->number, looksAtPresent++ == 0 ? base : atLast.value_or(base));
        continue;
      }
      EXPECT_EQ(step->request.settings.cpu, "znver3");
      tried.push_back(step->request.addedFlags);
      flagsOf[step->number] = step->request.addedFlags;
      const auto found = results.find(step->request.addedFlags);
      run.take(step->number, found == results.end() ? std::nullopt : std::optional(found->second));
    }
    EXPECT_TRUE(run.isOver());
    for (const AdviceRun::Check &check : run.checks()) {
      EXPECT_EQ(check.now->symbol, "f");
      compared.push_back(flagsOf[check.number]);
      run.takeCheck(check.number, same[flagsOf[check.number]]);
    }
    EXPECT_TRUE(run.checks().empty());
    for (const AdviceRun::Timing &timing : run.timings()) {
      EXPECT_EQ(timing.now->text, "code 1");
      timed.push_back(flagsOf[timing.number]);
      run.takeMeasured(timing.number, measured[flagsOf[timing.number]]);
    }
    EXPECT_TRUE(run.timings().empty());
    return run.report();
  }

private:
  std::vector<Candidate> candidates_;
};

TEST(AdviceRun, WhatGainsIsAdviceTheFastestFirst) {
  Search search({candidate("slow", AdviceLabel::SameResults), candidate("fast", AdviceLabel::SameResults),
                 candidate("faster", AdviceLabel::SameResults)});
  search.results = {{{"-slow"}, resultOf(8, 2)}, {{"-fast"}, resultOf(2, 3)}, {{"-faster"}, resultOf(1, 4)}};
  const AdviceReport report = search.run(resultOf(4, 1));
  ASSERT_EQ(report.advice.size(), 2u);
  EXPECT_EQ(report.advice[0].parts.front().id, "faster");
  EXPECT_DOUBLE_EQ(report.advice[0].factor, 4);
  EXPECT_EQ(report.advice[1].parts.front().id, "fast");
  ASSERT_EQ(report.others.size(), 1u);
  EXPECT_EQ(report.others[0].end, TriedEnd::Slower);
  EXPECT_EQ(wording::endInWords(report.others[0]), "2.0× slower");
}

TEST(AdviceRun, AGainWithinTheErrorOfTheNumbersIsNone) {
  Search search({candidate("little", AdviceLabel::SameResults)});
  search.results = {{{"-little"}, resultOf(3.8, 2)}};
  const AdviceReport report = search.run(resultOf(4, 1));
  EXPECT_TRUE(report.advice.empty());
  EXPECT_EQ(report.others[0].end, TriedEnd::NoGain);
}

TEST(AdviceRun, CyclesAreComparedPerIterationOfTheSource) {
  Search search({candidate("vector", AdviceLabel::SameResults), candidate("unknown", AdviceLabel::SameResults)});
  search.results = {{{"-vector"}, resultOf(8, 2, 8)}, {{"-unknown"}, resultOf(1, 3, 0)}};
  const AdviceReport report = search.run(resultOf(4, 1));
  ASSERT_EQ(report.advice.size(), 1u);
  EXPECT_DOUBLE_EQ(report.advice[0].cycles, 1);
  EXPECT_EQ(report.others[0].end, TriedEnd::UnknownRatio);
}

TEST(AdviceRun, APairIsAdviceIfItGainsMoreThanItsParts) {
  Search search({candidate("a", AdviceLabel::Promise, true), candidate("b", AdviceLabel::ChangesResults, true),
                 candidate("c", AdviceLabel::SameResults)});
  search.results = {
      {{"-a"}, resultOf(4, 2)}, {{"-b"}, resultOf(4, 3)}, {{"-c"}, resultOf(4, 4)}, {{"-a", "-b"}, resultOf(1, 5)}};
  const AdviceReport report = search.run(resultOf(4, 1));
  EXPECT_EQ(search.tried.size(), 4u); // each alone, and the pair that may enable each other
  ASSERT_EQ(report.advice.size(), 1u);
  EXPECT_EQ(report.advice[0].parts.size(), 2u);
  EXPECT_EQ(report.advice[0].label(), AdviceLabel::ChangesResults);
}

TEST(AdviceRun, LevelsOfInstructionsAreAlternatives) {
  Candidate wide = candidate("march=x86-64-v4", AdviceLabel::Hardware, true);
  wide.id = "wide-march";
  Search search({candidate("march=x86-64-v3", AdviceLabel::Hardware, true), wide});
  search.results = {{{"-march=x86-64-v3"}, resultOf(2, 2)}, {{"-march=x86-64-v4"}, resultOf(1, 3)}};
  search.run(resultOf(4, 1));
  EXPECT_EQ(search.tried.size(), 2u);
}

TEST(AdviceRun, OfEqualGainsTheOneThatAsksLessIsShown) {
  Search search({candidate("promise", AdviceLabel::Promise), candidate("same", AdviceLabel::SameResults),
                 candidate("copy", AdviceLabel::SameResults)});
  search.results = {{{"-promise"}, resultOf(1, 2)}, {{"-same"}, resultOf(1, 3)}, {{"-copy"}, resultOf(1, 3)}};
  const AdviceReport report = search.run(resultOf(4, 1));
  ASSERT_EQ(report.advice.size(), 1u);
  EXPECT_EQ(report.advice[0].parts.front().id, "same");
  ASSERT_EQ(report.others.size(), 2u);
  EXPECT_EQ(report.others[0].end, TriedEnd::SameCode);
  EXPECT_EQ(report.others[1].end, TriedEnd::NoBetter);
}

TEST(AdviceRun, AModelThatIsKnownToBeWrongProvesNothing) {
  AnalysisResult gather = resultOf(1, 2);
  gather.simulations[0].calibrated = {}; // LLVM's model
  gather.regions[0].caveats.push_back({.kind = wire::Caveat::Kind::OneAccess, .names = {"vgatherdps"}});
  Search search({candidate("gather", AdviceLabel::SameResults)});
  search.results = {{{"-gather"}, gather}};
  const AdviceReport report = search.run(resultOf(4, 1));
  EXPECT_TRUE(report.advice.empty());
  EXPECT_EQ(report.others[0].end, TriedEnd::NeedsMeasuring);
}

TEST(AdviceRun, WhatIsTimedIsShownNextToThePrediction) {
  Search search({candidate("fast", AdviceLabel::SameResults), candidate("no-faster", AdviceLabel::SameResults),
                 candidate("refused", AdviceLabel::SameResults), candidate("slow", AdviceLabel::SameResults)});
  search.results = {{{"-fast"}, resultOf(1, 2)},
                    {{"-no-faster"}, resultOf(2, 3)},
                    {{"-refused"}, resultOf(3, 4)},
                    {{"-slow"}, resultOf(8, 5)}};
  search.measured = {{{"-fast"}, {.now = 4.4, .then = 1.1}},
                     {{"-no-faster"}, {.now = 4.4, .then = 4.4}},
                     {{"-refused"}, {.refused = "it is unstable"}}};
  const AdviceReport report = search.run(resultOf(4, 1));
  EXPECT_EQ(search.timed.size(), 3u) << "what is slower by the numbers is not timed";
  ASSERT_EQ(report.advice.size(), 2u);
  EXPECT_NE(wording::adviceLine(report.advice[0]).find("measured on this machine: 4.40 and 1.10 cyc/iter, 4.0×"),
            std::string::npos)
      << wording::adviceLine(report.advice[0]);
  EXPECT_NE(wording::adviceLine(report.advice[1]).find("not measured: it is unstable"), std::string::npos);
  ASSERT_EQ(report.others[0].end, TriedEnd::MeasuredNoGain);
  EXPECT_EQ(wording::endInWords(report.others[0]),
            "2.0× predicted, but no faster when it was measured on this machine: 4.40 and 4.40 cyc/iter, 1.0×");
}

TEST(AdviceRun, AGainOfAModelThatIsKnownToBeWrongIsAdviceOnceItIsMeasured) {
  Search search({candidate("doubtful", AdviceLabel::SameResults)});
  AnalysisResult doubtful = resultOf(1, 2);
  doubtful.simulations[0].calibrated = {};
  doubtful.regions[0].caveats.push_back({.kind = wire::Caveat::Kind::OneAccess, .names = {"vgatherdps"}});
  search.results = {{{"-doubtful"}, doubtful}};
  EXPECT_TRUE(search.run(resultOf(4, 1)).advice.empty());
  search.looksAtPresent = 0;
  search.measured = {{{"-doubtful"}, {.now = 4, .then = 2}}};
  const AdviceReport report = search.run(resultOf(4, 1));
  ASSERT_EQ(report.advice.size(), 1u);
  EXPECT_DOUBLE_EQ(report.advice[0].measured->factor(), 2);
}

TEST(AdviceRun, WhatCallsAnotherFunctionIsNotCompared) {
  AnalysisResult calling = resultOf(1, 2);
  calling.regions[0].calls = {"expf"};
  Search search({candidate("calls", AdviceLabel::SameResults)});
  search.results = {{{"-calls"}, calling}};
  const AdviceReport report = search.run(resultOf(4, 1));
  EXPECT_TRUE(report.advice.empty());
  EXPECT_EQ(report.others[0].end, TriedEnd::LeavesOut);
}

/// A select takes as long whichever way it goes.
TEST(AdviceRun, MispredictionsDecideBetweenBranchAndSelect) {
  AnalysisResult branchy = resultOf(2, 1);
  branchy.flows.push_back({.loop = 0, .mispredictPenalty = 14, .cycles = 15, .perfectCycles = 2});
  Search search({candidate("select", AdviceLabel::SameResults)});
  search.results = {{{"-select"}, resultOf(7, 2)}};
  const AdviceReport random = search.run(branchy);
  ASSERT_EQ(random.advice.size(), 1u);
  EXPECT_TRUE(random.advice[0].ifRandom);
  EXPECT_NE(wording::gainInWords(random.advice[0]).find("if its branches are random"), std::string::npos);

  branchy.flows[0].source = wire::ControlFlow::Source::File; // a trace whose branches are predicted
  branchy.flows[0].cycles = 2.1;
  Search traced({candidate("select", AdviceLabel::SameResults)});
  traced.results = search.results;
  EXPECT_TRUE(traced.run(branchy).advice.empty());
}

/// Vectors of 64 bytes then cross a line each time, those of 32 every second time.
TEST(AdviceRun, SaysWhatAChangeGainsWithUnalignedData) {
  const auto calibrated = [](double unaligned, uint32_t sourceIterations) {
    AnalysisResult result = resultOf(4, /*simulation=*/sourceIterations, sourceIterations);
    result.simulations[0].calibrated.unalignedCycles = unaligned;
    return result;
  };
  const auto adviceFor = [&](double unaligned) {
    Search search({candidate("wide", AdviceLabel::Hardware)});
    search.results = {{{"-wide"}, calibrated(unaligned, 16)}};
    return search.run(calibrated(6, 8)).advice.at(0);
  };
  EXPECT_NEAR(adviceFor(8).factor, 2, 1e-9);
  EXPECT_NEAR(adviceFor(8).unaligned, 1.5, 1e-9);
  EXPECT_EQ(wording::gainInWords(adviceFor(8)),
            "0.250 cyc/iter · 2.0× from 57 iterations on, 1.5× if data begin 16 bytes behind a line of the cache");
  EXPECT_EQ(wording::gainInWords(adviceFor(6)), "0.250 cyc/iter · 2.0× from 57 iterations on") << "no other factor";
}

/// The data of the user may take the quickest way each time.
TEST(AdviceRun, ALoopWithBranchesCountsWithItsQuickestWay) {
  AnalysisResult branchy = resultOf(2, 1);
  branchy.flows.push_back({.loop = 0, .mispredictPenalty = 14, .cycles = 30, .perfectCycles = 6});
  Search search({candidate("vectors", AdviceLabel::SameResults)});
  search.results = {{{"-vectors"}, resultOf(1, 2)}};
  const AdviceReport report = search.run(branchy);
  ASSERT_EQ(report.advice.size(), 1u);
  EXPECT_DOUBLE_EQ(report.advice[0].factor, 2);
}

TEST(AdviceRun, WithFewIterationsTheRemainderCounts) {
  AnalysisResult vector = resultOf(8, 2, 32);
  vector.regions.push_back(vector.regions[0]);
  vector.regions[1].rank = 1;
  vector.regions[1].loop = 1;
  vector.regions[1].sourceIterations = 1;
  vector.regions[1].simulation = 3;
  vector.simulations.push_back(vector.simulations[0]);
  vector.simulations[1].id = vector.simulations[1].code = 3;
  vector.simulations[1].cyclesPerIteration = 1;
  Search search({candidate("vector", AdviceLabel::SameResults)});
  search.results = {{{"-vector"}, vector}};
  AnalysisResult base = resultOf(1, 1);
  const AdviceReport unknown = search.run(base);
  ASSERT_EQ(unknown.advice.size(), 1u);
  EXPECT_GE(unknown.advice[0].from, 32u);
  base.advice.tripCount = 20;
  Search few({candidate("vector", AdviceLabel::SameResults)});
  few.results = search.results;
  AnalysisResult again = resultOf(1, 1);
  again.advice.tripCount = 20;
  EXPECT_TRUE(few.run(again).advice.empty());
}

/// As when a header is saved while versions are compiled.
TEST(AdviceRun, WhatWasComparedWithOtherCodeIsNoAdvice) {
  Search search({candidate("fast", AdviceLabel::SameResults)});
  search.results = {{{"-fast"}, resultOf(1, 2)}};
  search.atLast = resultOf(1, 3);
  const AdviceReport changed = search.run(resultOf(4, 1));
  EXPECT_TRUE(changed.advice.empty());
  EXPECT_EQ(changed.failure, "a file that it is compiled from has changed meanwhile");
  EXPECT_EQ(search.looksAtPresent, 2u);

  Search vain({candidate("vain", AdviceLabel::SameResults)});
  vain.results = {{{"-vain"}, resultOf(4, 2)}};
  EXPECT_EQ(vain.run(resultOf(4, 1)).failure, "");
  EXPECT_EQ(vain.looksAtPresent, 1u) << "nothing is advised";
}

TEST(AdviceRun, OfTwoAtOnceOneChangesTheTextAndOneTheFlags) {
  const auto editing = [](std::string id) {
    Candidate made = candidate(std::move(id), AdviceLabel::SameResults);
    made.addedFlags.clear();
    made.edits = {{{0, 0}, " "}};
    return made;
  };
  AnalysisResult base = resultOf(4, 1);
  base.advice.candidates = {candidate("flag", AdviceLabel::SameResults), candidate("other", AdviceLabel::SameResults),
                            editing("text"), editing("words")};
  AdviceRun run({.text = kText}, kLoopLine);
  run.take(run.next()->number, base);
  const auto isText = [](const AdviceRun::Step &step) { return step.request.addedFlags.empty(); };
  const auto first = run.next(), second = run.next();
  EXPECT_TRUE(isText(*first));
  EXPECT_FALSE(isText(*second));
  run.take(second->number, std::nullopt);
  const auto third = run.next();
  EXPECT_FALSE(isText(*third));
  run.take(first->number, std::nullopt);
  const auto last = run.next();
  EXPECT_TRUE(isText(*last));
  EXPECT_FALSE(run.next());
}

/// A result for a search that shares runs of the compiler's front end.
AnalysisResult sharedResult(uint64_t simulation, wire::FrontEndModule module) {
  AnalysisResult result = resultOf(4, simulation);
  result.advice.module = std::move(module);
  return result;
}

/// The requests for changes of one text and one flag, in their order, and for the pair of both; the flag's version is
/// `served` from the module or not.
std::vector<wire::AnalyzeRequest> requestsOf(bool served, const std::string &newText) {
  Candidate text = candidate("text", AdviceLabel::SameResults, /*enables=*/true);
  text.addedFlags.clear();
  text.edits = {{{12, 12}, newText}};
  wire::AnalyzeRequest request;
  request.text = kText;
  AdviceRun run(std::move(request), kLoopLine);
  AnalysisResult base = sharedResult(1, {7, {"f"}, "module", false, {"/folder", 10}});
  base.advice.candidates = {text, candidate("flag", AdviceLabel::SameResults, true)};
  std::vector<wire::AnalyzeRequest> requests;
  while (auto step = run.next()) {
    if (step->number == 0) {
      run.take(0, base);
      continue;
    }
    const bool hasFlag = !step->request.addedFlags.empty();
    run.take(step->number,
             hasFlag ? sharedResult(2, {7, {"f"}, "", served, {}}) : sharedResult(3, {7, {"f"}, "changed", false, {}}));
    requests.push_back(step->request);
  }
  return requests;
}

TEST(AdviceRun, VersionsShareTheFrontEndsModule) {
  const std::vector<wire::AnalyzeRequest> requests = requestsOf(true, "_Pragma(\"x\") __restrict ");
  ASSERT_EQ(requests.size(), 3u);
  EXPECT_TRUE(requests[0].listModule) << "a pair may need it";
  EXPECT_EQ(requests[0].module, (wire::FrontEndModule{7, {"f"}, "", false, {"/folder", 10}}));
  EXPECT_FALSE(requests[1].listModule);
  EXPECT_EQ(requests[1].module, (wire::FrontEndModule{7, {"f"}, "module", false, {}}));
  EXPECT_EQ(requests[2].module, (wire::FrontEndModule{7, {"f"}, "changed", true, {}}))
      << "the flag alone is proven to fit";
}

TEST(AdviceRun, ThePresentCodeIsLookedAtAgainWithItsPreamble) {
  AnalysisResult base = sharedResult(1, {7, {"f"}, "module", false, {"/folder", 10}});
  base.advice.candidates = {candidate("fast", AdviceLabel::SameResults)};
  AdviceRun run({.text = kText}, kLoopLine);
  run.take(run.next()->number, base);
  run.take(run.next()->number, resultOf(1, 2));
  const auto last = run.next();
  ASSERT_TRUE(last);
  EXPECT_FALSE(last->request.reuseCompiled);
  EXPECT_EQ(last->request.module, (wire::FrontEndModule{7, {"f"}, "", false, {"/folder", 10}}));
}

TEST(AdviceRun, APairWhoseFlagsOrTextAreNotKnownToFitIsCompiledAsAWhole) {
  EXPECT_EQ(requestsOf(false, "x").back().module, (wire::FrontEndModule{7, {"f"}, "", false, {}}));
  EXPECT_EQ(requestsOf(true, "__AVX__").back().module, (wire::FrontEndModule{7, {"f"}, "", false, {}}));
}

TEST(AdviceRun, SaysWhyThePresentCodeIsNotAnalysed) {
  const auto failureOf = [](const char *code) {
    AnalysisResult result;
    result.findings.push_back({.code = code});
    return Search({candidate("a", AdviceLabel::SameResults)}).run(std::move(result)).failure;
  };
  EXPECT_EQ(failureOf(wire::codes::kNotSaved), "the file on disk is not what the editor has: save it first");
  EXPECT_EQ(failureOf(wire::codes::kCompileError), "the file does not compile any more");
}

/// A reduction under vectorize(enable): the source's chain of numbers has become one of vectors.
TEST(AdviceRun, APragmaThatReordersAChainChangesResults) {
  Candidate vectorize = candidate("vectorize", AdviceLabel::SameResults), map = candidate("map", AdviceLabel::Promise);
  vectorize.mayReorder = map.mayReorder = true;
  Search search({vectorize, map});
  search.results = {{{"-vectorize"}, resultOf(1, 2)}, {{"-map"}, resultOf(2, 3)}};
  search.results[{"-vectorize"}].advice.chainsVectors = true;
  const AdviceReport report = search.run(resultOf(4, 1));
  ASSERT_EQ(report.advice.size(), 2u);
  EXPECT_EQ(report.advice[0].label(), AdviceLabel::ChangesResults);
  EXPECT_NE(wording::labelInWords(report.advice[0]).find("last bits of floating-point results may differ"),
            std::string::npos);
  EXPECT_EQ(report.advice[1].label(), AdviceLabel::Promise);
}

TEST(AdviceRun, WhatTheCompilerIgnoresAndWhatItSplitsIsSaid) {
  Search search({candidate("distribute", AdviceLabel::SameResults), candidate("o3", AdviceLabel::SameResults)});
  search.results = {{{"-distribute"}, resultOf(1, 2)}, {{"-o3"}, resultOf(4, 1)}};
  const AdviceReport report = search.run(resultOf(4, 1));
  EXPECT_TRUE(report.advice.empty()) << "a part of a loop is no faster loop";
  EXPECT_EQ(report.others.at(0).end, TriedEnd::Split);
  EXPECT_EQ(report.others.at(1).end, TriedEnd::SameAsNow);
}

TEST(AdviceRun, ALineWithoutALoopHasNoAdvice) {
  AnalysisResult nothing;
  nothing.target.cpu = "znver3";
  Search search({candidate("a", AdviceLabel::SameResults)});
  const AdviceReport report = search.run(nothing);
  EXPECT_EQ(report.failure, "no loop of this line was simulated");
  EXPECT_TRUE(search.tried.empty());
}

/// A result whose function can be run.
AnalysisResult runnable(AnalysisResult result) {
  result.advice.function = {.assembly = "f:\n", .symbol = "f"};
  return result;
}

TEST(AdviceRun, AGainExceedsTheErrorOfTheNumbers) {
  const auto gains = [](wire::CalibrationSummary::Source source) {
    Search search({candidate("small", AdviceLabel::SameResults)});
    AnalysisResult base = resultOf(1.12, 1);
    base.target.calibration.source = source;
    search.results[{"-small"}] = resultOf(1, 2);
    return search.run(std::move(base)).advice.size();
  };
  using Source = wire::CalibrationSummary::Source;
  EXPECT_EQ(gains(Source::Shipped), 1u) << "measured";
  EXPECT_EQ(gains(Source::Profile), 0u) << "documented";
  EXPECT_EQ(gains(Source::None), 0u) << "LLVM's model";
}

TEST(AdviceRun, SaysWhyTheSourceWasNotChanged) {
  Search search({candidate("o3", AdviceLabel::SameResults)});
  AnalysisResult base = resultOf(4, 1);
  base.advice.sourceKept = wire::SourceKept::Elsewhere;
  search.results[{"-o3"}] = resultOf(4, 2);
  const AdviceReport report = search.run(std::move(base));
  EXPECT_EQ(wording::sourceKeptInWords(report), "it is in a macro or in another file");
  EXPECT_NE(wording::adviceDocument(report, "a.c").find("Changes of the loop's text were not tried: it is in a macro"),
            std::string::npos);
}

TEST(AdviceRun, WhatIsSaidOfResultsIsCheckedByRunningBothVersions) {
  Candidate aboutInputs = candidate("no-nans", AdviceLabel::Promise);
  aboutInputs.isAboutInputs = true;
  Search search({candidate("same", AdviceLabel::SameResults), candidate("overlap", AdviceLabel::SameResults),
                 candidate("other", AdviceLabel::SameResults), candidate("restrict", AdviceLabel::Promise),
                 candidate("false", AdviceLabel::Promise), candidate("changes", AdviceLabel::ChangesResults),
                 aboutInputs});
  // What asks more gains more: otherwise it would not be shown.
  double cycles = 2;
  for (const char *flag : {"-same", "-overlap", "-restrict", "-no-nans", "-false", "-other", "-changes"}) {
    cycles /= 1.5;
    search.results[{flag}] = runnable(resultOf(cycles, static_cast<uint64_t>(100 / cycles)));
  }
  search.same = {{{"-same"}, {.runs = 400}},
                 {{"-overlap"}, {.differsOverlapping = true, .runs = 400}},
                 {{"-other"}, {.differs = true, .runs = 400}},
                 {{"-restrict"}, {.differsOverlapping = true, .runs = 400}},
                 {{"-false"}, {.differs = true, .runs = 400}}};
  const AdviceReport report = search.run(runnable(resultOf(4, 1)));
  std::map<std::string, AdviceLabel> labels;
  for (const Advice &advice : report.advice)
    labels[advice.parts.front().id] = advice.label();
  EXPECT_EQ(labels, (std::map<std::string, AdviceLabel>{{"same", AdviceLabel::SameResults},
                                                        {"overlap", AdviceLabel::Promise},
                                                        {"other", AdviceLabel::ChangesResults},
                                                        {"restrict", AdviceLabel::Promise},
                                                        {"changes", AdviceLabel::ChangesResults},
                                                        {"no-nans", AdviceLabel::Promise}}));
  ASSERT_EQ(report.others.size(), 1u);
  EXPECT_EQ(report.others[0].end, TriedEnd::OtherResults);
  EXPECT_EQ(search.compared.size(), 5u); // not what changes results, nor what speaks of the inputs
  for (const Advice &advice : report.advice)
    if (advice.parts.front().id == "same")
      EXPECT_EQ(wording::labelInWords(advice), "same results; checked with 400 random inputs: the same results");
}

TEST(AdviceRun, AFunctionThatCannotBeRunIsNotCompared) {
  AnalysisResult other = resultOf(1, 2);
  other.advice.function = {.refusal = "it is a template or a member of a class"};
  Search search({candidate("same", AdviceLabel::SameResults)});
  search.results = {{{"-same"}, other}};
  search.same = {{{"-same"}, {.differs = true}}};
  const AdviceReport report = search.run(runnable(resultOf(4, 1)));
  EXPECT_TRUE(search.compared.empty());
  EXPECT_EQ(report.advice.at(0).label(), AdviceLabel::SameResults);
}

TEST(TextEdits, PragmasStandJustBeforeTheirLoop) {
  const Candidate pragma{.id = "p", .edits = {{{4, 4}, "_Pragma(\"x\") "}}};
  const Candidate locals{.id = "l", .edits = {{{4, 4}, "{ int n = 1; "}, {{8, 8}, " }"}}};
  const auto edits = mergedEdits({pragma, locals});
  ASSERT_TRUE(edits);
  EXPECT_EQ(withEdits("abc for;def", *edits), "abc { int n = 1; _Pragma(\"x\") for; }def");
}

TEST(TextEdits, TwoReplacementsOfTheSameBytesExcludeEachOther) {
  EXPECT_FALSE(mergedEdits({{.id = "a", .edits = {{{2, 6}, "x"}}}, {.id = "b", .edits = {{{4, 8}, "y"}}}}));
}

} // namespace
} // namespace lsp
