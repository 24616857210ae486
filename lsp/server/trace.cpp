// The two lengths of a trace.
#include "lsp/server/trace.h"

#include "lsp/protocol/conversions.h"

namespace lsp {
namespace {

/// In bytes: an opened document is part of a message.
constexpr size_t kLongestDetails = 2000;

} // namespace

void Trace::say(const std::string &message, const std::string &details) const {
  if (value_ == protocol::TraceValue::Off)
    return;
  const bool verbose = value_ == protocol::TraceValue::Verbose;
  client_.notify("$/logTrace",
                 protocol::logTraceParams(message, verbose ? details.substr(0, kLongestDetails) : std::string()));
}

void Trace::say(const std::string &message, const protocol::Json &details) const {
  const bool verbose = value_ == protocol::TraceValue::Verbose;
  say(message, verbose ? details.dump(-1, ' ', true, protocol::Json::error_handler_t::replace) : std::string());
}

} // namespace lsp
