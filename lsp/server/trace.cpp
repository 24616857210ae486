// The two lengths of a trace. Details become text only if they are sent: every keystroke's message passes through here.
#include "lsp/server/trace.h"

namespace lsp {
namespace {

/// In bytes: an opened document is part of a message.
constexpr size_t kLongestDetails = 2000;

} // namespace

void Trace::say(const std::string &message, const protocol::Json &details) const {
  if (value_ == protocol::TraceValue::Off)
    return;
  protocol::Json params{{"message", message}};
  if (value_ == protocol::TraceValue::Verbose) // in ASCII, which can be cut anywhere
    params["verbose"] =
        details.dump(-1, ' ', true, protocol::Json::error_handler_t::replace).substr(0, kLongestDetails);
  client_.notify("$/logTrace", std::move(params));
}

} // namespace lsp
