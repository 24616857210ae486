// nlohmann's parser reports values as it meets them and keeps its own stack, so that no text is too deep for it. Ours
// has a frame for each open object or list that has a target; what a skipped value holds is only counted.
#include "lsp/check/json_structs.h"

#include "lsp/protocol/json_rpc.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace lsp {
namespace {

using nlohmann::json;

/// The longest list, in elements. A result of 100,000 files has one for each of their commands.
constexpr size_t kLongestList = 2'000'000;

/// Of an element beyond that: takes no value.
const JsonType kTooMany{.expected = "part of a list of at most 2,000,000 elements"};

class Reader final : public nlohmann::json_sax<json> {
public:
  Reader(std::string_view text, JsonTarget target, UnknownMembers unknown)
      : text_(text), unknown_(unknown), root_(target) {}

  const std::string &error() const { return error_; }

  bool null() override { return isSkipped(takeTarget()); }
  bool boolean(bool value) override {
    const JsonTarget target = takeTarget();
    if (!target.type || !target.type->boolean)
      return isSkipped(target);
    target.type->boolean(target.value, value);
    return true;
  }
  bool number_integer(number_integer_t value) override { return number({std::nullopt, static_cast<double>(value)}); }
  bool number_unsigned(number_unsigned_t value) override { return number({value, static_cast<double>(value)}); }
  bool number_float(number_float_t value, const string_t &) override { return number({std::nullopt, value}); }
  bool string(string_t &value) override {
    const JsonTarget target = takeTarget();
    return (target.type && target.type->string && target.type->string(target.value, value)) || isSkipped(target);
  }
  bool binary(binary_t &) override { return fail("it is no JSON"); } // which has none

  bool start_object(std::size_t) override {
    const JsonTarget target = takeTarget();
    if (target.type && !target.type->members)
      return isSkipped(target);
    if (target.type)
      target.type->members(target.value, frames_.emplace_back(Frame{.target = target}).members);
    return enter(target);
  }
  bool start_array(std::size_t) override {
    const JsonTarget target = takeTarget();
    if (target.type && !target.type->element)
      return isSkipped(target);
    if (target.type)
      frames_.push_back({.target = target});
    return enter(target);
  }
  bool key(string_t &name) override {
    if (skipped_ > 0)
      return true;
    Frame &frame = frames_.back();
    frame.member = std::ranges::find(frame.members, std::string_view(name), &JsonMember::key) - frame.members.begin();
    if (!frame.hasMember())
      return unknown_ == UnknownMembers::Skipped || fail(place() + " has the unknown member '" + name + "'");
    if (std::exchange(frame.members[frame.member].isRead, true))
      return fail(place() + " is given twice");
    return true;
  }
  bool end_object() override {
    if (skipped_ == 0) {
      std::vector<JsonMember> &members = frames_.back().members;
      const auto missing =
          std::ranges::find_if(members, [](const JsonMember &one) { return one.isRequired && !one.isRead; });
      frames_.back().member = missing - members.begin();
      if (missing != members.end())
        return fail(place() + " is missing");
    }
    return leave();
  }
  bool end_array() override { return leave(); }

  bool parse_error(std::size_t position, const std::string &, const nlohmann::detail::exception &) override {
    const std::string_view before = text_.substr(0, position);
    return fail("it is no JSON in line " + std::to_string(std::ranges::count(before, '\n') + 1));
  }

private:
  /// An object or a list that is being read.
  struct Frame {
    JsonTarget target;
    std::vector<JsonMember> members = {}; ///< of an object
    size_t member = 0;                    ///< of an object: the one that is read; beyond the last if it is unknown
    size_t elements = 0;                  ///< of a list: those that were begun

    bool hasMember() const { return member < members.size(); }
  };

  bool fail(std::string why) {
    error_ = std::move(why);
    return false;
  }
  /// For a value that its target does not take: true if there is none.
  bool isSkipped(const JsonTarget &target) {
    return !target.type || fail((frames_.empty() ? "it" : place()) + " is no " + std::string(target.type->expected));
  }
  bool number(const JsonNumber &number) {
    const JsonTarget target = takeTarget();
    return (target.type && target.type->number && target.type->number(target.value, number)) || isSkipped(target);
  }

  /// Where the value that begins goes.
  JsonTarget takeTarget() {
    if (skipped_ > 0)
      return {};
    if (frames_.empty())
      return root_;
    Frame &frame = frames_.back();
    if (frame.target.type->element) {
      return ++frame.elements > kLongestList ? JsonTarget{nullptr, &kTooMany}
                                             : frame.target.type->element(frame.target.value);
    }
    return frame.hasMember() ? frame.members[frame.member].target : JsonTarget{};
  }

  bool enter(const JsonTarget &target) {
    skipped_ += !target.type;
    return ++depth_ <= protocol::kDeepestMessage ||
           fail("it is nested deeper than " + std::to_string(protocol::kDeepestMessage) + " levels");
  }
  bool leave() {
    --depth_;
    if (skipped_ > 0)
      --skipped_;
    else
      frames_.pop_back();
    return true;
  }

  /// "files[3].regions[0].name": the value that is read.
  std::string place() const {
    std::string place;
    for (const Frame &frame : frames_)
      if (frame.target.type->element)
        place += "[" + std::to_string(frame.elements - 1) + "]";
      else if (frame.hasMember())
        place += (place.empty() ? "" : ".") + std::string(frame.members[frame.member].key);
    return place.empty() ? "it" : place;
  }

  const std::string_view text_;
  const UnknownMembers unknown_;
  const JsonTarget root_;
  std::vector<Frame> frames_;
  size_t depth_ = 0;   ///< open objects and lists
  size_t skipped_ = 0; ///< of these, those that have no target
  std::string error_;
};

} // namespace

std::string readJson(std::string_view text, JsonTarget target, UnknownMembers unknown) {
  // The parser takes a NUL for the end of the text.
  if (text.find('\0') != std::string_view::npos)
    return "it is no JSON: it has a NUL";
  Reader reader(text, target, unknown);
  json::sax_parse(text.begin(), text.end(), &reader);
  return reader.error();
}

} // namespace lsp
