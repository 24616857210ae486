// The requests of server.h that are answered at once from the last finished analysis. For a document that is not open,
// or has no analysis yet, the answer is empty.
#include "lsp/features/features.h"
#include "lsp/protocol/uri.h"
#include "lsp/server/server.h"

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

/// Binds a request to `Result feature(const Document &, const Params &)`.
template <class Params, class Feature>
void Server::bindFeature(const std::string &method, Feature feature) {
  using Result = std::invoke_result_t<Feature, const Document &, const Params &>;
  methods_.request<Params, Result>(method, [this, feature](const Params &params, const Reply<Result> &reply) {
    const Document *document = find(params.uri);
    reply(document ? feature(*document, params) : Result());
  });
}

/// Those about a whole document.
void Server::bindFeatures() {
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
void Server::bindPlaceFeatures() {
  methods_.request("inlayHint/resolve", this, &Server::resolveInlayHint);
  methods_.request("textDocument/definition", this, &Server::definition);
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

void Server::resolveInlayHint(const protocol::InlayHintResolveParams &params,
                              Reply<protocol::ResolvedInlayHint> reply) {
  const Document *document = params.uri.empty() ? nullptr : find(params.uri);
  protocol::ResolvedInlayHint result{params.hint, std::nullopt};
  if (document)
    result.resolved = features::resolveInlayHint(*document, params, document->settings(), client_.capabilities);
  reply(std::move(result));
}

/// From assembly to assembly, from a listing to its source, or from a source to the listings that are open.
void Server::definition(const PositionParams &params, Reply<protocol::Definition> reply) {
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
    auto found = features::linesInListing(*document, params.position, *listing.links, listing.uri, client);
    std::ranges::move(found.links, std::back_inserter(all.links));
  }
  reply(std::move(all));
}

protocol::SemanticTokens Server::tokensIn(const Document &document, const protocol::Range &range) const {
  return document.settings().semanticTokens ? features::semanticTokens(document, range, client_.capabilities)
                                            : protocol::SemanticTokens();
}

/// Requests lenses and tokens again, which change with an analysis or a setting as hints do. Those that a setting has
/// just turned off are requested once more, so that they disappear.
void Server::refreshFeatures() {
  if (state_ != State::Running)
    return;
  const auto anyDocument = [this](auto wants) {
    return std::ranges::any_of(documents_, [&](const auto &entry) { return wants(entry.second.settings()); });
  };
  using Settings = protocol::UserSettings;
  const bool hadLenses = std::exchange(showsLenses_, anyDocument([](const Settings &s) { return s.codeLens; }));
  const bool hadTokens = std::exchange(showsTokens_, anyDocument([](const Settings &s) { return s.semanticTokens; }));
  if (client_.capabilities.refreshesCodeLenses && (hadLenses || showsLenses_))
    client_.request("workspace/codeLens/refresh", nullptr);
  if (client_.capabilities.refreshesSemanticTokens && (hadTokens || showsTokens_))
    client_.request("workspace/semanticTokens/refresh", nullptr);
}

} // namespace lsp
