// The texts of the open documents, as the editor changes them (textDocument/didOpen, didChange, didSave and didClose).
//
// After a change that cannot be made (it cannot be read, or makes the text too long) the server's text is not the
// editor's, and the next change of a range would hit another place. Such a document counts as closed until its whole
// text comes again.
#pragma once

#include "lsp/client/client.h"
#include "lsp/client/method_table.h"
#include "lsp/jobs/document_jobs.h"
#include "lsp/server/document_features.h"
#include "lsp/server/settings_sync.h"
#include "lsp/server/virtual_contents.h"
#include "lsp/workspace/workspace.h"

#include <functional>
#include <map>
#include <set>
#include <string>

namespace lsp {

/// What shows documents.
struct DocumentViews {
  DocumentFeatures &features;
  VirtualContents &contents;
  SettingsSync &settings;
};

class TextSync {
public:
  /// Binds the notifications. `closed` is called for a document that is not in the workspace any more.
  TextSync(MethodTable &methods, Client &client, Workspace &workspace, DocumentJobs &jobs, const DocumentViews &views,
           std::function<void(const std::string &uri)> closed);

  /// A message was lost, and with it perhaps a change. The version of the next one shows whether it was.
  void messageLost();

private:
  void didOpen(protocol::DidOpenParams params);
  void didChange(const protocol::DidChangeParams &params);
  void didSave(protocol::DidSaveParams params);
  void didClose(const protocol::DocumentParams &params);
  std::string applyChange(Document &document, const protocol::DidChangeParams &params);
  void close(const Document &document);
  void loseText(const Document &document, const std::string &why);
  void takeWholeText(const protocol::DidChangeParams &params);

  Client &client_;
  Workspace &workspace_;
  DocumentJobs &jobs_;
  DocumentViews views_;
  std::function<void(const std::string &uri)> closed_;
  std::map<std::string, std::string> desynced_; ///< by URI: the language of open documents whose text was lost
  std::set<std::string> maybeStale_;            ///< the URIs of documents that may have missed a change
};

} // namespace lsp
