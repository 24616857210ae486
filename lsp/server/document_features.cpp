#include "lsp/server/document_features.h"

#include "lsp/features/diagnostics.h"
#include "lsp/features/features.h"
#include "lsp/protocol/uri.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <limits>

namespace lsp {

using protocol::DocumentParams;
using protocol::PositionParams;

namespace {

/// The URI of the configuration file of a document's folder; empty if there is one already, or no folder.
std::string newConfigUri(const Document &document) {
  const std::filesystem::path file = std::filesystem::path(document.path()).parent_path() / protocol::kFolderConfigName;
  std::error_code error;
  if (!file.is_absolute() || std::filesystem::exists(file, error) || error)
    return "";
  return protocol::fileUri(file.string());
}

/// The CPUs that completions offer: those of the settings, and the one in use.
std::vector<std::string> offeredCpus(const Document &document) {
  std::vector<std::string> cpus = document.settings().worker.cpus;
  const std::string &current = document.analysis().target.cpu;
  if (!current.empty() && std::ranges::find(cpus, current) == cpus.end())
    cpus.push_back(current);
  return cpus;
}

} // namespace

DocumentFeatures::DocumentFeatures(boost::asio::io_context &io, std::chrono::milliseconds hold, MethodTable &methods,
                                   Client &client, Workspace &workspace, const DocumentJobs &jobs)
    : methods_(methods), client_(client), workspace_(workspace), jobs_(jobs),
      heldHints_(io, hold, [this](const auto &params, const HintReply &reply, bool) { reply(hintsFor(params)); }),
      heldPulls_(io, hold, [this](const auto &params, const DiagnosticReply &reply, bool late) {
        answerPull(params, reply, late);
      }) {
  methods.request("textDocument/inlayHint", this, &DocumentFeatures::inlayHint);
  methods.request("textDocument/diagnostic", this, &DocumentFeatures::documentDiagnostic);
  bindFeatures();
  bindPlaceFeatures();
}

void DocumentFeatures::answerHeld(const std::string &uri) {
  heldHints_.answer(uri);
  heldPulls_.answer(uri);
}

bool DocumentFeatures::cancel(const protocol::RequestId &id) {
  return heldHints_.cancel(id) || heldPulls_.cancel(id);
}

void DocumentFeatures::shutDown() {
  isShutDown_ = true;
  heldHints_.answerAll();
  heldPulls_.answerAll();
}

// ---- what the editor shows -----------------------------------------------------------------------------------------

void DocumentFeatures::showDiagnostics(const Document &document) {
  if (!client_.capabilities.pullsDiagnostics)
    client_.publish({document.uri(), document.version(), diagnosticsOf(document)});
  else
    refreshPulls();
}

void DocumentFeatures::refreshPulls() {
  if (client_.capabilities.pullsDiagnostics && client_.capabilities.refreshesDiagnostics)
    client_.request("workspace/diagnostic/refresh", nullptr);
}

void DocumentFeatures::refreshHints() {
  if (isShutDown_)
    return;
  refreshLensesAndTokens();
  if (client_.capabilities.refreshesInlayHints)
    client_.request("workspace/inlayHint/refresh", nullptr);
}

/// Requests lenses and tokens again, which change with an analysis or a setting as hints do. Those that a setting has
/// just turned off are requested once more, so that they disappear.
void DocumentFeatures::refreshLensesAndTokens() {
  const auto anyDocument = [this](auto wants) {
    return std::ranges::any_of(workspace_.documents, [&](const auto &entry) { return wants(entry.second.settings()); });
  };
  using Settings = protocol::UserSettings;
  const bool hadLenses = std::exchange(showsLenses_, anyDocument([](const Settings &s) { return s.codeLens; }));
  const bool hadTokens = std::exchange(showsTokens_, anyDocument([](const Settings &s) { return s.semanticTokens; }));
  if (client_.capabilities.refreshesCodeLenses && (hadLenses || showsLenses_))
    client_.request("workspace/codeLens/refresh", nullptr);
  if (client_.capabilities.refreshesSemanticTokens && (hadTokens || showsTokens_))
    client_.request("workspace/semanticTokens/refresh", nullptr);
}

bool DocumentFeatures::toggleHints() {
  hintsHidden_ = !hintsHidden_;
  return workspace_.configuration.usersSettings().inlayHints && !hintsHidden_;
}

// ---- requests that may wait ----------------------------------------------------------------------------------------

/// Without a refresh the client would show what is known now until the next edit, so its request waits. Any client
/// waits for the first analysis of a document: none has hints before it, and Neovim 0.10 to 0.12 may keep showing none
/// after the refresh, as it takes hints of one version of a text for drawn.
void DocumentFeatures::inlayHint(protocol::InlayHintParams params, HintReply reply) {
  const Document *document = workspace_.find(params.uri);
  const bool shown = document && document->settings().inlayHints;
  const bool known = document && document->analysed();
  if ((known && client_.capabilities.refreshesInlayHints) || !shown || !jobs_.isPending(params.uri))
    return reply(hintsFor(params));
  heldHints_.hold(std::move(params), std::move(reply));
}

/// None while the user has hidden them (mca.toggleHints).
std::vector<protocol::InlayHint> DocumentFeatures::hintsFor(const protocol::InlayHintParams &params) const {
  const Document *document = workspace_.find(params.uri);
  if (!document || !document->settings().inlayHints || hintsHidden_)
    return {};
  return features::inlayHints(*document, params.range, document->settings(), client_.capabilities);
}

/// A client that supports a refresh waits only for the first analysis of a document.
void DocumentFeatures::documentDiagnostic(protocol::DocumentDiagnosticParams params, DiagnosticReply reply) {
  const Document *document = workspace_.find(params.uri);
  const bool known = !document || document->analysed();
  if ((known && client_.capabilities.refreshesDiagnostics) || !jobs_.isPending(params.uri))
    return answerPull(params, reply, false);
  heldPulls_.hold(std::move(params), std::move(reply));
}

/// Before the first analysis a report would be empty, and the client would show the file as free of findings. So a pull
/// that has waited long enough fails, and the client pulls again by itself if the server cannot request that.
void DocumentFeatures::answerPull(const protocol::DocumentDiagnosticParams &params, const DiagnosticReply &reply,
                                  bool late) const {
  const Document *document = workspace_.find(params.uri);
  if (late && document && !document->analysed()) // LSP 3.17, DiagnosticServerCancellationData
    return reply.fail(protocol::ErrorCode::ServerCancelled, "the first analysis is not over yet",
                      {{"retriggerRequest", !client_.capabilities.refreshesDiagnostics}});
  auto items = document ? diagnosticsOf(*document) : std::vector<protocol::Diagnostic>();
  reply(features::diagnosticReport(std::move(items), params.previousResultId));
}

std::vector<protocol::Diagnostic> DocumentFeatures::diagnosticsOf(const Document &document) const {
  if (!document.settings().diagnostics)
    return {};
  return features::diagnostics(document.analysis().findings, document.settings(), document.text(), document.uri(),
                               client_.capabilities);
}

// ---- requests that are answered at once ----------------------------------------------------------------------------

/// Binds a request to `Result feature(const Document &, const Params &)`.
template <class Params, class Feature>
void DocumentFeatures::bindFeature(const std::string &method, Feature feature) {
  using Result = std::invoke_result_t<Feature, const Document &, const Params &>;
  methods_.request<Params, Result>(method, [this, feature](const Params &params, const Reply<Result> &reply) {
    const Document *document = workspace_.findOpened(params.uri);
    reply(document ? feature(*document, params) : Result());
  });
}

/// Those about a whole document.
void DocumentFeatures::bindFeatures() {
  bindFeature<DocumentParams>("textDocument/codeLens", [this](const Document &document, const auto &) {
    const bool withNumbers = !document.settings().inlayHints;
    return document.settings().codeLens ? features::codeLenses(document, withNumbers, client_.capabilities)
                                        : std::vector<protocol::CodeLens>();
  });
  bindFeature<DocumentParams>("textDocument/documentSymbol", [this](const Document &document, const auto &) {
    return features::documentSymbols(document, client_.capabilities);
  });
  bindFeature<DocumentParams>("textDocument/foldingRange", [this](const Document &document, const auto &) {
    return features::foldingRanges(document, client_.capabilities);
  });
  bindFeature<DocumentParams>("textDocument/semanticTokens/full", [this](const Document &document, const auto &) {
    constexpr uint32_t kEnd = std::numeric_limits<uint32_t>::max();
    return tokensIn(document, {{0, 0}, {kEnd, kEnd}});
  });
}

/// Those about a place in it.
void DocumentFeatures::bindPlaceFeatures() {
  methods_.request("inlayHint/resolve", this, &DocumentFeatures::resolveInlayHint);
  methods_.request("textDocument/definition", this, &DocumentFeatures::definition);
  bindFeature<PositionParams>("textDocument/hover", [this](const Document &document, const auto &params) {
    const auto now = static_cast<uint64_t>(std::max<std::time_t>(std::time(nullptr), 0));
    return document.settings().hover ? features::hover(document, params.position, client_.capabilities, now)
                                     : std::nullopt;
  });
  bindFeature<PositionParams>("textDocument/documentHighlight", [this](const Document &document, const auto &params) {
    return features::documentHighlights(document, params.position, client_.capabilities);
  });
  bindFeature<PositionParams>("textDocument/completion", [this](const Document &document, const auto &params) {
    return features::completions(document, params.position, offeredCpus(document), client_.capabilities);
  });
  bindFeature<protocol::CodeActionParams>("textDocument/codeAction", [this](const auto &document, const auto &params) {
    const features::ActionChoices choices{document.settings().worker.cpus,
                                          client_.capabilities.createsFiles ? newConfigUri(document) : ""};
    return features::codeActions(document, params, choices, client_.capabilities);
  });
  bindFeature<protocol::RangeParams>(
      "textDocument/semanticTokens/range",
      [this](const Document &document, const auto &params) { return tokensIn(document, params.range); });
}

void DocumentFeatures::resolveInlayHint(const protocol::InlayHintResolveParams &params,
                                        Reply<protocol::ResolvedInlayHint> reply) {
  const Document *document = params.uri.empty() ? nullptr : workspace_.findOpened(params.uri);
  protocol::ResolvedInlayHint result{params.hint, std::nullopt};
  if (document)
    result.resolved = features::resolveInlayHint(*document, params, document->settings(), client_.capabilities);
  reply(std::move(result));
}

/// From assembly to assembly, from a listing to its source, or from a source to the listings that are open.
void DocumentFeatures::definition(const PositionParams &params, Reply<protocol::Definition> reply) {
  const protocol::ClientCapabilities &client = client_.capabilities;
  if (const auto listing = protocol::parseVirtualUri(params.uri)) {
    const auto *links = workspace_.virtualDocuments.linksOf(*listing);
    return reply(links ? features::lineInBuffer(params.position.line, *links, listing->document, client)
                       : protocol::Definition{});
  }
  const Document *document = workspace_.findOpened(params.uri);
  if (!document || document->language() == analysis::wire::Language::Assembly)
    return reply(document ? features::producers(*document, params.position, client) : protocol::Definition{});
  protocol::Definition all{{}, client.definitionLinks};
  for (const Listing &listing : workspace_.virtualDocuments.listingsOf(params.uri)) {
    auto found = features::linesInListing(*document, params.position, *listing.links, listing.uri, client);
    std::ranges::move(found.links, std::back_inserter(all.links));
  }
  reply(std::move(all));
}

protocol::SemanticTokens DocumentFeatures::tokensIn(const Document &document, const protocol::Range &range) const {
  return document.settings().semanticTokens ? features::semanticTokens(document, range, client_.capabilities)
                                            : protocol::SemanticTokens();
}

} // namespace lsp
