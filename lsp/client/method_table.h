// Binds the names of methods, or of commands, to handlers that take typed parameters.
//
// What a handler throws does not leave dispatch(): wrong parameters become the error -32602 and anything else -32603
// (JSON-RPC 2.0, section 5.1), and the server goes on. A notification has no answer, so its errors are logged.
#pragma once

#include "lsp/client/reply.h"

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>

namespace lsp {

class MethodTable {
public:
  /// Binds a request to `void handler(Params, Reply<Result>)`.
  template <class Params, class Result, class Handler>
  void request(const std::string &method, Handler handler) {
    requests_[method] = [handler](protocol::Json &json, const std::shared_ptr<ReplySlot> &slot) {
      Params params;
      protocol::fromJson(json, params);
      handler(std::move(params), Reply<Result>(slot));
    };
  }

  /// The same for a member function, whose first parameter may be a const reference.
  template <class Owner, class Param, class Result>
  void request(const std::string &method, Owner *owner, void (Owner::*handler)(Param, Reply<Result>)) {
    request<std::remove_cvref_t<Param>, Result>(method, std::bind_front(handler, owner));
  }

  // The types of a handler's parameters choose the fromJson() that reads them, and Result the to_json() that writes.
  /// Binds a notification to a member function `void (Params)`, likewise.
  template <class Owner, class Param>
  void notification(const std::string &method, Owner *owner, void (Owner::*handler)(Param)) {
    notifications_[method] = [owner, handler](protocol::Json &json) {
      std::remove_cvref_t<Param> params;
      protocol::fromJson(json, params);
      (owner->*handler)(std::move(params));
    };
  }

  /// Runs the handler of a request that `slot` answers. False if there is none. What the handler throws is passed on.
  bool run(const std::string &method, protocol::Json &params, const std::shared_ptr<ReplySlot> &slot) const;
  /// Runs the handler of a request; an unknown method is answered with -32601.
  void dispatch(protocol::Request request, const SendText &send) const;
  /// Runs the handler of a notification; an unknown one is ignored, as LSP 3.17 demands for those that begin with `$/`.
  void dispatch(protocol::Notification notification) const;

  /// The requests that have a handler.
  size_t requestCount() const { return requests_.size(); }

private:
  std::unordered_map<std::string, std::function<void(protocol::Json &, const std::shared_ptr<ReplySlot> &)>> requests_;
  std::unordered_map<std::string, std::function<void(protocol::Json &)>> notifications_;
};

} // namespace lsp
