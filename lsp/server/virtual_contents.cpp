#include "lsp/server/virtual_contents.h"

#include "lsp/features/features.h"

namespace lsp {

using analysis::wire::DocumentKind;

VirtualContents::VirtualContents(boost::asio::io_context &io, MethodTable &methods, Client &client,
                                 Workspace &workspace, DocumentJobs &jobs)
    : client_(client), workspace_(workspace), jobs_(jobs),
      held_(io, std::nullopt, [this](const auto &uri, const JsonReply &reply, bool) { answer(uri, reply); }) {
  methods.request("workspace/textDocumentContent", this, &VirtualContents::content); // of LSP 3.18
  methods.request("mca/documentContent", this, &VirtualContents::content);           // for clients without it
  methods.request("mca/links", this, &VirtualContents::links);
  methods.request("mca/timeline", this, &VirtualContents::timeline);
}

/// Throws InvalidParams unless the URI is that of a virtual document whose buffer is open.
protocol::VirtualUri VirtualContents::knownUri(const std::string &uri) {
  const std::optional<protocol::VirtualUri> parsed = protocol::parseVirtualUri(uri);
  if (!parsed)
    throw protocol::InvalidParams("no virtual document has this URI: " + uri);
  workspace_.analysed(parsed->document);
  return *parsed;
}

std::string VirtualContents::open(const protocol::VirtualUri &uri) {
  std::string spelling = protocol::toString(uri);
  workspace_.virtualDocuments.open(uri, spelling, /*retarget=*/true);
  if (!workspace_.virtualDocuments.textOf(uri))
    jobs_.makeVirtualDocuments(uri.document);
  return spelling;
}

std::string VirtualContents::show(const protocol::VirtualUri &uri, std::string text) {
  std::string spelling = protocol::toString(uri);
  workspace_.virtualDocuments.open(uri, spelling, /*retarget=*/true);
  if (std::string known = workspace_.virtualDocuments.setText(uri, std::move(text)); !known.empty())
    changed({std::move(known)});
  return spelling;
}

void VirtualContents::close(const protocol::VirtualUri &uri) {
  workspace_.virtualDocuments.close(uri);
  answerHeld();
}

void VirtualContents::content(const protocol::UriParams &params, JsonReply reply) {
  const protocol::VirtualUri uri = knownUri(params.uri);
  if (uri.kind == DocumentKind::Timeline)
    throw protocol::InvalidParams("a timeline has no text: " + params.uri);
  const bool isNew = !workspace_.virtualDocuments.has(uri);
  workspace_.virtualDocuments.open(uri, params.uri, /*retarget=*/false);
  held_.hold(uri, std::move(reply));
  if (isNew && uri.kind == DocumentKind::Advice)
    workspace_.virtualDocuments.setText(uri, "Nothing was asked yet: run the command mca.advise on the loop.\n");
  else if (isNew) // otherwise it has a text, or a job that makes one
    jobs_.makeVirtualDocuments(uri.document);
  answerHeld();
}

/// A position means its line as it is now. A name goes on following the line that it was made for.
void VirtualContents::timeline(const protocol::TimelineParams &params, JsonReply reply) {
  protocol::VirtualUri uri;
  if (params.position) {
    workspace_.analysed(params.uri);
    uri = {DocumentKind::Timeline, params.uri, params.position->line};
  } else {
    uri = knownUri(params.uri);
  }
  if (uri.kind != DocumentKind::Timeline)
    throw protocol::InvalidParams("not the URI of a timeline: " + params.uri);
  VirtualDocuments &documents = workspace_.virtualDocuments;
  const bool known = documents.has(uri);
  documents.open(uri, params.position ? protocol::toString(uri) : params.uri,
                 /*retarget=*/params.position.has_value());
  held_.hold(uri, std::move(reply));
  if (!known || (params.position && !documents.textOf(uri)))
    jobs_.makeVirtualDocuments(uri.document);
  answerHeld();
}

/// The lines of a document and those of the buffer that they stand for, all from 0.
void VirtualContents::links(const protocol::UriParams &params, JsonReply reply) {
  const protocol::VirtualUri uri = knownUri(params.uri);
  Json links = Json::array();
  if (const auto *known = workspace_.virtualDocuments.linksOf(uri))
    for (const LineLink &link : *known)
      links.push_back({{"line", link.line}, {"bufferLine", link.bufferLine}});
  reply({{"document", uri.document}, {"links", std::move(links)}});
}

void VirtualContents::answer(const protocol::VirtualUri &uri, const JsonReply &reply) const {
  const VirtualText *text = workspace_.virtualDocuments.textOf(uri);
  if (!text)
    reply.fail(protocol::ErrorCode::RequestCancelled, "the document was closed");
  else if (uri.kind == DocumentKind::Timeline)
    reply(features::timelineJson(*text, protocol::toString(uri)));
  else
    reply({{"text", text->text}});
}

/// A document without a text is waited for as long as it is open.
void VirtualContents::answerHeld() {
  const VirtualDocuments &documents = workspace_.virtualDocuments;
  held_.answerIf([&](const protocol::VirtualUri &uri) { return documents.textOf(uri) || !documents.has(uri); });
}

void VirtualContents::changed(const std::vector<std::string> &uris) {
  notifyChanged(uris);
  answerHeld();
}

/// A client whose request waits for the text gets it as the reply. A timeline is no document that an editor would
/// fetch.
void VirtualContents::notifyChanged(const std::vector<std::string> &uris) {
  for (const std::string &uri : uris) {
    const std::optional<protocol::VirtualUri> changed = protocol::parseVirtualUri(uri);
    if (held_.holds([&](const protocol::VirtualUri &held) { return held == changed; }))
      continue;
    const bool isText = changed && changed->kind != DocumentKind::Timeline;
    if (isText && client_.capabilities.textDocumentContent)
      client_.request("workspace/textDocumentContent/refresh", {{"uri", uri}});
    else
      client_.notify("mca/documentChanged", {{"uri", uri}});
  }
}

} // namespace lsp
