// How headers are read: see message_splitter.h for why it is tolerant.
#include "lsp/transport/message_splitter.h"

#include <algorithm>
#include <charconv>

namespace lsp::transport {
namespace {

constexpr std::string_view kLengthField = "content-length";

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool equalsIgnoringCase(std::string_view text, std::string_view lowered) {
  return std::equal(text.begin(), text.end(), lowered.begin(), lowered.end(),
                    [](char a, char b) { return lower(a) == b; });
}

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// A length that does not fit is as good as the largest one: both are refused.
std::optional<size_t> parseLength(std::string_view digits) {
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos)
    return std::nullopt;
  size_t value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return result.ec == std::errc{} ? value : SIZE_MAX;
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
  std::string error;
};

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

/// True when `text` begins with a whole Content-Length line; `more` is set when it may become one.
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
    buffer_.reserve(*contentLength_);
  buffer_.append(bytes);
}

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

MessageSplitter::Next MessageSplitter::readHeader() {
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

bool MessageSplitter::resynchronise() {
  const std::string_view text = rest();
  for (size_t at = 0; at < text.size(); ++at) {
    if (lower(text[at]) != kLengthField.front())
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
  std::string result = "Content-Length: " + std::to_string(content.size()) + "\r\n\r\n";
  result.append(content);
  return result;
}

} // namespace lsp::transport
