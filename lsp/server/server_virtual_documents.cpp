// Virtual documents of server.h: asking for one, and telling the client when one has changed.
//
// A document's first text comes with the next analysis of its buffer, which is scheduled at once; the request waits for
// it. Of a C or C++ buffer with unsaved changes there is no analysis before the next save (unless it is compiled on
// change), so the document says that instead, and follows the save.
#include "lsp/features/timeline_json.h"
#include "lsp/server/server.h"
#include "lsp/wording/view_text.h"

#include <algorithm>

namespace lsp {

using analysis::wire::DocumentKind;
using analysis::wire::Language;
using protocol::Json;
using protocol::JsonResult;

protocol::VirtualUri Server::knownVirtualUri(const std::string &uri) {
  const std::optional<protocol::VirtualUri> parsed = protocol::parseVirtualUri(uri);
  if (!parsed)
    throw protocol::InvalidParams("no virtual document has this URI: " + uri);
  analysedDocument(parsed->document);
  return *parsed;
}

void Server::documentContent(const protocol::VirtualUriParams &params, Reply<JsonResult> reply) {
  const protocol::VirtualUri uri = knownVirtualUri(params.uri);
  if (uri.kind == DocumentKind::Timeline)
    throw protocol::InvalidParams("a timeline has no text: " + params.uri);
  const bool isNew = !virtual_.has(uri);
  virtual_.open(uri, params.uri, /*retarget=*/false);
  heldContent_.push_back({uri, std::move(reply)});
  if (isNew) // of another one the text is there, or on its way
    wantVirtual(uri.document);
  answerHeldContent();
}

/// The line of a position is asked for as it is now; a name goes on following the line that it was first asked for.
void Server::timeline(const protocol::TimelineParams &params, Reply<JsonResult> reply) {
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
  heldContent_.push_back({uri, std::move(reply)});
  if (!known || (params.position && !virtual_.textOf(uri)))
    wantVirtual(uri.document);
  answerHeldContent();
}

void Server::documentLinks(const protocol::VirtualUriParams &params, Reply<JsonResult> reply) {
  const protocol::VirtualUri uri = knownVirtualUri(params.uri);
  Json links = Json::array();
  if (const auto *known = virtual_.linksOf(uri))
    for (const LineLink &link : *known)
      links.push_back({{"line", link.line}, {"bufferLine", link.bufferLine}});
  reply({{{"document", uri.document}, {"links", std::move(links)}}});
}

/// Makes the documents of a finished job, whose analysis still stands at its places in the analysed text.
void Server::takeViews(const Document &document, const JobTicket &ticket,
                       const std::vector<analysis::wire::View> &views, const Analysis &analysis) {
  std::vector<VirtualText> texts;
  if (ticket.viewed)
    for (const analysis::wire::View &view : views)
      texts.push_back(wording::viewText(view, analysis, *ticket.viewed, document.path()));
  tellChanged(virtual_.jobFinished(ticket.views, std::move(texts), document.shiftsSinceJob()));
  answerHeldContent();
}

/// Has the documents of a buffer made that have no text yet.
void Server::wantVirtual(const std::string &uri) {
  prefer(uri);
  if (cannotCompile(uri))
    setPlaceholderText(uri, "The buffer has unsaved changes: save it to see this.\n");
  else
    schedule(uri);
}

bool Server::cannotCompile(const std::string &uri) const {
  const Document &document = documents_.at(uri);
  const bool compiled = document.language() != Language::Assembly;
  return compiled && !document.settings().worker.compileOnChange && baselines_.isEdited(uri);
}

void Server::setPlaceholderText(const std::string &uri, const std::string &text) {
  tellChanged(virtual_.setPlaceholderText(uri, text));
  answerHeldContent();
}

void Server::answerHeldContent() {
  heldContent_.remove_if([&](const HeldContent &held) {
    const VirtualText *text = virtual_.textOf(held.uri);
    if (text && held.uri.kind == DocumentKind::Timeline)
      held.reply({features::timelineJson(*text, protocol::toString(held.uri))});
    else if (text)
      held.reply({{{"text", text->text}}});
    else if (!virtual_.has(held.uri))
      held.reply.fail(protocol::ErrorCode::RequestCancelled, "the document was closed");
    return text || !virtual_.has(held.uri);
  });
}

bool Server::cancelHeldContent(const protocol::RequestId &id) {
  return heldContent_.remove_if([&](const HeldContent &held) {
    if (held.reply.id() == id)
      held.reply.fail(protocol::ErrorCode::RequestCancelled, "cancelled by the client");
    return held.reply.id() == id;
  }) > 0;
}

/// A client that waits for the text needs no word that it changed. A timeline is no document that an editor would
/// fetch.
void Server::tellChanged(const std::vector<std::string> &uris) {
  for (const std::string &uri : uris) {
    const std::optional<protocol::VirtualUri> changed = protocol::parseVirtualUri(uri);
    const auto waits = [&](const HeldContent &held) { return held.uri == changed; };
    if (std::any_of(heldContent_.begin(), heldContent_.end(), waits))
      continue;
    const bool isText = changed && changed->kind != DocumentKind::Timeline;
    if (isText && client_.capabilities.textDocumentContent)
      client_.request("workspace/textDocumentContent/refresh", {{"uri", uri}}, [](const std::optional<Json> &) {});
    else
      client_.notify("mca/documentChanged", {{"uri", uri}});
  }
}

void Server::closeVirtual(const protocol::VirtualUri &uri) {
  virtual_.close(uri);
  answerHeldContent();
}

} // namespace lsp
