// Dispatch with the error codes of the protocol. A handler that has answered before it throws has its error logged
// only.
#include "lsp/client/method_table.h"

#include "lsp/system/log.h"

#include <exception>

namespace lsp {

using protocol::ErrorCode;

bool MethodTable::run(const std::string &method, protocol::Json &params, const std::shared_ptr<ReplySlot> &slot) const {
  const auto handler = requests_.find(method);
  if (handler != requests_.end())
    handler->second(params, slot);
  return handler != requests_.end();
}

void MethodTable::dispatch(protocol::Request request, const SendText &send) const {
  const auto slot = std::make_shared<ReplySlot>(request.id, send);
  const auto fail = [&](ErrorCode code, const std::string &message) {
    logError(request.method + ": " + message);
    if (!slot->answered())
      slot->fail(code, message);
  };
  try {
    if (!run(request.method, request.params, slot))
      fail(ErrorCode::MethodNotFound, "unknown method " + request.method);
  } catch (const protocol::InvalidParams &error) {
    fail(ErrorCode::InvalidParams, error.what());
  } catch (const std::exception &error) {
    fail(ErrorCode::InternalError, error.what());
  }
}

void MethodTable::dispatch(protocol::Notification notification) const {
  const auto handler = notifications_.find(notification.method);
  if (handler == notifications_.end())
    return logVerbose("ignored notification " + notification.method);
  try {
    handler->second(notification.params);
  } catch (const std::exception &error) {
    logError(notification.method + ": " + error.what());
  }
}

} // namespace lsp
