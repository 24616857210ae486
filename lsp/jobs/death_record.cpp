// How contents and views are distinguished and counted.
#include "lsp/jobs/death_record.h"

#include "analysis/wire/codec.h"
#include "analysis/wire/view_progress.h"

#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <functional>
#include <string>
#include <utility>

namespace lsp {

using analysis::wire::AnalyzeRequest;
using analysis::wire::DocumentRequest;

namespace {

constexpr int kDeathsUntilSetAside = 2;

size_t viewKey(size_t content, const DocumentRequest &view) {
  boost::hash_combine(content, static_cast<int>(view.kind));
  boost::hash_combine(content, view.offset);
  return content;
}

} // namespace

/// By the whole message, so that no field can be forgotten, without its number, its views, and what was known before
/// it.
DeathRecord::Content DeathRecord::contentOf(AnalyzeRequest &request) {
  std::string text = std::exchange(request.text, {}); // may be long: it is not copied
  AnalyzeRequest rest = request;
  request.text = std::move(text);
  rest.id = 0;
  rest.documents.clear();
  rest.reuseCompiled = false;
  rest.fileEvents = 0;
  rest.knownHead = 0;
  rest.knownSimulations.clear();
  const std::hash<std::string> hash;
  Content content = hash(request.text);
  boost::hash_combine(content, hash(analysis::wire::encode(analysis::wire::ToWorker(std::move(rest)))));
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
  const auto view = std::ranges::find_if(
      views, [&](const DocumentRequest &one) { return death.last && analysis::wire::isAbout(*death.last, one); });
  const bool isOfView = view != views.end();
  Deaths &deaths = deaths_[isOfView ? viewKey(content, *view) : content];
  deaths.last = death;
  deaths.count = death.wouldRepeat ? kDeathsUntilSetAside : deaths.count + 1;
  if (deaths.count < kDeathsUntilSetAside)
    return AfterDeath::TryingAgain;
  return isOfView ? AfterDeath::ViewSetAside : AfterDeath::SetAside;
}

void DeathRecord::survived(Content content, const std::vector<DocumentRequest> &views) {
  deaths_.erase(content);
  for (const DocumentRequest &view : views)
    deaths_.erase(viewKey(content, view));
}

} // namespace lsp
