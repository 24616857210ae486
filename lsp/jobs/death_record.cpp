#include "lsp/jobs/death_record.h"

#include "analysis/wire/codec.h"
#include "analysis/wire/view_progress.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

namespace lsp {

using analysis::wire::AnalyzeRequest;
using analysis::wire::DocumentRequest;

namespace {

constexpr int kDeathsUntilSetAside = 2;

template <class Value>
void addTo(size_t &key, const Value &value) {
  constexpr size_t kGolden = 0x9E3779B97F4A7C15;
  key ^= std::hash<Value>{}(value) + kGolden + (key << 6) + (key >> 2);
}

size_t viewKey(size_t content, const DocumentRequest &view) {
  size_t key = content;
  addTo(key, static_cast<int>(view.kind));
  addTo(key, view.offset);
  return key;
}

/// The view that the worker was making when it died.
const DocumentRequest *viewOf(const WorkerDeath &death, const std::vector<DocumentRequest> &views) {
  const auto view = std::find_if(views.begin(), views.end(), [&](const DocumentRequest &one) {
    return death.last && analysis::wire::isAbout(*death.last, one);
  });
  return view == views.end() ? nullptr : &*view;
}

} // namespace

/// All of the message, so that no field is forgotten, but for its number, the views, and what was known before it.
DeathRecord::Content DeathRecord::contentOf(AnalyzeRequest &request) {
  std::string text = std::exchange(request.text, {}); // may be long
  AnalyzeRequest rest = request;
  request.text = std::move(text);
  rest.id = 0;
  rest.documents.clear();
  rest.reuseCompiled = false;
  rest.knownHead = 0;
  rest.knownSimulations.clear();
  Content content = 0;
  addTo(content, request.text);
  addTo(content, analysis::wire::encode(analysis::wire::ToWorker(std::move(rest))));
  return content;
}

const WorkerDeath *DeathRecord::setAside(Content content) const {
  const auto deaths = deaths_.find(content);
  return deaths != deaths_.end() && deaths->second.count >= kDeathsUntilSetAside ? &deaths->second.last : nullptr;
}

const WorkerDeath *DeathRecord::setAside(Content content, const DocumentRequest &view) const {
  return setAside(viewKey(content, view));
}

AfterDeath DeathRecord::died(Content content, const std::vector<DocumentRequest> &views, const WorkerDeath &death) {
  const DocumentRequest *view = viewOf(death, views);
  Deaths &deaths = deaths_[view ? viewKey(content, *view) : content];
  deaths.last = death;
  // What uses up its time does so again.
  deaths.count = death.cause == WorkerDeath::Cause::TimedOut ? kDeathsUntilSetAside : deaths.count + 1;
  if (deaths.count < kDeathsUntilSetAside)
    return AfterDeath::TryingAgain;
  return view ? AfterDeath::ViewSetAside : AfterDeath::SetAside;
}

void DeathRecord::survived(Content content, const std::vector<DocumentRequest> &views) {
  deaths_.erase(content);
  for (const DocumentRequest &view : views)
    deaths_.erase(viewKey(content, view));
}

} // namespace lsp
