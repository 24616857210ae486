// A job may finish after its text was edited or saved. TextState, which travels with the job, decides what its numbers
// are still valid for.
#include "lsp/workspace/baselines.h"

namespace lsp {

const Baselines::Document &Baselines::find(const std::string &uri) const {
  static const Document kNone;
  const auto document = documents_.find(uri);
  return document == documents_.end() ? kNone : document->second;
}

void Baselines::edited(const std::string &uri) {
  TextState &text = documents_[uri].text;
  text.edited = true;
  ++text.edits;
}

void Baselines::saved(const std::string &uri) {
  Document &document = documents_[uri];
  if (document.latest)
    document.before = std::exchange(document.latest, std::nullopt);
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
  const TextState text = document.text;
  document = {};
  document.text = text;
}

std::vector<Baseline> Baselines::before(const std::string &uri) const {
  const Document &document = find(uri);
  // An unsaved text is compared with the last save, or, if that was never analysed, with the one before.
  const auto &save = document.text.edited && document.latest ? document.latest : document.before;
  std::vector<Baseline> baselines;
  for (const std::optional<Baseline> *baseline : {&save, &document.head})
    if (*baseline)
      baselines.push_back(**baseline);
  return baselines;
}

void Baselines::jobFinished(const std::string &uri, const TextState &text, const Analysis &analysis) {
  Document &document = documents_[uri];
  const Baseline numbers = numbersOf(analysis, "the last save");
  document.present = numbers;
  document.presentEdits = text.edits;
  // Numbers of the saved text are a baseline even if the text was edited while the job ran, but not if it was saved.
  const bool ofPresentText = text.edits == document.text.edits;
  if (ofPresentText ? !document.text.edited : !text.edited && text.saves == document.text.saves)
    document.latest = numbers;
}

bool Baselines::wantsHead(const std::string &uri) const {
  const Document &document = find(uri);
  return !document.headSeen && !document.text.edited && document.latest && !document.latest->regions.empty();
}

bool Baselines::headFinished(const std::string &uri, uint64_t head, const Analysis &analysis) {
  Document &document = documents_[uri];
  document.headSeen = true;
  if (head != 0 && head == document.headKey)
    return false;
  document.headKey = head;
  const bool hadNumbers = std::exchange(document.head, std::nullopt).has_value();
  if (head == 0 || analysis.regions.empty())
    return hadNumbers;
  document.head = numbersOf(analysis, "git HEAD");
  return !document.latest || document.head->figures != document.latest->figures;
}

} // namespace lsp
