// The answer to one request: it cannot be forgotten and cannot be sent twice.
//
// The holder of a Reply may answer at any time. If the last holder drops it without an answer, the client gets an
// internal error instead of waiting for ever (LSP 3.17: every processed request must send a response).
#pragma once

#include "lsp/protocol/conversions.h"

#include <cassert>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace lsp {

using SendText = std::function<void(std::string_view content)>;

/// The state that all holders of one request's answer share.
class ReplySlot {
public:
  ReplySlot(protocol::RequestId id, SendText send) : id_(std::move(id)), send_(std::move(send)) {}
  ReplySlot(const ReplySlot &) = delete;
  ReplySlot &operator=(const ReplySlot &) = delete;
  ~ReplySlot() {
    if (send_)
      fail(protocol::ErrorCode::InternalError, "the request was dropped");
  }

  const protocol::RequestId &id() const { return id_; }
  bool answered() const { return !send_; }

  void succeed(protocol::Json result) { sendOnce(protocol::resultText(id_, std::move(result))); }
  /// `result`: JSON text.
  void succeedWith(std::string_view result) { sendOnce(protocol::resultWith(id_, result)); }
  void fail(protocol::ErrorCode code, const std::string &message, protocol::Json data = nullptr) {
    sendOnce(protocol::errorText(id_, code, message, std::move(data)));
  }

private:
  void sendOnce(const std::string &text) {
    assert(send_ && "a request is answered once");
    if (const SendText send = std::exchange(send_, nullptr))
      send(text);
  }

  protocol::RequestId id_;
  SendText send_;
};

/// The typed end of a ReplySlot. `Result` is Json or has a to_json (conversions.h).
template <class Result>
class Reply {
public:
  explicit Reply(std::shared_ptr<ReplySlot> slot) : slot_(std::move(slot)) {}
  Reply(Reply &&) noexcept = default;
  Reply &operator=(Reply &&) noexcept = default;

  // NOLINTNEXTLINE(performance-unnecessary-value-param): Json is moved
  void operator()(Result result) const { slot_->succeed(protocol::Json(std::move(result))); }
  /// A result that is JSON text already.
  void withText(std::string_view result) const { slot_->succeedWith(result); }
  void fail(protocol::ErrorCode code, const std::string &message, protocol::Json data = nullptr) const {
    slot_->fail(code, message, std::move(data));
  }
  const protocol::RequestId &id() const { return slot_->id(); }
  /// For another handler, which answers in place of this one.
  const std::shared_ptr<ReplySlot> &slot() const { return slot_; }

private:
  std::shared_ptr<ReplySlot> slot_;
};

} // namespace lsp
