// What an editor shows of the open documents: the requests that are answered from the last finished analysis, and
// diagnostics, which are published or pulled.
//
// Most requests are answered at once. A hint request waits for the document's job if the editor supports no refresh of
// hints, or if the document has not been analysed yet, but not for long. Nothing is published to an editor that pulls
// diagnostics: it is requested to pull again after each job, and its pulls are answered like hint requests.
#pragma once

#include "lsp/client/client.h"
#include "lsp/client/held_requests.h"
#include "lsp/client/method_table.h"
#include "lsp/jobs/document_jobs.h"
#include "lsp/protocol/types_features.h"
#include "lsp/workspace/workspace.h"

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <string>
#include <vector>

namespace lsp {

class DocumentFeatures {
public:
  /// Binds the requests. `hold`: the longest that a hint request or a pull waits for a job.
  DocumentFeatures(boost::asio::io_context &io, std::chrono::milliseconds hold, MethodTable &methods, Client &client,
                   Workspace &workspace, const DocumentJobs &jobs);

  /// Publishes the document's diagnostics or requests a pull, never both: LSP 3.17 has two models of diagnostics, and a
  /// client would show each finding twice.
  void showDiagnostics(const Document &document);
  void refreshPulls();
  /// Requests hints, lenses and tokens again: all of them show the same analysis.
  void refreshHints();
  /// Hides the hints that the settings show, or shows them again. Returns whether they are shown.
  bool toggleHints();

  /// The document's job is over or was dropped, so nothing newer will come.
  void answerHeld(const std::string &uri);
  /// False if no such request waits.
  bool cancel(const protocol::RequestId &id);
  /// Requests that wait are answered, and nothing is requested any more.
  void shutDown();

private:
  using HintReply = Reply<std::vector<protocol::InlayHint>>;
  using DiagnosticReply = Reply<protocol::DocumentDiagnosticReport>;

  // Those that may wait.
  void inlayHint(protocol::InlayHintParams params, HintReply reply);
  std::vector<protocol::InlayHint> hintsFor(const protocol::InlayHintParams &params) const;
  void documentDiagnostic(protocol::DocumentDiagnosticParams params, DiagnosticReply reply);
  void answerPull(const protocol::DocumentDiagnosticParams &params, const DiagnosticReply &reply, bool late) const;
  std::vector<protocol::Diagnostic> diagnosticsOf(const Document &document) const;

  // The others. For a document that is not open, or has no analysis yet, the answer is empty.
  template <class Params, class Feature>
  void bindFeature(const std::string &method, Feature feature);
  void bindFeatures();
  void bindPlaceFeatures();
  void resolveInlayHint(const protocol::InlayHintResolveParams &params, Reply<protocol::ResolvedInlayHint> reply);
  void definition(const protocol::PositionParams &params, Reply<protocol::Definition> reply);
  protocol::SemanticTokens tokensIn(const Document &document, const protocol::Range &range) const;

  void refreshLensesAndTokens();

  MethodTable &methods_;
  Client &client_;
  Workspace &workspace_;
  const DocumentJobs &jobs_;
  HeldRequests<protocol::InlayHintParams, std::vector<protocol::InlayHint>> heldHints_;
  HeldRequests<protocol::DocumentDiagnosticParams, protocol::DocumentDiagnosticReport> heldPulls_;
  bool showsLenses_ = false; ///< whether a document had them at the last refresh
  bool showsTokens_ = false;
  bool hintsHidden_ = false; ///< by mca.toggleHints
  bool isShutDown_ = false;
};

} // namespace lsp
