// $/logTrace: what the server receives, reported to the client as far as it requests it ($/setTrace). It is for people
// who look at a session from the editor's side; the log on standard error is the server's own.
#pragma once

#include "lsp/server/client.h"

#include <string>

namespace lsp {

class Trace {
public:
  explicit Trace(const Client &client) : client_(client) {}

  void set(protocol::TraceValue value) { value_ = value; }
  /// A verbose trace has the beginning of `details`, too.
  void say(const std::string &message, const protocol::Json &details) const;

private:
  const Client &client_;
  protocol::TraceValue value_ = protocol::TraceValue::Off;
};

} // namespace lsp
