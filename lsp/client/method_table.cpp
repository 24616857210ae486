// Dispatch with the error codes of the protocol. A handler that has answered before it throws has its error logged
// only.
#include "lsp/server/method_table.h"

#include "lsp/system/log.h"

#include <exception>

namespace lsp {

using protocol::ErrorCode;

void MethodTable::dispatch(protocol::Request request, const SendText &send) const {
  const auto slot = std::make_shared<ReplySlot>(request.id, send);
  const auto fail = [&](ErrorCode code, const std::string &message) {
    logError(request.method + ": " + message);
    if (!slot->answered())
      slot->fail(code, message);
  };
  const auto handler = requests_.find(request.method);
  if (handler == requests_.end())
    return fail(ErrorCode::MethodNotFound, "unknown method " + request.method);
  try {
    handler->second(request.params, slot);
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
