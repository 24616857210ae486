// Requests for virtual documents (reports, listings, timelines), and notifications that one has changed.
//
// A document's first text comes with the next analysis of its buffer, which is scheduled at once; the request waits for
// it. A C or C++ buffer with unsaved changes is not analysed before the next save (unless it is compiled on change), so
// the document says that until then. Each document is closed with the buffer that it shows.
#pragma once

#include "lsp/client/client.h"
#include "lsp/client/held_requests.h"
#include "lsp/client/method_table.h"
#include "lsp/jobs/document_jobs.h"
#include "lsp/protocol/virtual_uri.h"
#include "lsp/workspace/workspace.h"

#include <boost/asio/io_context.hpp>
#include <string>
#include <vector>

namespace lsp {

class VirtualContents {
public:
  /// Binds the requests.
  VirtualContents(boost::asio::io_context &io, MethodTable &methods, Client &client, Workspace &workspace,
                  DocumentJobs &jobs);

  /// Keeps the document of this name about the place that it names, and has its text made. Returns the name as the
  /// client is to spell it.
  std::string open(const protocol::VirtualUri &uri);
  /// Keeps the document, with this text, which no job makes. Returns its name as the client is to spell it.
  std::string show(const protocol::VirtualUri &uri, std::string text);
  /// The client has closed it.
  void close(const protocol::VirtualUri &uri);
  /// Those of these names have new texts; whoever waits for one gets it.
  void changed(const std::vector<std::string> &uris);
  /// Answers the requests whose documents have a text, or are closed.
  void answerHeld();
  /// False if no such request waits.
  bool cancel(const protocol::RequestId &id) { return held_.cancel(id); }
  void cancelAll(const std::string &why) { held_.cancelAll(why); }

private:
  using Json = protocol::Json;
  using JsonReply = Reply<Json>;

  void content(const protocol::UriParams &params, JsonReply reply);
  void links(const protocol::UriParams &params, JsonReply reply);
  void timeline(const protocol::TimelineParams &params, JsonReply reply);
  protocol::VirtualUri knownUri(const std::string &uri);
  void answer(const protocol::VirtualUri &uri, const JsonReply &reply) const;
  void notifyChanged(const std::vector<std::string> &uris);

  Client &client_;
  Workspace &workspace_;
  DocumentJobs &jobs_;
  HeldRequests<protocol::VirtualUri, Json> held_; ///< without a limit: the first analysis may take long
};

} // namespace lsp
