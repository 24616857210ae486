// Settings of server.h: their sources, the configuration files and the findings about these. In which order layers
// apply, protocol/settings.h says.
#include "lsp/features/diagnostics.h"
#include "lsp/protocol/diagnostics_text.h"
#include "lsp/protocol/uri.h"
#include "lsp/server/server.h"
#include "lsp/system/log.h"

#include <algorithm>
#include <boost/asio/post.hpp>

namespace lsp {

using protocol::PublishDiagnosticsParams;

// ---- the editor's section ------------------------------------------------------------------------------------------

/// Clients send the section along, or null if the server is to request it.
void Server::didChangeConfiguration(const protocol::DidChangeConfigurationParams &params) {
  const auto pushed = params.settings.is_object() ? params.settings.find("mca") : params.settings.end();
  if (pushed != params.settings.end())
    takeConfiguration(*pushed);
  else if (client_.capabilities.configuration)
    pullConfiguration();
}

/// One item is requested, so the answer is an array of one. After any other answer the settings stay.
void Server::pullConfiguration() {
  client_.request("workspace/configuration", {{"items", Json::array({{{"section", "mca"}}})}},
                  [this](const std::optional<Json> &result) {
                    if (result && result->is_array() && !result->empty())
                      takeConfiguration(result->front());
                  });
}

/// Replaces the layer of the editor's section.
void Server::takeConfiguration(const Json &section) {
  reportInvalidSettings(configuration_.takeSection(section));
  applySettings();
}

/// Wrong values are messages, since the user has just typed them. Ignored keys go to the log: some editors send each
/// key.
void Server::reportInvalidSettings(const protocol::SettingsSection &section) {
  for (const std::string &wrong : section.wrong)
    client_.showMessageOnce(protocol::MessageType::Warning, "mca-lsp: " + wrong + "; the last good value stays");
  for (const std::string &key : section.ignored)
    if (saidIgnored_.insert(key).second)
      logInfo(key + " in the configuration is ignored, as a folder could have set it; use the command line, "
                    "initializationOptions or your own configuration file");
}

// ---- configuration files -------------------------------------------------------------------------------------------

/// Configuration files and traces. A file may have been replaced by one with the same size and time, so it is read
/// again in any case.
void Server::didChangeWatchedFiles(const protocol::DidChangeWatchedFilesParams &params) {
  std::set<std::string> traces;
  for (const std::string &uri : params.uris) {
    const std::string path = protocol::parseUri(uri).path;
    configuration_.files().touched(path);
    if (path.ends_with(kTraceExtension))
      traces.insert(path);
  }
  applySettings();
  std::ranges::for_each(traces, [this](const std::string &path) { traceChanged(path); });
}

/// Analyses the documents that may use the trace: those whose settings name it and, without such a setting, those
/// beside it. The worker knows which of them do.
void Server::traceChanged(const std::string &path) {
  for (const auto &[uri, document] : documents_) {
    const std::string &named = document.settings().worker.trace;
    const bool isBeside = path.substr(0, path.rfind('/')) == document.path().substr(0, document.path().rfind('/'));
    if (document.language() && (named.empty() ? isBeside : named == path))
      schedule(uri);
  }
}

/// The editor shows a document, has changed it, or has closed it (null).
void Server::configFileShown(const std::string &path, const Document *document) {
  if (!configuration_.isConfigFile(path))
    return;
  if (document) {
    configuration_.files().opened(path, document->text().bytes());
  } else {
    configuration_.files().closed(path);
    configDiagnostics_.erase(path); // closeDocument() has published none; those of the file on disk follow
  }
  applySettings();
}

// ---- what is in force ----------------------------------------------------------------------------------------------

/// Gives each document its settings, and makes findings and analyses anew where they have changed.
void Server::applySettings() {
  bool changed = false;
  for (auto &[uri, document] : documents_)
    changed |= applySettings(document);
  publishConfigFindings();
  if (changed)
    refreshHints();
}

/// True if they have changed.
bool Server::applySettings(Document &document) {
  if (!document.language())
    return false;
  const protocol::UserSettings before = document.settings();
  document.setSettings(configuration_.settingsFor(document.path()));
  if (before == document.settings())
    return false;
  logInfo("the settings changed of " + document.uri());
  updateFindings(document);
  if (before.worker != document.settings().worker) {
    baselines_.forget(document.uri());
    ++saves_;
    schedule(document.uri());
  }
  return true;
}

/// Before an analysis: a configuration file may have changed without a message, as not every client watches files.
/// Other documents get their settings after the job has begun, since applySettings() may schedule jobs.
void Server::refreshSettings(Document &document) {
  protocol::UserSettings present = configuration_.settingsFor(document.path());
  if (present == document.settings())
    return;
  if (present.worker != document.settings().worker) {
    baselines_.forget(document.uri());
    ++saves_;
  }
  document.setSettings(std::move(present));
  boost::asio::post(io_, [this] { applySettings(); });
}

/// The paths of those that are open, and of those that apply to an open document.
std::set<std::string> Server::configFilesInUse() const {
  std::set<std::string> paths;
  for (const auto &[uri, document] : documents_) {
    if (configuration_.isConfigFile(document.path()))
      paths.insert(document.path());
    if (document.language())
      paths.insert({configuration_.folderFile(document.path()), configuration_.userFile()});
  }
  paths.erase("");
  return paths;
}

/// With the URI and version of the open document, if the file is open: editors show diagnostics under the URI that they
/// use themselves.
PublishDiagnosticsParams Server::configDiagnostics(const std::string &path) {
  PublishDiagnosticsParams params{protocol::fileUri(path), std::nullopt, {}};
  for (const auto &[uri, document] : documents_)
    if (document.path() == path)
      params.uri = uri, params.version = document.version();
  const protocol::UserSettings settings = configuration_.usersSettings();
  if (const LoadedConfig *file = configuration_.load(path); file && settings.diagnostics)
    params.diagnostics =
        features::diagnostics(file->content.findings, settings, file->text, params.uri, client_.capabilities);
  return params;
}

/// Publishes the findings about the configuration files in use, as far as the client does not have them yet.
void Server::publishConfigFindings() {
  const std::set<std::string> inUse = configFilesInUse();
  std::erase_if(configDiagnostics_, [&](const auto &known) {
    const bool gone = !inUse.contains(known.first);
    if (gone)
      client_.publish({known.second.uri, {}, {}});
    return gone;
  });
  for (const std::string &path : inUse) {
    const PublishDiagnosticsParams present = configDiagnostics(path);
    const auto known = configDiagnostics_.find(path);
    const bool isKnown = known != configDiagnostics_.end();
    if (!isKnown && present.diagnostics.empty())
      continue;
    std::string text = toText(present);
    if (isKnown && known->second.text == text)
      continue;
    if (isKnown && known->second.uri != present.uri) // the editor spells the file's URI in its own way
      client_.publish({known->second.uri, {}, {}});
    client_.publish(present);
    configDiagnostics_.insert_or_assign(path, ConfigDiagnostics{present.uri, std::move(text)});
  }
}

} // namespace lsp
