// Headers are read more tolerantly than LSP 3.17 ("Header Part") asks: names in any case, blanks around the colon,
// lines that end without \r, and empty lines before the first field. Other fields, such as Content-Type, are skipped:
// the encoding is always UTF-8.
#include "lsp/transport/message_splitter.h"

#include <algorithm>
#include <charconv>
#include <strings.h>

namespace lsp::transport {
namespace {

constexpr std::string_view kLengthField = "content-length";

bool equalsIgnoringCase(std::string_view a, std::string_view b) {
  return a.size() == b.size() && strncasecmp(a.data(), b.data(), a.size()) == 0;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
  return text.substr(0, text.find_last_not_of(kBlank) + 1); // npos + 1 is 0
}

/// A number that does not fit counts as the largest one, because both are refused for the same reason.
std::optional<size_t> parseLength(std::string_view digits) {
  size_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (end != digits.data() + digits.size() || error == std::errc::invalid_argument)
    return std::nullopt;
  return error == std::errc() ? value : SIZE_MAX;
}

/// The offset past the empty line that ends a header, or npos.
size_t headerEnd(std::string_view text, size_t from) {
  for (size_t newline = text.find('\n', from); newline != std::string_view::npos;
       newline = text.find('\n', newline + 1)) {
    size_t after = newline + 1;
    if (after < text.size() && text[after] == '\r')
      ++after;
    if (after < text.size() && text[after] == '\n')
      return after + 1;
  }
  return std::string_view::npos;
}

struct Header {
  std::optional<size_t> length;
  std::string error; ///< why there is no length
};

/// Two lengths that differ are refused: with the wrong one the bounds of all later messages would be lost.
Header parseHeader(std::string_view text) {
  Header header;
  while (!text.empty()) {
    const size_t newline = std::min(text.find('\n'), text.size());
    const std::string_view line = trim(text.substr(0, newline));
    text.remove_prefix(std::min(newline + 1, text.size()));
    if (line.empty())
      continue;
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos)
      return {std::nullopt, "a header line without a colon"};
    if (!equalsIgnoringCase(trim(line.substr(0, colon)), kLengthField))
      continue;
    const auto length = parseLength(trim(line.substr(colon + 1)));
    if (!length || (header.length && header.length != length))
      return {std::nullopt, "a Content-Length that is not one number"};
    header.length = length;
  }
  if (!header.length)
    header.error = "a header without Content-Length";
  return header;
}

/// True if `text` begins with a whole Content-Length line; sets `more` if it may become one with more bytes.
bool beginsWithLengthLine(std::string_view text, bool &more) {
  size_t at = std::min(text.size(), kLengthField.size());
  if (!equalsIgnoringCase(text.substr(0, at), kLengthField.substr(0, at)))
    return false;
  const auto skip = [&](std::string_view set) {
    while (at < text.size() && set.find(text[at]) != std::string_view::npos)
      ++at;
  };
  skip(" \t");
  if (at < text.size() && text[at] != ':')
    return false;
  at = std::min(at + 1, text.size());
  skip(" \t");
  skip("0123456789");
  skip(" \t\r");
  more = at == text.size();
  return !more && text[at] == '\n';
}

} // namespace

void MessageSplitter::feed(std::string_view bytes) {
  dropConsumed();
  if (contentLength_)
    buffer_.reserve(*contentLength_); // at once, because growing by doubling copies a long message several times
  buffer_.append(bytes);
}

/// Removes the consumed bytes. After a long message the memory is given back, too: erase() would keep the capacity.
void MessageSplitter::dropConsumed() {
  constexpr size_t kKeptCapacity = size_t{1} << 20;
  if (consumed_ == 0)
    return;
  if (buffer_.capacity() > kKeptCapacity && buffer_.size() - consumed_ < kKeptCapacity)
    buffer_ = std::string(rest());
  else
    buffer_.erase(0, consumed_);
  consumed_ = 0;
}

MessageSplitter::Next MessageSplitter::next() {
  if (lost_ && !resynchronise())
    return NeedMore{};
  if (!contentLength_) {
    Next header = readHeader();
    if (!contentLength_)
      return header;
  }
  if (rest().size() < *contentLength_)
    return NeedMore{};
  const Message message{rest().substr(0, *contentLength_)};
  consumed_ += *contentLength_;
  contentLength_.reset();
  return message;
}

/// Sets contentLength_ and returns NeedMore, or returns an error. Without a whole header it returns NeedMore alone.
MessageSplitter::Next MessageSplitter::readHeader() {
  // What ends a header may have begun in the last two bytes of those that were searched.
  const size_t end = headerEnd(rest(), searched_ > 2 ? searched_ - 2 : 0);
  if (end == std::string_view::npos) {
    searched_ = rest().size();
    if (searched_ > kMaxHeaderBytes)
      return fail("a header without an end");
    return NeedMore{};
  }
  const Header header = parseHeader(rest().substr(0, end));
  consumed_ += end;
  searched_ = 0;
  if (!header.length)
    return fail(header.error);
  if (*header.length > kMaxMessageBytes)
    return fail("a message longer than " + std::to_string(kMaxMessageBytes >> 20) + " MiB");
  contentLength_ = header.length;
  return NeedMore{};
}

MessageSplitter::Next MessageSplitter::fail(std::string what) {
  lost_ = true;
  searched_ = 0;
  return FrameError{std::move(what)};
}

/// Skips bytes up to the next Content-Length line. Of one that may still become such a line the beginning is kept, but
/// no more than a header may have.
bool MessageSplitter::resynchronise() {
  const std::string_view text = rest();
  for (size_t at = 0; at < text.size(); ++at) {
    if ((text[at] | 0x20) != kLengthField.front())
      continue;
    bool more = false;
    lost_ = !beginsWithLengthLine(text.substr(at), more);
    if (!lost_ || (more && text.size() - at < kMaxHeaderBytes)) {
      consumed_ += at;
      return !lost_;
    }
  }
  consumed_ += text.size();
  return false;
}

std::string frame(std::string_view content) {
  return ("Content-Length: " + std::to_string(content.size()) + "\r\n\r\n").append(content);
}

} // namespace lsp::transport
