// A process that runs an Image and can do nothing else.
//
// What it has: the image (read and execute), the control page and the cells (shared with the parent), the memory for
// measured code, and no other mapping: not the parent's memory, its stack with the environment, the libraries, or the
// vdso. No open file, no controlling terminal, one CPU, no new process, no core file; it dies with its parent. A filter
// lets one system call through, exit_group. It is a filter and not SECCOMP_MODE_STRICT for three reasons: it forbids
// read, write and sigreturn, too; a forbidden call raises SIGSYS, so that the reason can be reported; and a flag leaves
// speculation as it is: older kernels turn speculative store bypass off under seccomp, which changes the times.
#pragma once

#include "mca-core/measure/child_layout.h"
#include "mca-core/target/result.h"

namespace mca::measure {

struct ChildEnd {
  bool isTimedOut = false;  ///< it was killed, because one code took too long
  bool isSignalled = false; ///< a signal ended it that it could not handle
  int status = 0;           ///< the exit status, or the signal
};

/// The mappings of the parent that its children inherit. One at a time exists in a process.
class ChildMemory {
public:
  /// `cells` may be none. They are readable and writable in the parent, too, at the same addresses.
  static Result<ChildMemory> create(SharedCells cells = {});
  ChildMemory(ChildMemory &&other) noexcept;
  ChildMemory &operator=(ChildMemory &&) = delete;
  ~ChildMemory();

  Image &image() { return *image_; }
  const Image &image() const { return *image_; }
  const volatile Control &control() const { return *control_; }
  const SharedCells &cells() const { return cells_; }

  /// Runs the image's codes, from the first. Resets the control page before. Each code may take this much of the
  /// processor's time, and CodeToRun::kTimeLimit of any. Fails if no child can be made.
  Result<ChildEnd> run(uint32_t handlerOffset, std::chrono::milliseconds limit);

private:
  ChildMemory() = default;
  Image *image_ = nullptr;
  Control *control_ = nullptr;
  SharedCells cells_;
  // Unused for CPUs that cannot be measured.
  [[maybe_unused]] void *memory_ = nullptr;
  [[maybe_unused]] void *shared_ = nullptr; ///< all of the cells
};

} // namespace mca::measure
