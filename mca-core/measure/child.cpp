// See child.h. Between fork() and the harness only system calls are made: the parent may have other threads, whose
// locks nobody releases in the child.
#include "mca-core/measure/child.h"

#if defined(__linux__) && defined(__x86_64__)

#include <cassert>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <memory>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/rseq.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

namespace mca::measure {
namespace {

// What the harness's signal handler reads.
static_assert(offsetof(ucontext_t, uc_mcontext.gregs) + REG_RIP * sizeof(greg_t) == 168);
static_assert(offsetof(ucontext_t, uc_mcontext.gregs) + REG_ERR * sizeof(greg_t) == 192);
static_assert(offsetof(ucontext_t, uc_mcontext.gregs) + REG_TRAPNO * sizeof(greg_t) == 200);
static_assert(offsetof(siginfo_t, si_code) == 8 && offsetof(siginfo_t, si_addr) == 16 &&
              offsetof(siginfo_t, si_syscall) == 24);

constexpr auto kPollInterval = std::chrono::milliseconds(20);

uint64_t addressOf(const void *object) {
  return reinterpret_cast<uint64_t>(object);
}

/// The addresses of what the child has are fixed numbers.
template <typename Pointer = void *>
Pointer pointerTo(uint64_t address) {
  return reinterpret_cast<Pointer>(address); // NOLINT(performance-no-int-to-ptr)
}

/// Lets exit_group through in 64-bit code; any other call, also one of 32-bit code, raises SIGSYS.
struct Filter {
  sock_filter steps[6] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 0, 2),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog program{.len = sizeof(steps) / sizeof(*steps), .filter = nullptr};
};
static_assert(sizeof(Filter) <= sizeof(Image::filter));

/// The system calls of the harness: those that take away what the C++ code here still needs.
void writePreparation(Image &image, size_t cellsBytes) {
  Filter *filter = new (image.filter) Filter;
  filter->program.filter = filter->steps;
  PreparationCall *call = image.calls;
  const auto unmap = [&](uint64_t begin, uint64_t end) { *call++ = {SYS_munmap, {begin, end - begin}}; };
  unmap(0, kImageAddress);
  unmap(kImageAddress + sizeof(Image), kControlAddress);
  unmap(kControlAddress + sizeof(Control), kMemoryAddress);
  unmap(kMemoryAddress + kMemoryBytes, kCellsAddress);
  unmap(kCellsAddress + cellsBytes, kAddressEnd);
  for (uint64_t page = 0; page < image.extraPageCount; ++page)
    *call++ = {SYS_mmap,
               {image.extraPages[page], kPageSize, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, ~uint64_t{0}}};
  *call++ = {SYS_seccomp, {SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, addressOf(&filter->program)}};
  *call = {};
}

/// The kernel writes to the C library's restartable sequence area whenever the thread was preempted, and ends the
/// process if it is unmapped.
bool leaveRestartableSequences() {
  if (!__rseq_size)
    return true;
  char *const area = static_cast<char *>(__builtin_thread_pointer()) + __rseq_offset;
  // glibc 2.35 to 2.39 registers __rseq_size bytes, later ones a rounded number, but at least the original 32.
  for (unsigned size = 32; size <= 256; size += 32)
    if (!syscall(SYS_rseq, area, size, RSEQ_FLAG_UNREGISTER, RSEQ_SIG))
      return true;
  return false;
}

bool limitResources(uint64_t codes) {
  const auto limit = [](auto resource, rlim_t value) {
    rlimit both{};
    if (getrlimit(resource, &both))
      return false;
    both.rlim_cur = both.rlim_max = std::min(value, both.rlim_max); // nobody but root may raise it
    return !setrlimit(resource, &both);
  };
  // The memory needs no limit: no mapping can be made or grow.
  return limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, 0) && limit(RLIMIT_NPROC, 0) && limit(RLIMIT_NOFILE, 0) &&
         limit(RLIMIT_CPU, 2 * codes + 2);
}

/// The faults of measured code go to the harness; all other signals have their default action.
bool setSignals(uint64_t handler) {
  struct sigaction plain = {};
  plain.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal)
    sigaction(signal, &plain, nullptr); // fails for SIGKILL and the like
  const stack_t stack{.ss_sp = pointerTo(kControlAddress + offsetof(Control, signalStack)),
                      .ss_flags = 0,
                      .ss_size = Control::kStackBytes};
  if (sigaltstack(&stack, nullptr))
    return false;
  struct sigaction handled = {};
  handled.sa_sigaction = pointerTo<void (*)(int, siginfo_t *, void *)>(handler);
  handled.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS})
    if (sigaction(signal, &handled, nullptr))
      return false;
  sigset_t none;
  sigemptyset(&none);
  return !sigprocmask(SIG_SETMASK, &none, nullptr);
}

bool stayOnThisCpu() {
  const int cpu = sched_getcpu();
  cpu_set_t *const set = cpu < 0 ? nullptr : CPU_ALLOC(cpu + 1);
  if (!set)
    return false;
  CPU_ZERO_S(CPU_ALLOC_SIZE(cpu + 1), set);
  CPU_SET_S(cpu, CPU_ALLOC_SIZE(cpu + 1), set);
  return !sched_setaffinity(0, CPU_ALLOC_SIZE(cpu + 1), set);
}

/// In the child. The harness is no function of C++, so nothing about its type can be checked.
[[noreturn, gnu::no_sanitize("function")]] void becomeHarness(pid_t parent, uint64_t codes, uint32_t handlerOffset) {
  const bool isReady = !prctl(PR_SET_PDEATHSIG, SIGKILL) && getppid() == parent && setsid() != -1 && stayOnThisCpu() &&
                       !close_range(0, ~0u, 0) && !prctl(PR_SET_DUMPABLE, 0) &&
                       !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && leaveRestartableSequences() &&
                       setSignals(kImageAddress + handlerOffset) && limitResources(codes) &&
                       !mprotect(pointerTo(kMemoryAddress), kMemoryBytes, PROT_READ | PROT_WRITE) &&
                       !mprotect(pointerTo(kImageAddress), sizeof(Image), PROT_READ | PROT_EXEC);
  if (isReady)
    pointerTo<void (*)()>(kImageAddress)();
  _exit(kUnpreparedStatus);
}

/// The processor time of the child so far; 0 if it has ended.
std::chrono::nanoseconds processorTime(pid_t child) {
  clockid_t clock{};
  timespec time{};
  if (clock_getcpuclockid(child, &clock) || clock_gettime(clock, &time))
    return {};
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

/// Waits until the child ends. Kills it when `control.current` has not moved for `limit` of the child's processor time,
/// or for CodeToRun::kTimeLimit.
ChildEnd waitForEnd(pid_t child, const volatile Control &control, uint64_t codes, std::chrono::milliseconds limit) {
  using Clock = std::chrono::steady_clock;
  const int descriptor = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  ChildEnd end;
  uint64_t current = 0;
  Clock::time_point since = Clock::now();
  std::chrono::nanoseconds used{};
  pollfd event{.fd = descriptor, .events = POLLIN, .revents = 0};
  while (poll(&event, 1, kPollInterval.count()) != 1 || descriptor < 0) {
    // Measured code may write there, but must not gain time.
    if (const uint64_t now = control.current; now > current && now <= codes + 1) {
      current = now;
      since = Clock::now();
      used = processorTime(child);
    }
    end.isTimedOut =
        descriptor < 0 || Clock::now() - since >= CodeToRun::kTimeLimit || processorTime(child) - used >= limit;
    if (end.isTimedOut)
      break;
  }
  if (end.isTimedOut)
    kill(child, SIGKILL);
  int status = 0;
  pid_t waited;
  while ((waited = waitpid(child, &status, 0)) < 0 && errno == EINTR)
    ;
  if (descriptor >= 0)
    close(descriptor);
  // Where SIGCHLD is ignored, the system keeps no status: nothing is known of how the child ended.
  end.isSignalled = waited < 0 || WIFSIGNALED(status);
  end.status = end.isSignalled ? WTERMSIG(status) : WEXITSTATUS(status);
  return end;
}

void *map(uint64_t address, size_t bytes, int protection, int sharing) {
  void *const at =
      mmap(pointerTo(address), bytes, protection, sharing | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
  return at == MAP_FAILED ? nullptr : at;
}

} // namespace

Result<ChildMemory> ChildMemory::create(SharedCells cells) {
  assert(cells.bytes % kPageSize == 0 && cells.stride() * cells.count <= kMaxCellsBytes);
  ChildMemory made;
  made.image_ = static_cast<Image *>(map(kImageAddress, sizeof(Image), PROT_READ | PROT_WRITE, MAP_PRIVATE));
  made.control_ = static_cast<Control *>(map(kControlAddress, sizeof(Control), PROT_READ | PROT_WRITE, MAP_SHARED));
  made.memory_ = map(kMemoryAddress, kMemoryBytes, PROT_NONE, MAP_PRIVATE);
  made.cells_ = cells;
  bool isMapped = made.image_ && made.control_ && made.memory_;
  if (cells.count) {
    made.shared_ = map(kCellsAddress, cells.stride() * cells.count, PROT_NONE, MAP_SHARED);
    isMapped &= made.shared_ != nullptr;
  }
  for (size_t cell = 0; isMapped && cell < cells.count; ++cell)
    isMapped = !mprotect(pointerTo(cells.addressOf(cell)), cells.bytes, PROT_READ | PROT_WRITE);
  if (!isMapped)
    return Failure{"the addresses for measured code cannot be mapped"};
  return made;
}

ChildMemory::ChildMemory(ChildMemory &&other) noexcept
    : image_(std::exchange(other.image_, nullptr)), control_(std::exchange(other.control_, nullptr)),
      cells_(other.cells_), memory_(std::exchange(other.memory_, nullptr)),
      shared_(std::exchange(other.shared_, nullptr)) {}

ChildMemory::~ChildMemory() {
  if (image_)
    munmap(image_, sizeof(Image));
  if (control_)
    munmap(control_, sizeof(Control));
  if (memory_)
    munmap(memory_, kMemoryBytes);
  if (shared_)
    munmap(shared_, cells_.stride() * cells_.count);
}

Result<ChildEnd> ChildMemory::run(uint32_t handlerOffset, std::chrono::milliseconds limit) {
  writePreparation(*image_, cells_.stride() * cells_.count);
  std::memset(control_, 0, sizeof(Control));
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0)
    return Failure{std::string("no process can be started: ") + std::strerror(errno)};
  if (child == 0)
    becomeHarness(parent, image_->codeCount, handlerOffset);
  return waitForEnd(child, *control_, image_->codeCount, limit);
}

} // namespace mca::measure

#else

namespace mca::measure {

Result<ChildMemory> ChildMemory::create(SharedCells) {
  return Failure{"code can be measured on Linux with an x86-64 CPU only"};
}
ChildMemory::ChildMemory(ChildMemory &&) noexcept = default;
ChildMemory::~ChildMemory() = default;
Result<ChildEnd> ChildMemory::run(uint32_t, std::chrono::milliseconds) {
  return Failure{"code cannot be measured here"};
}

} // namespace mca::measure

#endif
