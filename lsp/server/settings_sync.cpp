#include "lsp/server/settings_sync.h"

#include "lsp/features/diagnostics.h"
#include "lsp/protocol/diagnostics_text.h"
#include "lsp/protocol/uri.h"
#include "lsp/system/log.h"

namespace lsp {

using protocol::Json;
using protocol::PublishDiagnosticsParams;

SettingsSync::SettingsSync(MethodTable &methods, Client &client, Workspace &workspace, DocumentJobs &jobs)
    : client_(client), workspace_(workspace), jobs_(jobs) {
  methods.notification("workspace/didChangeConfiguration", this, &SettingsSync::didChangeConfiguration);
  methods.notification("workspace/didChangeWatchedFiles", this, &SettingsSync::didChangeWatchedFiles);
}

// ---- the editor's section ------------------------------------------------------------------------------------------

void SettingsSync::initialize(const Json &initializationOptions) {
  reportInvalid(workspace_.configuration.takeInitializationOptions(initializationOptions));
}

/// Clients send the section along, or null if the server is to request it.
void SettingsSync::didChangeConfiguration(const protocol::DidChangeConfigurationParams &params) {
  const auto pushed = params.settings.is_object() ? params.settings.find("mca") : params.settings.end();
  if (pushed != params.settings.end())
    takeSection(*pushed);
  else if (client_.capabilities.configuration)
    pull();
}

/// One item is requested, so the answer is an array of one. After any other answer the settings stay.
void SettingsSync::pull() {
  client_.request("workspace/configuration", {{"items", Json::array({{{"section", "mca"}}})}},
                  [this](const std::optional<Json> &result) {
                    if (result && result->is_array() && !result->empty())
                      takeSection(result->front());
                  });
}

/// Replaces the layer of the editor's section.
void SettingsSync::takeSection(const Json &section) {
  reportInvalid(workspace_.configuration.takeSection(section));
  jobs_.applySettings();
}

/// Wrong values are messages, since the user has just typed them. Ignored keys go to the log: some editors send each
/// key.
void SettingsSync::reportInvalid(const protocol::SettingsSection &section) {
  for (const std::string &wrong : section.wrong)
    client_.showMessageOnce(protocol::MessageType::Warning, "mca-lsp: " + wrong + "; the last good value stays");
  for (const std::string &key : section.ignored)
    if (loggedIgnoredKeys_.insert(key).second)
      logInfo(key + " in the configuration is ignored, as a folder could have set it; use the command line, "
                    "initializationOptions or your own configuration file");
}

// ---- files ---------------------------------------------------------------------------------------------------------

void SettingsSync::didChangeWatchedFiles(const protocol::DidChangeWatchedFilesParams &params) {
  std::set<std::string> paths;
  for (const std::string &uri : params.uris)
    if (std::string path = protocol::localPath(uri); !path.empty())
      paths.insert(std::move(path));
  jobs_.filesChanged(paths);
}

void SettingsSync::fileShown(const std::string &path, const Document *document) {
  if (!workspace_.configuration.isConfigFile(path))
    return;
  if (document) {
    workspace_.configuration.files().opened(path, document->text().bytes());
  } else {
    workspace_.configuration.files().closed(path);
    published_.erase(path); // none are published for a closed document; those of the file on disk follow
  }
  jobs_.applySettings();
}

/// The paths of those that are open, and of those that apply to an open document.
std::set<std::string> SettingsSync::filesInUse() const {
  const Configuration &configuration = workspace_.configuration;
  std::set<std::string> paths;
  for (const auto &[uri, document] : workspace_.documents) {
    if (configuration.isConfigFile(document.path()))
      paths.insert(document.path());
    if (document.language())
      paths.insert({configuration.folderFile(document.path()), configuration.userFile()});
  }
  paths.erase("");
  return paths;
}

/// With the URI and version of the open document, if the file is open: editors show diagnostics under the URI that they
/// use themselves.
PublishDiagnosticsParams SettingsSync::diagnosticsOf(const std::string &path) {
  PublishDiagnosticsParams params{protocol::fileUri(path), std::nullopt, {}};
  for (const auto &[uri, document] : workspace_.documents)
    if (document.path() == path)
      params.uri = uri, params.version = document.version();
  const protocol::UserSettings settings = workspace_.configuration.usersSettings();
  if (const LoadedConfig *file = workspace_.configuration.load(path); file && settings.diagnostics)
    params.diagnostics =
        features::diagnostics(file->content.findings, settings, file->text, params.uri, client_.capabilities);
  return params;
}

void SettingsSync::publishFindings() {
  const std::set<std::string> inUse = filesInUse();
  std::erase_if(published_, [&](const auto &known) {
    const bool gone = !inUse.contains(known.first);
    if (gone)
      client_.publish({known.second.uri, {}, {}});
    return gone;
  });
  for (const std::string &path : inUse) {
    const PublishDiagnosticsParams present = diagnosticsOf(path);
    const auto known = published_.find(path);
    const bool isKnown = known != published_.end();
    if (!isKnown && present.diagnostics.empty())
      continue;
    std::string text = toText(present);
    if (isKnown && known->second.text == text)
      continue;
    if (isKnown && known->second.uri != present.uri) // the editor spells the file's URI in its own way
      client_.publish({known->second.uri, {}, {}});
    client_.publish(present);
    published_.insert_or_assign(path, Published{present.uri, std::move(text)});
  }
}

} // namespace lsp
