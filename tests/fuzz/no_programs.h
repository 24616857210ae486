// Holds a fuzzer to what reading a compile command promises: while one of these lives, a program that starts and a file
// that is opened for writing end the fuzzer.
#pragma once

namespace fuzz {

class NoPrograms {
public:
  NoPrograms();
  NoPrograms(const NoPrograms &) = delete;
  NoPrograms &operator=(const NoPrograms &) = delete;
  ~NoPrograms();
};

} // namespace fuzz
