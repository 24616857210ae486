#include "lsp/jobs/job_inputs.h"

#include "lsp/workspace/language.h"

namespace lsp {

using analysis::wire::Language;

analysis::wire::AnalyzeRequest JobInputs::requestFor(const Document &document) const {
  const auto command = commands_.find(document.uri());
  return {.path = document.path(),
          .language = *document.language(),
          .text = document.text().bytes(),
          .settings = settingsFor(document),
          .openFiles = otherSources(document),
          .fileEvents = fileEvents_,
          .command = command == commands_.end() ? "" : command->second};
}

/// A CPU that the user chose for the document, or else for all, wins over the settings; in the worker, a comment in the
/// buffer wins over both.
analysis::wire::Settings JobInputs::settingsFor(const Document &document) const {
  analysis::wire::Settings settings = document.settings().worker;
  auto chosen = cpus_.find(document.uri());
  if (chosen == cpus_.end())
    chosen = cpus_.find("");
  if (chosen != cpus_.end()) {
    settings.cpu = chosen->second;
    settings.cpuSource = "chosen for this session";
  }
  if (const auto predictor = predictors_.find(document.uri()); predictor != predictors_.end())
    settings.predictor = predictor->second;
  return settings;
}

/// The paths of all other open documents that may include this one, in the order of their URIs: those in C and C++, or
/// those in assembly for the preprocessor.
std::vector<std::string> JobInputs::otherSources(const Document &document) const {
  const bool isAssembly = document.language() == Language::Assembly;
  std::vector<std::string> paths;
  for (const auto &[uri, other] : workspace_.documents)
    if (uri != document.uri() && other.isLocalFile() && other.language() &&
        (other.language() == Language::Assembly) == isAssembly && (!isAssembly || isPreprocessed(other.path())))
      paths.push_back(other.path());
  return paths;
}

void JobInputs::choose(Choices &choices, const std::string &uri, const std::string &choice) {
  if (choice.empty())
    choices.erase(uri);
  else
    choices[uri] = choice;
}

bool JobInputs::mayReuseCompiled(const std::string &uri, size_t worker) const {
  const auto compiled = compiled_.find(uri);
  return compiled != compiled_.end() &&
         compiled->second == Compiled{worker, saves_, workspace_.baselines.textState(uri)};
}

void JobInputs::closed(const std::string &uri) {
  compiled_.erase(uri);
  for (Choices *choices : {&cpus_, &commands_, &predictors_})
    choices->erase(uri);
}

} // namespace lsp
