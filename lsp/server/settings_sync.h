// Settings as the editor has them: its own section, the configuration files that it shows or watches, and the findings
// about these, which are published to every editor. In which order the layers apply, settings/settings.h says.
#pragma once

#include "lsp/client/client.h"
#include "lsp/client/method_table.h"
#include "lsp/jobs/document_jobs.h"
#include "lsp/protocol/types.h"
#include "lsp/settings/settings.h"
#include "lsp/workspace/workspace.h"

#include <map>
#include <set>
#include <string>

namespace lsp {

class SettingsSync {
public:
  /// Binds the notifications.
  SettingsSync(MethodTable &methods, Client &client, Workspace &workspace, DocumentJobs &jobs);

  void initialize(const protocol::Json &initializationOptions);
  /// Requests the editor's section.
  void pull();
  /// The editor shows a document, has changed it, or has closed it (null).
  void fileShown(const std::string &path, const Document *document);
  /// Publishes the findings about the configuration files in use, as far as the client does not have them yet.
  void publishFindings();

private:
  /// The diagnostics of a configuration file as they were published last, to publish only what has changed.
  struct Published {
    std::string uri;
    std::string text;
  };

  void didChangeConfiguration(const protocol::DidChangeConfigurationParams &params);
  void didChangeWatchedFiles(const protocol::DidChangeWatchedFilesParams &params);
  void takeSection(const protocol::Json &section);
  void reportInvalid(const protocol::SettingsSection &section);
  std::set<std::string> filesInUse() const;
  protocol::PublishDiagnosticsParams diagnosticsOf(const std::string &path);

  Client &client_;
  Workspace &workspace_;
  DocumentJobs &jobs_;
  std::set<std::string> loggedIgnoredKeys_;    ///< of the editor's section
  std::map<std::string, Published> published_; ///< by the file's path
};

} // namespace lsp
