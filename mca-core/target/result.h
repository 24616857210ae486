// A value, or the reason why there is none. Everywhere in mca-core, errors in the input are returned this way.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace mca {

/// Why something failed, in words for the user, without a trailing full stop.
struct Failure {
  std::string message;
};

template <typename T>
class [[nodiscard]] Result {
public:
  Result(T value) : content_(std::move(value)) {}
  Result(Failure failure) : content_(std::move(failure)) {}

  explicit operator bool() const { return content_.index() == 0; }
  // std::get checks in release builds, too, which of the two there is.
  T &operator*() { return std::get<0>(content_); }
  const T &operator*() const { return std::get<0>(content_); }
  T *operator->() { return &**this; }
  const std::string &message() const { return std::get<1>(content_).message; }

private:
  std::variant<T, Failure> content_;
};

} // namespace mca
