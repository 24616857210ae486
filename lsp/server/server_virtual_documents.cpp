// Virtual documents of server.h: requests for them, and notifications that one has changed.
//
// A document's first text comes with the next analysis of its buffer, which is scheduled at once; the request waits for
// it. A C or C++ buffer with unsaved changes is not analysed before the next save (unless it is compiled on change), so
// the document says that until then.
#include "lsp/features/features.h"
#include "lsp/server/server.h"
#include "lsp/wording/view_text.h"

namespace lsp {

using analysis::wire::DocumentKind;
using analysis::wire::Language;

/// Throws InvalidParams unless the URI is that of a virtual document whose buffer is open.
protocol::VirtualUri Server::knownVirtualUri(const std::string &uri) {
  const std::optional<protocol::VirtualUri> parsed = protocol::parseVirtualUri(uri);
  if (!parsed)
    throw protocol::InvalidParams("no virtual document has this URI: " + uri);
  analysedDocument(parsed->document);
  return *parsed;
}

/// workspace/textDocumentContent of LSP 3.18, and mca/documentContent for clients without it.
void Server::documentContent(const protocol::VirtualUriParams &params, JsonReply reply) {
  const protocol::VirtualUri uri = knownVirtualUri(params.uri);
  if (uri.kind == DocumentKind::Timeline)
    throw protocol::InvalidParams("a timeline has no text: " + params.uri);
  const bool isNew = !virtual_.has(uri);
  virtual_.open(uri, params.uri, /*retarget=*/false);
  heldContent_.hold(uri, std::move(reply));
  if (isNew) // otherwise it has a text, or a job that makes one
    wantVirtual(uri.document);
  answerHeldContent();
}

/// A position means its line as it is now. A name goes on following the line that it was made for.
void Server::timeline(const protocol::TimelineParams &params, JsonReply reply) {
  protocol::VirtualUri uri;
  if (params.position) {
    analysedDocument(params.uri);
    uri = {DocumentKind::Timeline, params.uri, params.position->line};
  } else {
    uri = knownVirtualUri(params.uri);
  }
  if (uri.kind != DocumentKind::Timeline)
    throw protocol::InvalidParams("not the URI of a timeline: " + params.uri);
  const bool known = virtual_.has(uri);
  virtual_.open(uri, params.position ? protocol::toString(uri) : params.uri, /*retarget=*/params.position.has_value());
  heldContent_.hold(uri, std::move(reply));
  if (!known || (params.position && !virtual_.textOf(uri)))
    wantVirtual(uri.document);
  answerHeldContent();
}

/// mca/links: the lines of a document and those of the buffer that they stand for, all from 0.
void Server::documentLinks(const protocol::VirtualUriParams &params, JsonReply reply) {
  const protocol::VirtualUri uri = knownVirtualUri(params.uri);
  Json links = Json::array();
  if (const auto *known = virtual_.linksOf(uri))
    for (const LineLink &link : *known)
      links.push_back({{"line", link.line}, {"bufferLine", link.bufferLine}});
  reply({{"document", uri.document}, {"links", std::move(links)}});
}

/// Makes the documents of a finished job, whose analysis still has its places in the analysed text.
void Server::takeViews(const Document &document, const JobTicket &ticket,
                       const std::vector<analysis::wire::View> &views, const Analysis &analysis) {
  std::vector<VirtualText> texts;
  if (ticket.viewed)
    for (const analysis::wire::View &view : views)
      texts.push_back(wording::viewText(view, analysis, *ticket.viewed, document.path()));
  notifyChanged(virtual_.jobFinished(ticket.views, std::move(texts), document.shiftsSinceJob()));
  answerHeldContent();
}

/// Schedules the job that makes the documents of a buffer.
void Server::wantVirtual(const std::string &uri) {
  prefer(uri);
  if (cannotCompile(uri))
    setPlaceholderText(uri, "The buffer has unsaved changes: save it to see this.\n");
  else
    schedule(uri);
}

/// True while no job is scheduled for the buffer: its text is compiled only after a save.
bool Server::cannotCompile(const std::string &uri) const {
  const Document &document = documents_.at(uri);
  const bool compiled = document.language() != Language::Assembly;
  return compiled && !document.settings().worker.compileOnChange && baselines_.isEdited(uri);
}

/// Only documents that have no text yet get this one.
void Server::setPlaceholderText(const std::string &uri, const std::string &text) {
  notifyChanged(virtual_.setPlaceholderText(uri, text));
  answerHeldContent();
}

void Server::answerContent(const protocol::VirtualUri &uri, const JsonReply &reply) {
  const VirtualText *text = virtual_.textOf(uri);
  if (!text)
    reply.fail(protocol::ErrorCode::RequestCancelled, "the document was closed");
  else if (uri.kind == DocumentKind::Timeline)
    reply(features::timelineJson(*text, protocol::toString(uri)));
  else
    reply({{"text", text->text}});
}

/// A document without a text is waited for as long as it is open.
void Server::answerHeldContent() {
  heldContent_.answerIf([this](const protocol::VirtualUri &uri) { return virtual_.textOf(uri) || !virtual_.has(uri); });
}

/// A client whose request waits for the text gets it as the reply. A timeline is no document that an editor would
/// fetch.
void Server::notifyChanged(const std::vector<std::string> &uris) {
  for (const std::string &uri : uris) {
    const std::optional<protocol::VirtualUri> changed = protocol::parseVirtualUri(uri);
    if (heldContent_.holds([&](const protocol::VirtualUri &held) { return held == changed; }))
      continue;
    const bool isText = changed && changed->kind != DocumentKind::Timeline;
    if (isText && client_.capabilities.textDocumentContent)
      client_.request("workspace/textDocumentContent/refresh", {{"uri", uri}});
    else
      client_.notify("mca/documentChanged", {{"uri", uri}});
  }
}

} // namespace lsp
