// Work in a child process: LLVM ends its process on some instructions, and a simulator under test may crash or hang.
// Neither may take the rest of a run with it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace differential {

/// Memory that a process and its children share. T must be plain data.
template <typename T>
class Shared {
public:
  Shared();
  ~Shared();
  Shared(const Shared &) = delete;
  Shared &operator=(const Shared &) = delete;
  T &operator*() const { return *value_; }
  T *operator->() const { return value_; }

private:
  T *value_;
};

/// What the child hands to its parent.
class Output {
public:
  explicit Output(int descriptor) : descriptor_(descriptor) {}
  /// What is written is kept, whatever becomes of the child afterwards.
  void write(std::string_view text);

private:
  int descriptor_;
};

struct Ending {
  bool finished = false; ///< the work came to its end
  bool tookTooLong = false;
  std::string why;    ///< what ended it otherwise: "signal 11 (Segmentation fault)"
  std::string output; ///< what the work wrote
};

class Isolated {
public:
  using Work = std::function<void(Output &)>;
  /// Starts `work` in a child process, which is ended after so many seconds of processor time; 0: no limit.
  Isolated(double seconds, const Work &work);
  ~Isolated();
  Isolated(const Isolated &) = delete;
  Isolated &operator=(const Isolated &) = delete;
  /// To be called once.
  Ending wait();

private:
  pid_t child_ = -1;
  int output_ = -1;
  int errors_ = -1;
};

inline Ending runIsolated(double seconds, const Isolated::Work &work) {
  return Isolated(seconds, work).wait();
}

/// Does `count` pieces of work in child processes, one behind the other, each in at most so many seconds. `makeWork` is
/// called in the child and gives what does a piece. When a child dies at a piece, the next one goes on behind it, and
/// `died` hears of it. Returns what all pieces wrote.
std::string runPieces(double seconds, size_t count,
                      const std::function<std::function<void(size_t, Output &)>()> &makeWork,
                      const std::function<void(size_t, const Ending &)> &died);

/// In a child: it is ended when it takes more processor time than this, from now on. A busy machine changes nothing.
void allowSeconds(double seconds);

/// Maps memory that children inherit. Never null.
void *mapShared(size_t bytes);
void unmapShared(void *memory, size_t bytes);

template <typename T>
Shared<T>::Shared() : value_(new (mapShared(sizeof(T))) T()) {}
template <typename T>
Shared<T>::~Shared() {
  unmapShared(value_, sizeof(T));
}

} // namespace differential
