// The requests of server.h beyond hints and hovers. All are answered at once from the last finished analysis; a
// document that is not open, or of which nothing is known, has an empty answer.
#include "lsp/features/code_actions.h"
#include "lsp/features/code_lens.h"
#include "lsp/features/completion.h"
#include "lsp/features/definition.h"
#include "lsp/features/document_highlight.h"
#include "lsp/features/document_symbols.h"
#include "lsp/features/inlay_hint.h"
#include "lsp/features/semantic_tokens.h"
#include "lsp/protocol/conversions_features.h"
#include "lsp/protocol/uri.h"
#include "lsp/server/server.h"

#include <algorithm>
#include <filesystem>
#include <limits>

namespace lsp {
namespace {

constexpr const char *kConfigFile = ".mca-lsp.json";

/// The URI of a document's folder's configuration file; empty when there is one, or no folder.
std::string newConfigUri(const Document &document) {
  const std::filesystem::path file = std::filesystem::path(document.path()).parent_path() / kConfigFile;
  std::error_code error;
  if (!file.is_absolute() || std::filesystem::exists(file, error) || error)
    return "";
  return protocol::fileUri(file.string());
}

} // namespace

void Server::bindFeatures() {
  methods_.request("inlayHint/resolve", this, &Server::resolveInlayHint);
  methods_.request("textDocument/codeAction", this, &Server::codeAction);
  methods_.request("textDocument/codeLens", this, &Server::codeLens);
  methods_.request("textDocument/documentSymbol", this, &Server::documentSymbol);
  methods_.request("textDocument/foldingRange", this, &Server::foldingRange);
  methods_.request("textDocument/documentHighlight", this, &Server::documentHighlight);
  methods_.request("textDocument/definition", this, &Server::definition);
  methods_.request("textDocument/completion", this, &Server::completion);
  methods_.request("textDocument/semanticTokens/full", this, &Server::semanticTokensFull);
  methods_.request("textDocument/semanticTokens/range", this, &Server::semanticTokensRange);
}

void Server::resolveInlayHint(const protocol::InlayHintResolveParams &params,
                              Reply<protocol::ResolvedInlayHint> reply) {
  const Document *document = params.uri.empty() ? nullptr : find(params.uri);
  protocol::ResolvedInlayHint result{params.hint, std::nullopt};
  if (document)
    result.resolved = features::resolveInlayHint(*document, params, document->settings(), client_.capabilities);
  reply(result);
}

void Server::codeAction(const protocol::CodeActionParams &params, Reply<std::vector<protocol::CodeAction>> reply) {
  const Document *document = find(params.uri);
  if (!document)
    return reply({});
  const features::ActionChoices choices{document->settings().worker.cpus,
                                        client_.capabilities.createsFiles ? newConfigUri(*document) : ""};
  reply(features::codeActions(*document, params, choices, client_.capabilities));
}

void Server::codeLens(const protocol::DocumentParams &params, Reply<std::vector<protocol::CodeLens>> reply) {
  const Document *document = find(params.uri);
  const bool wanted = document && document->settings().codeLens && !document->settings().inlayHints;
  reply(wanted ? features::codeLenses(*document, client_.capabilities) : std::vector<protocol::CodeLens>{});
}

void Server::documentSymbol(const protocol::DocumentParams &params, Reply<protocol::DocumentSymbols> reply) {
  const Document *document = find(params.uri);
  reply(document ? features::documentSymbols(*document, client_.capabilities) : protocol::DocumentSymbols{});
}

void Server::foldingRange(const protocol::DocumentParams &params, Reply<std::vector<protocol::FoldingRange>> reply) {
  const Document *document = find(params.uri);
  reply(document ? features::foldingRanges(*document, client_.capabilities) : std::vector<protocol::FoldingRange>{});
}

void Server::documentHighlight(const protocol::PositionParams &params,
                               Reply<std::vector<protocol::DocumentHighlight>> reply) {
  const Document *document = find(params.uri);
  reply(document ? features::documentHighlights(*document, params.position, client_.capabilities)
                 : std::vector<protocol::DocumentHighlight>{});
}

void Server::definition(const protocol::PositionParams &params, Reply<protocol::Definition> reply) {
  const protocol::ClientCapabilities &client = client_.capabilities;
  if (const auto listing = protocol::parseVirtualUri(params.uri)) {
    const auto *links = virtual_.linksOf(*listing);
    return reply(links ? features::lineInBuffer(params.position.line, *links, listing->document, client)
                       : protocol::Definition{});
  }
  const Document *document = find(params.uri);
  if (!document || document->language() == analysis::wire::Language::Assembly)
    return reply(document ? features::producers(*document, params.position, client) : protocol::Definition{});
  protocol::Definition all{{}, client.definitionLinks};
  for (const Listing &listing : virtual_.listingsOf(params.uri)) {
    const auto found = features::linesInListing(*document, params.position, *listing.links, listing.uri, client);
    all.links.insert(all.links.end(), found.links.begin(), found.links.end());
  }
  reply(all);
}

void Server::completion(const protocol::PositionParams &params, Reply<std::vector<protocol::CompletionItem>> reply) {
  const Document *document = find(params.uri);
  if (!document)
    return reply({});
  std::vector<std::string> cpus = document->settings().worker.cpus;
  const std::string &present = document->analysis().target.cpu;
  if (!present.empty() && std::find(cpus.begin(), cpus.end(), present) == cpus.end())
    cpus.push_back(present);
  reply(features::completions(*document, params.position, cpus, client_.capabilities));
}

void Server::semanticTokensFull(const protocol::DocumentParams &params, Reply<protocol::SemanticTokens> reply) {
  constexpr uint32_t kAll = std::numeric_limits<uint32_t>::max();
  semanticTokensRange({params.uri, {{0, 0}, {kAll, kAll}}}, std::move(reply));
}

void Server::semanticTokensRange(const protocol::RangeParams &params, Reply<protocol::SemanticTokens> reply) {
  const Document *document = find(params.uri);
  reply(document && document->settings().semanticTokens
            ? features::semanticTokens(*document, params.range, client_.capabilities)
            : protocol::SemanticTokens{});
}

/// Lenses and tokens follow an analysis or a setting as hints do; those that were turned off go away.
void Server::refreshFeatures() {
  if (state_ != State::Running)
    return;
  const auto ignore = [](const std::optional<protocol::Json> &) {};
  const auto anyone = [this](auto wants) {
    return std::any_of(documents_.begin(), documents_.end(),
                       [&](const auto &entry) { return wants(entry.second.settings()); });
  };
  using Settings = protocol::UserSettings;
  const bool hadLenses =
      std::exchange(showsLenses_, anyone([](const Settings &s) { return s.codeLens && !s.inlayHints; }));
  const bool hadTokens = std::exchange(showsTokens_, anyone([](const Settings &s) { return s.semanticTokens; }));
  if (client_.capabilities.refreshesCodeLenses && (hadLenses || showsLenses_))
    client_.request("workspace/codeLens/refresh", nullptr, ignore);
  if (client_.capabilities.refreshesSemanticTokens && (hadTokens || showsTokens_))
    client_.request("workspace/semanticTokens/refresh", nullptr, ignore);
}

} // namespace lsp
