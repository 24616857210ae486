// With a calibration, no shown number is LLVM's without saying so.
//
// The same calibration counts for two CPUs whose models in LLVM have little in common. What comes from the calibrated
// machine is then the same for both, so whatever differs depends on LLVM's model: it has to stand in a sentence, a row
// or a member that names LLVM. Everything that is shown is walked: hints, code lenses and hovers of each line,
// findings, the documents beside a buffer, timelines, the JSON and the text of --check.
#include "lsp/check/check_file.h"
#include "lsp/check/check_json.h"
#include "lsp/check/check_report.h"
#include "lsp/features/features.h"
#include "lsp/wording/findings.h"
#include "lsp/wording/sentences.h"
#include "lsp/wording/view_text.h"
#include "mca-core/calibration/cpu_identity.h"
#include "tests/goldens/workspace.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace goldens {
namespace {

namespace wire = analysis::wire;
using llvm::StringRef;

/// Names of one length, so that columns are alike. Both have AVX2.
const std::string kMeasured = "znver3", kOther = "znver1";

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// The shipped calibration of Zen 3, called one of `cpu`. A fact that it lacks would be LLVM's.
std::string calibrationFor(const std::string &cpu) {
  std::string text(mca::findShipped({.llvmName = kMeasured})->text);
  std::string missing;
  for (const char *fact :
       {"redirect-penalty 13", "reorder-buffer 256", "load-queue 72", "store-queue 64", "retired-per-cycle 8"})
    if (text.find("fact " + std::string(fact).substr(0, std::string(fact).find(' '))) == std::string::npos)
      missing += "fact " + std::string(fact) + "\n";
  text.insert(text.find("\nresource ") + 1, missing);
  return replaced(text, "llvm=" + kMeasured, "llvm=" + cpu);
}

/// A piece of what is shown: a sentence, a row of a table, or a member of the JSON.
struct Statement {
  std::string where, heading, text;

  bool namesLlvm() const { return StringRef(text).contains_insensitive("llvm") || StringRef(heading).contains("LLVM"); }
};

/// Collects the statements about one text.
class Walk {
public:
  void add(const std::string &where, const std::string &text, const std::string &heading = "") {
    statements_.push_back({where, heading, text});
  }
  /// The sentences of paragraphs and the rows of tables. A paragraph that ends with a colon is the heading of what
  /// follows.
  void addText(const std::string &where, const std::string &text) {
    std::string heading;
    llvm::SmallVector<StringRef> blocks;
    StringRef(text).split(blocks, "\n\n");
    for (const StringRef block : blocks) {
      for (const StringRef line : llvm::split(block, '\n'))
        for (const StringRef sentence : llvm::split(line, ". "))
          add(where, sentence.str(), heading);
      heading = block.ends_with(":") ? block.str() : "";
    }
  }
  void addJson(const std::string &where, const nlohmann::ordered_json &json) {
    const nlohmann::ordered_json flat = json.flatten();
    for (const auto &[path, value] : flat.items())
      if (!path.ends_with("/calibration/id")) // of the file, which names the CPU
        add(where, path + ": " + value.dump(), path.find("/otherCpus/") != std::string::npos ? "LLVM" : "");
  }
  const std::vector<Statement> &statements() const { return statements_; }

private:
  std::vector<Statement> statements_;
};

/// A text for two CPUs: the same calls of the whole product for both.
class Sample {
public:
  Sample(std::string name, const Workspace &workspace, std::string trace = "")
      : name_(std::move(name)), workspace_(workspace), trace_(std::move(trace)) {}

  /// Nothing if the text is not of an x86 CPU, or has no region.
  std::optional<Walk> walk(const std::string &cpu) const;
  /// Whether all regions are the calibrated machine's, and none of their instructions has LLVM's values.
  bool isCalibrated() const { return isCalibrated_; }

private:
  void walkDocument(const lsp::Document &document, Walk &walk) const;
  void walkViews(const std::vector<wire::View> &views, const lsp::Document &document, Walk &walk) const;

  std::string name_;
  const Workspace &workspace_;
  std::string trace_;
  mutable bool isCalibrated_ = true;
};

/// The text with this CPU in place of its own.
std::string textFor(const std::string &source, const std::string &cpu) {
  std::string text = source;
  const size_t begin = text.find("cpu=");
  if (begin != std::string::npos && begin < text.find('\n', text.find("mca:")))
    text.replace(begin, text.find_first_of(" \n", begin) - begin, "cpu=" + cpu);
  return text;
}

std::optional<Walk> Sample::walk(const std::string &cpu) const {
  const std::string text = textFor(workspace_.source(), cpu);
  const fs::path calibration = workspace_.path().parent_path() / "a.calibration";
  writeFile(calibration, calibrationFor(cpu));
  wire::AnalyzeRequest request{.id = 1,
                               .path = workspace_.path().string(),
                               .language = *lsp::languageOfPath(workspace_.path().string()),
                               .text = text,
                               .settings = {.cpu = cpu,
                                            .triple = "x86_64-unknown-linux-gnu",
                                            .cpus = {"icelake-server"},
                                            .trace = trace_,
                                            .calibration = calibration.string()}};
  analysis::Analyzer analyzer(1);
  AnalysisResult result = analyzer.run(request, {}, [](const wire::Progress &) {});
  if (result.target.cpu != cpu || result.regions.empty())
    return std::nullopt;
  for (const wire::Simulation &numbers : result.simulations)
    isCalibrated_ &= wire::isCalibrated(numbers) && numbers.calibrated.fromLlvm == 0;
  for (const wire::Region &region : result.regions)
    for (const wire::DocumentKind kind :
         {wire::DocumentKind::Report, wire::DocumentKind::Assembly, wire::DocumentKind::Timeline})
      request.documents.push_back({kind, region.anchor});
  result = analyzer.run(request, {}, [](const wire::Progress &) {});

  lsp::Document document({workspace_.uri(), workspace_.languageId(), 1, ""}, text);
  const std::vector<wire::View> views = std::move(result.views);
  document.setAnalysis(lsp::Analysis::take(result, {}));
  lsp::wording::makeFindings(document.analysis(), document.text(), 5);
  Walk walk;
  walkDocument(document, walk);
  walkViews(views, document, walk);
  return walk;
}

void Sample::walkDocument(const lsp::Document &document, Walk &walk) const {
  const lsp::protocol::ClientCapabilities client{.encoding = lsp::protocol::PositionEncoding::Utf8};
  const lsp::protocol::UserSettings settings{.instructionHints = true};
  const auto lines = static_cast<uint32_t>(document.text().lineCount());
  for (const lsp::protocol::InlayHint &hint :
       lsp::features::inlayHints(document, {{0, 0}, {lines, 0}}, settings, client)) {
    std::string label;
    for (const lsp::protocol::InlayHintLabelPart &part : hint.label) {
      label += part.value;
      if (part.tooltip)
        walk.addText("tooltip of a part", part.tooltip->value);
    }
    walk.add("hint", label);
    if (hint.tooltip)
      walk.addText("tooltip", hint.tooltip->value);
  }
  for (const lsp::protocol::CodeLens &lens : lsp::features::codeLenses(document, true, client))
    walk.add("lens", lens.title);
  for (uint32_t line = 0; line < lines; ++line)
    if (const auto hover = lsp::features::hover(document, {line, 1}, client))
      walk.addText("hover of line " + std::to_string(line + 1), hover->contents.value);
  for (const wire::Finding &finding : document.analysis().findings) {
    walk.addText("finding", lsp::wording::messageOf(finding));
    for (const wire::RelatedPlace &place : finding.related)
      walk.addText("related place", place.message);
  }
  walk.addJson("JSON", nlohmann::ordered_json::parse(lsp::analysisText(document))["files"][0]);
  const lsp::CheckFile file = lsp::checkFile(name_, document.text(), document.analysis(), {}, "/");
  walk.addText("--check", lsp::checkReport(file, {}));
  walk.addText("--check with source", lsp::annotatedSource(file, document.text(), {}));
}

void Sample::walkViews(const std::vector<wire::View> &views, const lsp::Document &document, Walk &walk) const {
  for (const wire::View &view : views) {
    const lsp::VirtualText shown =
        lsp::wording::viewText(view, document.analysis(), document.text(), workspace_.path().string());
    walk.addText("document", shown.text);
    if (view.request.kind == wire::DocumentKind::Timeline)
      walk.addJson("timeline", lsp::features::timelineJson(shown, "mca:/a"));
  }
}

/// Without the CPU's name and the end of a row: how wide it is depends on the columns of other rows.
std::string withoutNames(const std::string &text, const std::string &cpu) {
  return StringRef(replaced(text, cpu, "CPU")).rtrim(" -").str();
}

/// Compares the walks of a sample for both CPUs. Returns how many statements of LLVM's there are.
size_t compare(const std::string &name, const Walk &a, const Walk &b) {
  size_t llvms = 0;
  EXPECT_EQ(a.statements().size(), b.statements().size()) << name;
  const size_t count = std::min(a.statements().size(), b.statements().size());
  for (size_t i = 0; i < count; ++i) {
    const Statement &one = a.statements()[i], &other = b.statements()[i];
    if (withoutNames(one.text, kMeasured) == withoutNames(other.text, kOther))
      continue;
    EXPECT_TRUE(one.namesLlvm() && other.namesLlvm())
        << name << ", " << one.where << ": depends on LLVM's model, and does not say so:\n  " << kMeasured << ": "
        << one.text << "\n  " << kOther << ": " << other.text;
    ++llvms;
  }
  return llvms;
}

/// Along a trace, with mispredictions.
TEST(CalibratedNumbers, NoneAlongATraceIsLlvms) {
  const Workspace workspace(fs::path(DEMO_FILES) / "positive.s");
  const Sample sample("positive.s", workspace, (fs::path(DEMO_FILES) / "positive.mcatrace").string());
  const std::optional<Walk> one = sample.walk(kMeasured), other = sample.walk(kOther);
  ASSERT_TRUE(one && other);
  EXPECT_TRUE(sample.isCalibrated());
  EXPECT_TRUE(std::ranges::any_of(one->statements(), [](const Statement &statement) {
    return statement.where == "hint" && statement.text.find("miss") != std::string::npos;
  }));
  EXPECT_GE(compare("positive.s", *one, *other), 5u);
}

TEST(CalibratedNumbers, NoneIsLlvmsWithoutSayingSo) {
  size_t samples = 0, llvms = 0;
  for (const std::string &name : goldens()) {
    const Workspace workspace(name);
    const Sample sample(name, workspace);
    const std::optional<Walk> one = sample.walk(kMeasured), other = sample.walk(kOther);
    if (!one || !other || !sample.isCalibrated())
      continue;
    ++samples;
    llvms += compare(name, *one, *other);
  }
  RecordProperty("samples", std::to_string(samples));
  EXPECT_GE(samples, 20u);
  EXPECT_GE(llvms, 100u) << "the two models differ too little";
}

} // namespace
} // namespace goldens
