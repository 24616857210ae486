// Settings of server.h: their sources, the configuration files and the findings about these. In which order layers
// apply, settings/settings.h says.
#include "lsp/features/diagnostics.h"
#include "lsp/protocol/diagnostics_text.h"
#include "lsp/protocol/uri.h"
#include "lsp/server/server.h"
#include "lsp/system/log.h"
#include "lsp/workspace/language.h"

#include <algorithm>
#include <boost/asio/post.hpp>

namespace lsp {

using protocol::PublishDiagnosticsParams;

namespace {

std::string folderOf(const std::string &path) {
  return path.substr(0, path.rfind('/'));
}

/// A document's trace is that of its settings or, without such a setting, one beside it. The worker knows which.
bool mayReadTrace(const Document &document, const std::string &path) {
  const std::string &named = document.settings().worker.trace;
  return path.ends_with(kTraceExtension) &&
         (named.empty() ? folderOf(path) == folderOf(document.path()) : named == path);
}

/// A database lies in the folder that the settings name, or else in one above the document or in `build` there.
bool mayReadCommands(const Document &document, const std::string &path) {
  const std::string folder = folderOf(path), name = path.substr(folder.size() + 1);
  const bool isCompiled = document.language() != analysis::wire::Language::Assembly || isPreprocessed(document.path());
  if (!isCompiled || (name != kDatabaseFile && name != kFlagsFile))
    return false;
  if (isInFolder(folder, document.path()) || name == kFlagsFile)
    return isInFolder(folder, document.path());
  return document.settings().worker.compileCommandsDir == folder ||
         (folder.ends_with("/build") && isInFolder(folderOf(folder), document.path()));
}

/// Whether the document may be analysed with the file, which is no source.
bool mayRead(const Document &document, const std::string &path) {
  return mayReadTrace(document, path) || mayReadCommands(document, path) ||
         document.settings().worker.calibration == path;
}

} // namespace

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

void Server::didChangeWatchedFiles(const protocol::DidChangeWatchedFilesParams &params) {
  std::set<std::string> paths;
  for (const std::string &uri : params.uris)
    if (std::string path = protocol::localPath(uri); !path.empty())
      paths.insert(std::move(path));
  filesChanged(paths);
}

/// What was read of a file is read again even if the file looks the same. Its users are analysed again: the compiler's
/// output may be another one.
void Server::filesChanged(const std::set<std::string> &paths) {
  ++fileEvents_;
  ++saves_;
  for (const std::string &path : paths)
    configuration_.files().touched(path);
  applySettings();
  for (const auto &[uri, document] : documents_)
    if (document.language() &&
        std::ranges::any_of(paths, [&](const std::string &path) { return mayRead(document, path); }))
      schedule(uri);
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
