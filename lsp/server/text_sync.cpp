#include "lsp/server/text_sync.h"

#include "lsp/protocol/virtual_uri.h"
#include "lsp/system/log.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lsp {
namespace {

bool isWholeText(const protocol::ContentChange &change) {
  return !change.range;
}

} // namespace

TextSync::TextSync(MethodTable &methods, Client &client, Workspace &workspace, DocumentJobs &jobs,
                   const DocumentViews &views, std::function<void(const std::string &uri)> closed)
    : client_(client), workspace_(workspace), jobs_(jobs), views_(views), closed_(std::move(closed)) {
  methods.notification("textDocument/didOpen", this, &TextSync::didOpen);
  methods.notification("textDocument/didChange", this, &TextSync::didChange);
  methods.notification("textDocument/didSave", this, &TextSync::didSave);
  methods.notification("textDocument/didClose", this, &TextSync::didClose);
}

/// Replaces a document that is open already: a client that opens one twice means the newer text.
void TextSync::didOpen(protocol::DidOpenParams params) {
  if (protocol::isVirtual(params.uri))
    return; // made by us from an analysis
  if (workspace_.documents.contains(params.uri))
    logError("opened twice: " + params.uri);
  desynced_.erase(params.uri);
  maybeStale_.erase(params.uri);
  Document document(params, std::move(params.text));
  const bool ours = document.language().has_value();
  logInfo((ours ? "opened " : "opened, not ours: ") + params.uri);
  Document &added = workspace_.documents.insert_or_assign(params.uri, std::move(document)).first->second;
  added.setSettings(workspace_.configuration.settingsFor(added.path()));
  views_.settings.fileShown(added.path(), &added);
  views_.settings.publishFindings();
  if (ours)
    jobs_.opened(params.uri);
}

void TextSync::didChange(const protocol::DidChangeParams &params) {
  if (protocol::isVirtual(params.uri))
    return;
  if (desynced_.contains(params.uri))
    return takeWholeText(params);
  Document *document = workspace_.findOpened(params.uri);
  if (!document)
    return;
  if (const std::string why = applyChange(*document, params); !why.empty())
    return loseText(*document, why);
  views_.settings.fileShown(document->path(), document);
  if (document->language())
    jobs_.edited(*document);
}

/// Why the change could not be made; empty if it was.
std::string TextSync::applyChange(Document &document, const protocol::DidChangeParams &params) {
  const std::optional<int64_t> before = document.version();
  if (params.version && before && *params.version <= *before)
    logError("version " + std::to_string(*params.version) + " follows " + std::to_string(*before) + ": " + params.uri);
  const bool isNext = params.version && before && *params.version == *before + 1;
  const bool replacesAll = std::ranges::any_of(params.changes, isWholeText);
  if (!params.unreadable.empty())
    return "a change of it cannot be read: " + params.unreadable;
  if (maybeStale_.erase(params.uri) && !isNext && !replacesAll)
    return "a message of the editor was lost";
  try {
    return document.apply(params, client_.capabilities.encoding) ? "" : "it has become too long";
  } catch (const std::exception &error) {
    return error.what();
  }
}

void TextSync::messageLost() {
  for (const auto &[uri, document] : workspace_.documents)
    maybeStale_.insert(uri);
}

/// The document counts as closed. Only the user can help: editors send a whole text again when they open the file.
void TextSync::loseText(const Document &document, const std::string &why) {
  logError("lost track of " + document.uri() + ": " + why);
  desynced_[document.uri()] = document.languageId();
  if (document.language())
    client_.showMessage(protocol::MessageType::Warning,
                        "mca-lsp has lost track of the text of " + document.path() + " (" + why +
                            "). It shows nothing there until you close the file and open it again.");
  close(document);
  views_.features.refreshPulls();
  jobs_.updateHints();
}

/// Opens a document whose text was lost again, if one of the changes is the whole text.
void TextSync::takeWholeText(const protocol::DidChangeParams &params) {
  const auto &changes = params.changes;
  const auto after = std::find_if(changes.rbegin(), changes.rend(), isWholeText).base();
  if (after == changes.begin())
    return logVerbose("a change of a text that is not known: " + params.uri);
  const bool isLast = after == changes.end();
  didOpen({params.uri, desynced_.at(params.uri), isLast ? params.version : std::nullopt, std::prev(after)->text});
  if (!isLast)
    didChange({params.uri, params.version, {after, changes.end()}, {}});
}

/// A text that comes with the save is the truth, even if it differs from ours.
void TextSync::didSave(protocol::DidSaveParams params) {
  const Document *open = workspace_.find(params.uri);
  const bool sameText = !params.text || (open && open->text().bytes() == *params.text);
  if (!sameText)
    didChange({params.uri, {}, {{std::nullopt, std::move(*params.text)}}, {}});
  if (desynced_.contains(params.uri))
    return jobs_.otherFileSaved();
  const Document *document = workspace_.findOpened(params.uri);
  if (document)
    views_.settings.fileShown(document->path(), document);
  if (document && document->language())
    jobs_.saved(*document);
}

void TextSync::didClose(const protocol::DocumentParams &params) {
  if (const auto virtualUri = protocol::parseVirtualUri(params.uri))
    return views_.contents.close(*virtualUri);
  if (desynced_.erase(params.uri) != 0)
    return;
  if (const Document *document = workspace_.findOpened(params.uri))
    close(*document);
}

/// Diagnostics of a closed document are withdrawn, as LSP 3.17 (PublishDiagnostics) makes the server their owner. A
/// client that pulls drops its own.
void TextSync::close(const Document &document) {
  // Copies, because the document is erased below.
  const std::string uri = document.uri();   // NOLINT(performance-unnecessary-copy-initialization)
  const std::string path = document.path(); // NOLINT(performance-unnecessary-copy-initialization)
  maybeStale_.erase(uri);
  workspace_.documents.erase(uri);
  closed_(uri);
  if (!client_.capabilities.pullsDiagnostics || workspace_.configuration.isConfigFile(path))
    client_.publish({uri, {}, {}});
  views_.settings.fileShown(path, nullptr);
  views_.settings.publishFindings();
}

} // namespace lsp
