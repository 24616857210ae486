// The JSON library's events have no places. So its parser reads through an iterator that records how far it got: when
// the event of a key or a string arrives, its closing quote is the last character that was read.
#include "lsp/settings/located_json.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace lsp::protocol {
namespace {

using analysis::wire::ByteRange;

/// Writes its newest place to `furthest`.
class WatchedIterator {
public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using reference = const char &;

  WatchedIterator(const char *at, const char *&furthest) : at_(at), furthest_(&furthest) {}
  reference operator*() const { return *at_; }
  WatchedIterator &operator++() {
    *furthest_ = ++at_;
    return *this;
  }
  bool operator==(const WatchedIterator &) const = default;

private:
  const char *at_;
  const char **furthest_;
};

/// Builds the value from the parser's events; the names of the functions are the library's (nlohmann::json_sax). One
/// that returns false ends the parse.
class Builder {
public:
  Builder(std::string_view text, const char *const &furthest, LocatedJson &out)
      : text_(text), furthest_(furthest), out_(out) {}

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(Json::number_integer_t value) { return add(value); }
  bool number_unsigned(Json::number_unsigned_t value) { return add(value); }
  bool number_float(Json::number_float_t value, const Json::string_t &) { return add(value); }
  bool string(Json::string_t &value) { return add(value, quoted()); }
  bool binary(Json::binary_t &value) { return add(value); }
  bool start_object(size_t) { return begin(Json::object()); }
  bool start_array(size_t) { return begin(Json::array()); }
  bool end_object() { return end(); }
  bool end_array() { return end(); }

  /// The last of several equal keys counts, for the value and for the place.
  bool key(Json::string_t &name) {
    const ByteRange at = quoted();
    if (open_.back()->contains(name))
      out_.duplicates.push_back(at);
    path_.back() = name;
    out_.places[path_] = at;
    return true;
  }

  /// `position` counts the characters that were read, the wrong one included.
  bool parse_error(size_t position, const std::string &, const Json::exception &error) {
    return fail(position == 0 ? 0 : position - 1, reason(error.what()));
  }

private:
  size_t offset() const { return static_cast<size_t>(furthest_ - text_.data()); }

  /// The string whose closing quote was read last. A quote inside it has an odd number of backslashes before it.
  ByteRange quoted() const {
    const size_t end = offset();
    size_t begin = end - 1;
    for (size_t backslashes = 1; begin > 0 && backslashes % 2 == 1;) {
      begin = text_.rfind('"', begin - 1);
      const size_t other = begin == 0 ? std::string_view::npos : text_.find_last_not_of('\\', begin - 1);
      backslashes = begin - (other == std::string_view::npos ? 0 : other + 1);
    }
    return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
  }

  /// The place of a value without quotes: near enough for a finding on its line.
  ByteRange lastCharacter() const { return {static_cast<uint32_t>(offset() - 1), static_cast<uint32_t>(offset())}; }

  bool fail(size_t at, std::string message) {
    out_.error = JsonError{static_cast<uint32_t>(std::min(at, text_.size())), std::move(message)};
    return false;
  }

  /// The library's message without its own number, the place and the quoted text: "[json.exception.parse_error.101]
  /// parse error at line 1, column 2: syntax error while parsing object key - …; last read: '{x'; expected string
  /// literal".
  static std::string reason(std::string_view what) {
    if (const size_t column = what.find(", column "); column != std::string_view::npos)
      what.remove_prefix(std::min(what.find(": ", column), what.size() - 2) + 2);
    else if (what.starts_with("[json.exception."))
      what.remove_prefix(std::min(what.find("] "), what.size() - 2) + 2);
    if (what.starts_with("syntax error "))
      what.remove_prefix(std::string_view("syntax error ").size());
    return std::string(what.substr(0, what.find("; last read: ")));
  }

  /// Adds a value to the innermost container and returns its address there.
  Json *put(Json value, ByteRange at) {
    if (open_.empty())
      return &(out_.value = std::move(value));
    Json &parent = *open_.back();
    if (parent.is_object())
      return &(parent[path_.back()] = std::move(value));
    path_.back() = std::to_string(parent.size());
    out_.places[path_] = at;
    parent.push_back(std::move(value));
    return &parent.back();
  }

  bool add(Json value) { return add(std::move(value), lastCharacter()); }
  bool add(Json value, ByteRange at) {
    put(std::move(value), at);
    return true;
  }

  bool begin(Json container) {
    if (open_.size() == kDeepestJson)
      return fail(offset() - 1, "nested deeper than " + std::to_string(kDeepestJson) + " levels");
    open_.push_back(put(std::move(container), lastCharacter()));
    path_.emplace_back();
    return true;
  }

  bool end() {
    open_.pop_back();
    path_.pop_back();
    return true;
  }

  std::string_view text_;
  const char *const &furthest_;
  LocatedJson &out_;
  std::vector<Json *> open_; ///< the containers around the current place; a parent does not grow until they close
  JsonPath path_;
};

} // namespace

ByteRange LocatedJson::placeOf(JsonPath path) const {
  for (; !path.empty(); path.pop_back())
    if (const auto found = places.find(path); found != places.end())
      return found->second;
  return {};
}

LocatedJson parseLocatedJson(std::string_view text) {
  LocatedJson out;
  const char *furthest = text.data();
  Builder builder(text, furthest, out);
  const WatchedIterator begin(text.data(), furthest);
  const WatchedIterator end(text.data() + text.size(), furthest);
  Json::sax_parse(begin, end, &builder, nlohmann::detail::input_format_t::json, true, true);
  if (out.error)
    out.value = nullptr;
  return out;
}

} // namespace lsp::protocol
