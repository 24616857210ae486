// Requests about a document that wait for its job, but not for long.
#pragma once

#include "lsp/server/reply.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <list>
#include <string>
#include <utility>

namespace lsp {

/// `Params` has the document's `uri`.
template <class Params, class Result>
class HeldRequests {
public:
  /// Answers a request. `late` when it waited as long as it may, and the job is not over.
  using Answer = std::function<void(const Params &params, const Reply<Result> &reply, bool late)>;

  HeldRequests(boost::asio::io_context &io, std::chrono::milliseconds longest, Answer answer)
      : io_(io), longest_(longest), answer_(std::move(answer)) {}

  void hold(Params params, Reply<Result> reply) {
    Held &held = held_.emplace_back(std::move(params), std::move(reply), boost::asio::steady_timer(io_, longest_));
    held.deadline.async_wait([this, id = held.reply.id()](boost::system::error_code error) {
      if (!error)
        release([&](const Held &held) { return held.reply.id() == id; }, true);
    });
  }

  /// The document's job is over, or there will be none.
  void answer(const std::string &uri) {
    release([&](const Held &held) { return held.params.uri == uri; }, false);
  }

  void answerAll() {
    release([](const Held &) { return true; }, false);
  }

  /// False when no such request waits.
  bool cancel(const protocol::RequestId &id) {
    return held_.remove_if([&](const Held &held) {
      const bool meant = held.reply.id() == id;
      if (meant)
        held.reply.fail(protocol::ErrorCode::RequestCancelled, "cancelled by the client");
      return meant;
    }) != 0;
  }

private:
  struct Held {
    Params params;
    Reply<Result> reply;
    boost::asio::steady_timer deadline;
  };

  template <class Due>
  void release(Due due, bool late) {
    held_.remove_if([&](const Held &held) {
      const bool released = due(held);
      if (released)
        answer_(held.params, held.reply, late);
      return released;
    });
  }

  boost::asio::io_context &io_;
  std::chrono::milliseconds longest_;
  Answer answer_;
  std::list<Held> held_;
};

} // namespace lsp
