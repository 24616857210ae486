// A value or the reason why there is none: how mca-core reports what is wrong with its input.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace mca {

/// Why something could not be done, in words for the user. No trailing full stop.
struct Failure {
  std::string message;
};

template <typename T>
class [[nodiscard]] Result {
public:
  Result(T value) : content_(std::move(value)) {}
  Result(Failure failure) : content_(std::move(failure)) {}

  explicit operator bool() const { return content_.index() == 0; }
  T &operator*() { return value(); }
  const T &operator*() const { return std::get<0>(content_); }
  T *operator->() { return &value(); }
  const std::string &message() const {
    assert(!*this);
    return std::get<1>(content_).message;
  }

private:
  T &value() {
    assert(*this);
    return std::get<0>(content_);
  }
  std::variant<T, Failure> content_;
};

} // namespace mca
