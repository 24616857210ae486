// Reading JSON that a client sent: members that the protocol requires, and flags that may be absent.
//
// What is not as the protocol says throws InvalidParams with the place, such as "textDocument.uri". `path` is that of
// the object; the outermost one has none.
#pragma once

#include "lsp/protocol/conversions.h"

#include <optional>
#include <string>

namespace lsp::protocol {

Json &member(Json &object, const char *name, const std::string &path);
/// Moves the text out.
std::string stringMember(Json &object, const char *name, const std::string &path);
/// Numbers that do not fit are the greatest one.
uint32_t numberMember(Json &object, const char *name, const std::string &path);
std::optional<int64_t> versionMember(Json &document);
Position readPosition(Json &json, const std::string &path);
Range readRange(Json &json, const std::string &path);
/// textDocument.uri
std::string readUri(Json &params);

/// The value at a JSON pointer, or null when there is none.
const Json &at(const Json &json, const char *pointer);
/// True for `true` alone.
bool flag(const Json &json, const char *pointer);

} // namespace lsp::protocol
