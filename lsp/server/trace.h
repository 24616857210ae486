// $/logTrace: what the server does, told to the client as far as it asked for ($/setTrace). For whoever looks at a
// session from the editor's side; the log on standard error is the server's own.
#pragma once

#include "lsp/protocol/types.h"
#include "lsp/server/client.h"

#include <string>

namespace lsp {

class Trace {
public:
  explicit Trace(const Client &client) : client_(client) {}

  void set(protocol::TraceValue value) { value_ = value; }
  /// `details` go along when the client wants to know everything, up to some length.
  void say(const std::string &message, const std::string &details = "") const;
  /// The same for JSON, which is written only when it is wanted.
  void say(const std::string &message, const protocol::Json &details) const;

private:
  const Client &client_;
  protocol::TraceValue value_ = protocol::TraceValue::Off;
};

} // namespace lsp
