// What the server knows of an editor's session: the open documents, their settings, what their numbers are compared
// with, and the virtual documents beside them.
#pragma once

#include "lsp/settings/configuration.h"
#include "lsp/workspace/baselines.h"
#include "lsp/workspace/document.h"
#include "lsp/workspace/virtual_documents.h"

#include <map>
#include <string>

namespace lsp {

struct Workspace {
  /// Null if it is not open.
  Document *find(const std::string &uri);
  const Document *find(const std::string &uri) const;
  /// The same for a document that a client must not name before it has opened it: if it is not open, that is logged.
  Document *findOpened(const std::string &uri);
  /// Throws InvalidParams for a document that is not open, or not ours to analyse.
  Document &analysed(const std::string &uri);
  /// True while no job is scheduled for the open document after an edit: its text is compiled only after a save.
  bool awaitsSave(const std::string &uri) const;

  std::map<std::string, Document> documents; ///< those that are open, by URI
  Configuration configuration;
  Baselines baselines;
  VirtualDocuments virtualDocuments;
};

} // namespace lsp
