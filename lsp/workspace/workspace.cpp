#include "lsp/workspace/workspace.h"

#include "lsp/protocol/conversions.h"
#include "lsp/system/log.h"

namespace lsp {

const Document *Workspace::find(const std::string &uri) const {
  const auto found = documents.find(uri);
  return found == documents.end() ? nullptr : &found->second;
}

Document *Workspace::find(const std::string &uri) {
  const auto found = documents.find(uri);
  return found == documents.end() ? nullptr : &found->second;
}

Document *Workspace::findOpened(const std::string &uri) {
  Document *document = find(uri);
  if (!document)
    logError("a document that is not open: " + uri);
  return document;
}

Document &Workspace::analysed(const std::string &uri) {
  Document *document = find(uri);
  if (!document || !document->language())
    throw protocol::InvalidParams("no open assembly, C or C++ document: " + uri);
  return *document;
}

bool Workspace::awaitsSave(const std::string &uri) const {
  const Document &document = documents.at(uri);
  const bool compiled = document.language() != wire::Language::Assembly;
  return compiled && !document.settings().worker.compileOnChange && baselines.isEdited(uri);
}

} // namespace lsp
