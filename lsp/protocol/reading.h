// Reading JSON that a client sent, where anything may stand in place of anything.
//
// The functions ending in Member read what the protocol requires. They throw InvalidParams with the place, such as
// "textDocument.uri is missing"; `path` is the place of the object, and empty for the params themselves. The functions
// ending in At read what may be absent, by a JSON pointer (RFC 6901), and ignore a value of another type: a client that
// sends something odd there still gets hints.
#pragma once

#include "lsp/protocol/conversions.h"

#include <optional>
#include <string>

namespace lsp::protocol {

/// Throws for an `object` that is none, too.
Json &member(Json &object, const char *name, const std::string &path = "");
Json &arrayMember(Json &object, const char *name);
/// Moves the text out: that of an opened document may have megabytes.
std::string stringMember(Json &object, const char *name, const std::string &path);
/// Line and character are capped as by naturalOf().
Position positionMember(Json &object, const char *name, const std::string &path = "");
/// Throws for a range that ends before it starts, too.
Range rangeMember(Json &object, const char *name, const std::string &path = "");
/// The optional `version` of a text document.
std::optional<int64_t> versionMember(Json &document);
/// textDocument.uri
std::string uriMember(Json &params);

/// The value at a JSON pointer, or null.
const Json &at(const Json &json, const char *pointer);
/// A copy of the text; no value if there is none.
std::optional<std::string> textAt(const Json &json, const char *pointer);
/// An empty array if there is none.
const Json &arrayAt(const Json &json, const char *pointer);

/// The number, capped at the greatest uint32_t: a client may name the end of a line or document by a huge one. No value
/// if it is negative, a fraction or no number.
std::optional<uint32_t> naturalOf(const Json &value);

/// What a client offers in the capabilities of its initialize request.
ClientCapabilities readCapabilities(const Json &capabilities);

} // namespace lsp::protocol
