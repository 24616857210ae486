// Settings of server.h: their sources, the configuration files and what is wrong with them.
#include "lsp/features/diagnostics.h"
#include "lsp/protocol/conversions.h"
#include "lsp/protocol/diagnostics_text.h"
#include "lsp/protocol/uri.h"
#include "lsp/server/server.h"
#include "lsp/system/log.h"

#include <boost/asio/post.hpp>

namespace lsp {

using protocol::Json;
using protocol::PublishDiagnosticsParams;

// ---- the editor's section ------------------------------------------------------------------------------------------

void Server::didChangeConfiguration(const protocol::DidChangeConfigurationParams &params) {
  const auto pushed = params.settings.is_object() ? params.settings.find("mca") : params.settings.end();
  if (pushed != params.settings.end())
    takeConfiguration(*pushed);
  else if (client_.capabilities.configuration)
    pullConfiguration();
}

void Server::pullConfiguration() {
  client_.request("workspace/configuration", protocol::configurationParams("mca"),
                  [this](const std::optional<Json> &result) {
                    if (result && result->is_array() && !result->empty())
                      takeConfiguration(result->front());
                  });
}

void Server::takeConfiguration(const Json &section) {
  reportInvalidSettings(configuration_.takeSection(section));
  applySettings();
}

void Server::reportInvalidSettings(const protocol::SettingsSection &section) {
  for (const std::string &wrong : section.wrong)
    client_.showMessageOnce(protocol::MessageType::Warning, "mca-lsp: " + wrong + "; the last good value stays");
  for (const std::string &key : section.ignored)
    if (saidIgnored_.insert(key).second)
      logInfo(key + " in the configuration is ignored, as a folder could have set it; use the command line, "
                    "initializationOptions or your own configuration file");
}

// ---- configuration files -------------------------------------------------------------------------------------------

void Server::didChangeWatchedFiles(const protocol::DidChangeWatchedFilesParams &params) {
  for (const std::string &uri : params.uris)
    configuration_.files().touched(protocol::parseUri(uri).path);
  applySettings();
}

/// The editor shows a document, has changed it, or shows it no more (null).
void Server::configFileShown(const std::string &path, const Document *document) {
  if (!configuration_.isConfigFile(path))
    return;
  if (document) {
    configuration_.files().opened(path, document->text().bytes());
  } else {
    configuration_.files().closed(path);
    configDiagnostics_.erase(path); // those of a closed document are gone; the file's are published anew
  }
  applySettings();
}

// ---- what is in force ----------------------------------------------------------------------------------------------

/// Gives each document its settings, and does what those that changed ask for.
void Server::applySettings() {
  bool changed = false;
  for (auto &[uri, document] : documents_)
    changed |= applySettings(document);
  publishConfigFindings();
  if (changed)
    refreshHints();
}

/// True when they changed.
bool Server::applySettings(Document &document) {
  if (!document.language())
    return false;
  const protocol::UserSettings before = document.settings();
  document.setSettings(configuration_.settingsFor(document.path()));
  if (before == document.settings())
    return false;
  logInfo("the settings changed of " + document.uri());
  updateFindings(document);
  if (!(before.worker == document.settings().worker)) {
    baselines_.forget(document.uri());
    ++saves_;
    schedule(document.uri());
  }
  return true;
}

/// The document is about to be analysed: a configuration file may have changed without anybody telling. What that means
/// to other documents waits until the job has begun.
void Server::refreshSettings(Document &document) {
  protocol::UserSettings present = configuration_.settingsFor(document.path());
  if (present == document.settings())
    return;
  if (!(present.worker == document.settings().worker)) {
    baselines_.forget(document.uri());
    ++saves_;
  }
  document.setSettings(std::move(present));
  boost::asio::post(io_, [this] { applySettings(); });
}

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

/// Publishes what is wrong with the configuration files in use, where it is not known to the client.
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
    if (known == configDiagnostics_.end() && present.diagnostics.empty())
      continue;
    std::string text = toText(present);
    if (known != configDiagnostics_.end() && known->second.text == text)
      continue;
    if (known != configDiagnostics_.end() && known->second.uri != present.uri)
      client_.publish({known->second.uri, {}, {}});
    client_.publish(present);
    configDiagnostics_.insert_or_assign(path, ConfigDiagnostics{present.uri, std::move(text)});
  }
}

} // namespace lsp
