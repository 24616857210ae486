#include "lsp/workspace/baselines.h"

namespace lsp {
namespace {

Baseline numbersOf(const Analysis &analysis, const char *name) {
  Baseline numbers{.name = name, .cpu = analysis.target.cpu, .regions = {}};
  for (const AnalysedRegion &region : analysis.regions)
    numbers.regions.emplace_back(fullName(region.region), figuresOf(region));
  return numbers;
}

} // namespace

void Baselines::edited(const std::string &uri) {
  Document &document = documents_[uri];
  document.text.edited = true;
  ++document.text.edits;
}

void Baselines::saved(const std::string &uri) {
  Document &document = documents_[uri];
  if (document.latest)
    document.before = std::move(document.latest);
  document.latest.reset();
  if (document.presentEdits == document.text.edits)
    document.latest = document.present;
  document.text.edited = false;
  document.headSeen = false;
  ++document.text.saves;
}

void Baselines::forget() {
  for (auto &[uri, document] : documents_)
    forget(uri);
}

void Baselines::forget(const std::string &uri) {
  Document &document = documents_[uri];
  document.before.reset();
  document.latest.reset();
  document.present.reset();
  document.head.reset();
  document.headKey = 0;
  document.headSeen = false;
}

Baselines::TextState Baselines::textState(const std::string &uri) const {
  const auto document = documents_.find(uri);
  return document == documents_.end() ? TextState() : document->second.text;
}

std::vector<Baseline> Baselines::before(const std::string &uri) const {
  std::vector<Baseline> baselines;
  const auto found = documents_.find(uri);
  if (found == documents_.end())
    return baselines;
  const Document &document = found->second;
  // An unsaved text differs from the last save; when that was never analysed, from the one before.
  const auto &save = document.text.edited && document.latest ? document.latest : document.before;
  if (save)
    baselines.push_back(*save);
  if (document.head)
    baselines.push_back(*document.head);
  return baselines;
}

void Baselines::jobFinished(const std::string &uri, const TextState &text, const Analysis &analysis) {
  Document &document = documents_[uri];
  const Baseline numbers = numbersOf(analysis, "the last save");
  document.present = numbers;
  document.presentEdits = text.edits;
  const bool ofPresentText = text.edits == document.text.edits;
  if (ofPresentText ? !document.text.edited : !text.edited && text.saves == document.text.saves)
    document.latest = numbers;
}

bool Baselines::wantsHead(const std::string &uri) const {
  const auto found = documents_.find(uri);
  if (found == documents_.end())
    return false;
  const Document &document = found->second;
  return !document.headSeen && !document.text.edited && document.latest && !document.latest->regions.empty();
}

uint64_t Baselines::knownHead(const std::string &uri) const {
  const auto document = documents_.find(uri);
  return document == documents_.end() ? 0 : document->second.headKey;
}

bool Baselines::headFinished(const std::string &uri, uint64_t head, const Analysis &analysis) {
  Document &document = documents_[uri];
  document.headSeen = true;
  if (head != 0 && head == document.headKey)
    return false;
  const std::optional<Baseline> old = std::move(document.head);
  document.headKey = head;
  document.head.reset();
  if (head != 0 && !analysis.regions.empty())
    document.head = numbersOf(analysis, "git HEAD");
  if (!document.head)
    return old.has_value();
  return !document.latest || document.head->regions != document.latest->regions;
}

} // namespace lsp
