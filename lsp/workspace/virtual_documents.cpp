// A document is found through its buffer, whose jobs and edits concern all documents of it.
#include "lsp/workspace/virtual_documents.h"

#include <algorithm>

namespace lsp {

using protocol::VirtualUri;

namespace {

constexpr size_t kMaxOfBuffer = 8; ///< of those that have a text: the others are awaited

/// Links to lines that were changed are dropped.
void move(std::vector<LineLink> &links, std::span<const LineShift> shifts) {
  std::erase_if(links, [&](LineLink &link) {
    const std::optional<uint32_t> moved = moveLine(link.bufferLine, shifts);
    link.bufferLine = moved.value_or(0);
    return !moved;
  });
}

} // namespace

const std::vector<VirtualDocuments::Entry> &VirtualDocuments::of(const std::string &buffer) const {
  static const std::vector<Entry> kNone;
  const auto found = buffers_.find(buffer);
  return found == buffers_.end() ? kNone : found->second;
}

const VirtualDocuments::Entry *VirtualDocuments::find(const VirtualUri &uri) const {
  const std::vector<Entry> &entries = of(uri.document);
  const auto found = std::ranges::find(entries, uri, &Entry::uri);
  return found == entries.end() ? nullptr : &*found;
}

/// Makes room for one more. What has no text yet stays, since a request waits for it.
void VirtualDocuments::forgetOldest(std::vector<Entry> &entries) {
  const auto age = [](const Entry &entry) { return std::pair(!entry.text, entry.opened); };
  while (entries.size() >= kMaxOfBuffer) {
    const auto oldest = std::ranges::min_element(entries, {}, age);
    if (!oldest->text)
      return;
    entries.erase(oldest);
  }
}

void VirtualDocuments::open(const VirtualUri &uri, const std::string &spelling, bool retarget) {
  std::vector<Entry> &entries = buffers_[uri.document];
  auto entry = std::ranges::find(entries, uri, &Entry::uri);
  if (entry == entries.end()) {
    forgetOldest(entries);
    entry = entries.insert(entries.end(), Entry{.uri = uri, .line = uri.line});
  }
  if (retarget && entry->line != uri.line) {
    entry->line = uri.line;
    entry->text.reset();
  }
  entry->spelling = spelling;
  entry->opened = ++opened_;
}

void VirtualDocuments::close(const VirtualUri &uri) {
  const auto found = buffers_.find(uri.document);
  if (found != buffers_.end())
    std::erase_if(found->second, [&](const Entry &entry) { return entry.uri == uri; });
}

const VirtualText *VirtualDocuments::textOf(const VirtualUri &uri) const {
  const Entry *entry = find(uri);
  return entry && entry->text ? &*entry->text : nullptr;
}

std::vector<Listing> VirtualDocuments::listingsOf(const std::string &buffer) const {
  std::vector<Listing> listings;
  for (const Entry &entry : of(buffer))
    if (entry.uri.kind == wire::DocumentKind::Assembly && entry.text)
      listings.push_back({entry.spelling, &entry.text->links});
  return listings;
}

void VirtualDocuments::edited(const std::string &buffer, std::span<const LineShift> shifts) {
  for (Entry &entry : buffers_[buffer]) {
    for (const LineShift &shift : shifts)
      entry.line = shift.moveClamped(entry.line);
    if (entry.text)
      move(entry.text->links, shifts);
  }
}

std::vector<VirtualUri> VirtualDocuments::allOf(const std::string &buffer) const {
  std::vector<VirtualUri> uris;
  for (const Entry &entry : of(buffer))
    if (entry.uri.kind != wire::DocumentKind::Advice)
      uris.push_back(entry.uri);
  return uris;
}

std::vector<wire::DocumentRequest> VirtualDocuments::requests(const std::vector<VirtualUri> &uris,
                                                              const Text &text) const {
  std::vector<wire::DocumentRequest> requests;
  for (const VirtualUri &uri : uris) {
    const Entry *entry = find(uri);
    const uint32_t line = entry ? entry->line : uri.line;
    requests.push_back({uri.kind, text.lineBegin(std::min(line, text.lineCount() - 1))});
  }
  return requests;
}

std::vector<std::string> VirtualDocuments::jobFinished(const std::vector<VirtualUri> &uris,
                                                       std::vector<VirtualText> documents,
                                                       std::span<const LineShift> edits) {
  std::vector<std::string> changed;
  for (size_t i = 0; i < std::min(documents.size(), uris.size()); ++i) { // a worker may send too few or too many
    std::vector<Entry> &entries = buffers_[uris[i].document];
    const auto entry = std::ranges::find(entries, uris[i], &Entry::uri);
    if (entry == entries.end()) // it was closed while the job ran
      continue;
    if (!entry->text || entry->text->text != documents[i].text || entry->text->picture != documents[i].picture)
      changed.push_back(entry->spelling);
    entry->text = std::move(documents[i]);
    move(entry->text->links, edits);
  }
  return changed;
}

std::string VirtualDocuments::setText(const VirtualUri &uri, std::string text) {
  std::vector<Entry> &entries = buffers_[uri.document];
  const auto entry = std::ranges::find(entries, uri, &Entry::uri);
  if (entry == entries.end())
    return "";
  entry->text = VirtualText{std::move(text), {}, {}};
  return entry->spelling;
}

std::vector<std::string> VirtualDocuments::setPlaceholderText(const std::string &buffer, const std::string &text) {
  std::vector<std::string> changed;
  for (Entry &entry : buffers_[buffer])
    if (!entry.text) {
      entry.text = VirtualText{text, {}, {}};
      changed.push_back(entry.spelling);
    }
  return changed;
}

} // namespace lsp
