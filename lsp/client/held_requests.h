// Requests that wait for a document's job instead of being answered with what is known now.
#pragma once

#include "lsp/client/reply.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <utility>

namespace lsp {

template <class Params, class Result>
class HeldRequests {
public:
  /// Answers a request. `late`: it has waited as long as it may, and the job is not over.
  using Answer = std::function<void(const Params &params, const Reply<Result> &reply, bool late)>;

  /// `longest`: how long a request waits; without it, until its job is over.
  HeldRequests(boost::asio::io_context &io, std::optional<std::chrono::milliseconds> longest, Answer answer)
      : io_(io), longest_(longest), answer_(std::move(answer)) {}

  /// Keeps the request until it is answered, cancelled or late.
  void hold(Params params, Reply<Result> reply) {
    Held &held = held_.emplace_back(std::move(params), std::move(reply), boost::asio::steady_timer(io_));
    if (!longest_)
      return;
    held.deadline.expires_after(*longest_);
    held.deadline.async_wait([this, id = held.reply.id()](boost::system::error_code error) {
      if (!error) // else the request was answered, which destroyed the timer
        release([&](const Held &held) { return held.reply.id() == id; }, true);
    });
  }

  /// The job of the document is over, or there will be none. `Params` has the document's `uri`.
  void answer(const std::string &uri) {
    answerIf([&](const Params &params) { return params.uri == uri; });
  }
  /// As if every document's job were over.
  void answerAll() {
    answerIf([](const Params &) { return true; });
  }
  template <class Due>
  void answerIf(Due due) {
    release([&](const Held &held) { return due(held.params); }, false);
  }

  /// False if no such request waits.
  bool cancel(const protocol::RequestId &id) {
    return fail([&](const Held &held) { return held.reply.id() == id; }, "cancelled by the client");
  }
  /// Fails them with RequestCancelled and the reason.
  void cancelAll(const std::string &why) {
    fail([](const Held &) { return true; }, why);
  }

  /// True if a request whose parameters `matches` accepts is waiting.
  template <class Matches>
  bool holds(Matches matches) const {
    return std::ranges::any_of(held_, matches, &Held::params);
  }

private:
  struct Held {
    Params params;
    Reply<Result> reply;
    boost::asio::steady_timer deadline;
  };

  /// Ends the requests for which `due` is true, and removes them. False if there are none.
  template <class Due, class End>
  bool remove(Due due, End end) {
    return held_.remove_if([&](const Held &held) {
      const bool ends = due(held);
      if (ends)
        end(held);
      return ends;
    }) != 0;
  }
  template <class Due>
  void release(Due due, bool late) {
    remove(due, [&](const Held &held) { answer_(held.params, held.reply, late); });
  }
  template <class Due>
  bool fail(Due due, const std::string &why) {
    return remove(due, [&](const Held &held) { held.reply.fail(protocol::ErrorCode::RequestCancelled, why); });
  }

  boost::asio::io_context &io_;
  std::optional<std::chrono::milliseconds> longest_;
  Answer answer_;
  std::list<Held> held_;
};

} // namespace lsp
