#include "lsp/check/check_advice.h"

#include "lsp/check/check_file.h"
#include "lsp/wording/advice_text.h"
#include "lsp/wording/loops_of_line.h"

#include <algorithm>
#include <utility>

namespace lsp {

using analysis::wire::AnalysisResult;
using analysis::wire::AnalyzeRequest;

namespace {

/// With a profile, loops that take less of the program's time are not tried.
constexpr double kLeastShare = 0.01;

} // namespace

FileAdvice::FileAdvice(AnalyzeRequest request, const Analysis &analysis, const Text &text, bool comparesResults,
                       bool measures)
    : request_(std::move(request)), comparesResults_(comparesResults), measures_(measures) {
  if (request_.language == analysis::wire::Language::Assembly)
    return;
  request_.reuseCompiled = true; // the worker has just compiled it
  using analysis::wire::RegionKind;
  std::vector<std::pair<double, uint32_t>> byShare;
  for (const auto &[line, onLine] : wording::loopsByLine(analysis, text, 0, text.lineCount() - 1)) {
    const analysis::wire::Region &region = onLine.front().front()->region;
    const bool isCold = analysis.target.profile.hasCode && region.profiled.share < kLeastShare;
    if ((region.kind == RegionKind::Loop || region.kind == RegionKind::Path) && !isCold)
      byShare.push_back({region.profiled.share, line});
  }
  std::ranges::reverse(byShare);
  std::ranges::stable_sort(byShare, {}, &std::pair<double, uint32_t>::first);
  for (const auto &[share, line] : byShare)
    lines_.push_back(line);
}

std::optional<AnalyzeRequest> FileAdvice::next() {
  for (;;) {
    if (!run_) {
      if (lines_.empty())
        return std::nullopt;
      run_.emplace(request_, lines_.back(), comparesResults_, measures_);
      lines_.pop_back();
    }
    if (std::optional<AdviceRun::Step> step = run_->next()) {
      step_ = step->number;
      return std::move(step->request);
    }
    reports_.push_back(run_->report());
    run_.reset();
  }
}

std::optional<AdviceRun::Check> FileAdvice::nextCheck() {
  if (checks_.empty() && run_ && run_->isOver())
    checks_ = run_->checks();
  if (checks_.empty())
    return std::nullopt;
  const AdviceRun::Check check = checks_.back();
  checks_.pop_back();
  return check;
}

std::optional<AdviceRun::Timing> FileAdvice::nextTiming() {
  if (timings_.empty() && run_ && run_->isOver())
    timings_ = run_->timings();
  if (timings_.empty())
    return std::nullopt;
  const AdviceRun::Timing timing = timings_.back();
  timings_.pop_back();
  return timing;
}

void FileAdvice::take(std::optional<AnalysisResult> result) {
  run_->take(step_, std::move(result));
}

void FileAdvice::addTo(CheckFile &file, const Text &text) const {
  for (const AdviceReport &report : reports_) {
    const auto region = std::ranges::find_if(file.regions, [&](const CheckRegion &one) {
      return one.loop == report.number && isLoop(one) && !report.loop.empty();
    });
    if (region == file.regions.end())
      continue;
    region->isAdvised = report.failure.empty();
    if (!report.failure.empty())
      region->tried.push_back("nothing: " + report.failure);
    for (const Advice &advice : report.advice)
      region->advice.push_back(checkAdvice(advice, text));
    if (const std::string kept = wording::sourceKeptInWords(report); !kept.empty())
      region->tried.push_back("changes of the loop's text: not tried, " + kept);
    for (const TriedChange &tried : report.others)
      region->tried.push_back(wording::changeInWords(tried) + ": " + wording::endInWords(tried) +
                              wording::blockedInWords(tried));
  }
}

} // namespace lsp
