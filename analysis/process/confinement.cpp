// Landlock is an allow list: each right that a ruleset handles is refused where no rule grants it. The filter of system
// calls is a list of refusals: what compilers of all kinds and their C libraries call in a year's time is unknown, but
// not what they never need.
#include "analysis/process/confinement.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace analysis {
namespace {

// ---- Landlock ------------------------------------------------------------------------------------------------------

// Rights that Debian 12's headers lack (landlock(7)), with the version that brought them.
constexpr uint64_t kTruncate = 1 << 14;                     // 3
constexpr uint64_t kDeviceControl = 1 << 15;                // 5
constexpr uint64_t kBindTcp = 1, kConnectTcp = 2;           // 4
constexpr uint64_t kAbstractSockets = 1, kSignalOthers = 2; // 6

constexpr uint64_t kRead = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr uint64_t kWriteFirst = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                 LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                 LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                                 LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                 LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
/// The rights that a rule about a file, not a folder, can grant.
constexpr uint64_t kOfFiles = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                              LANDLOCK_ACCESS_FS_READ_FILE | kTruncate | kDeviceControl;

uint64_t writeRights(int version) {
  return kWriteFirst | (version >= 2 ? LANDLOCK_ACCESS_FS_REFER : 0) | (version >= 3 ? kTruncate : 0) |
         (version >= 5 ? kDeviceControl : 0);
}

/// struct landlock_ruleset_attr as the kernel has it since version 6. Older ones take a shorter one.
struct RulesetAttributes {
  uint64_t files = 0, network = 0, scoped = 0;
};

FileDescriptor createRuleset(int version, bool confinesReading) {
  RulesetAttributes attributes;
  attributes.files = writeRights(version) | (confinesReading ? kRead | LANDLOCK_ACCESS_FS_EXECUTE : 0);
  size_t size = sizeof attributes.files;
  if (version >= 4) {
    attributes.network = kBindTcp | kConnectTcp;
    size += sizeof attributes.network;
  }
  if (version >= 6) {
    attributes.scoped = kAbstractSockets | kSignalOthers;
    size += sizeof attributes.scoped;
  }
  return FileDescriptor(static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, size, 0)));
}

/// Grants the rights below the path. What does not exist needs no rule.
void grant(const FileDescriptor &ruleset, const std::string &path, uint64_t rights) {
  const FileDescriptor place(open(path.c_str(), O_PATH | O_CLOEXEC));
  struct stat status{};
  if (!place.open() || fstat(place.get(), &status) != 0)
    return;
  const landlock_path_beneath_attr rule{.allowed_access = S_ISDIR(status.st_mode) ? rights : rights & kOfFiles,
                                        .parent_fd = place.get()};
  syscall(SYS_landlock_add_rule, ruleset.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

FileDescriptor makeRuleset(const Confinement &confinement, int version) {
  FileDescriptor ruleset = createRuleset(version, confinement.files.has_value());
  if (!ruleset.open())
    return ruleset;
  const uint64_t write = writeRights(version);
  if (confinement.files) {
    for (const std::string &path : confinement.files->read)
      grant(ruleset, path, kRead);
    for (const std::string &path : confinement.files->run)
      grant(ruleset, path, kRead | LANDLOCK_ACCESS_FS_EXECUTE);
  }
  const uint64_t alsoRead = confinement.files ? kRead : 0;
  for (const std::string &path : confinement.write)
    grant(ruleset, path, write | alsoRead);
  grant(ruleset, "/dev/null", LANDLOCK_ACCESS_FS_WRITE_FILE | (version >= 3 ? kTruncate : 0) | alsoRead);
  return ruleset;
}

// ---- seccomp -------------------------------------------------------------------------------------------------------

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t kArchitecture = 0; // no filter
#endif
/// From here on, numbers are those of x86-64's second calling convention, x32.
constexpr uint32_t kFirstX32 = 0x40000000;

/// fchmodat2(2) of Linux 6.6, newer than the headers of Debian 12: calls since number 424 have one number everywhere.
constexpr int kFchmodat2 = 452;

/// Calls that neither the worker nor a compiler needs. The network; other processes; what Landlock does not see of
/// files: owners, modes, times, attributes, and truncation before its version 3; and large, seldom used parts of the
/// kernel.
constexpr int kRefused[] = {
    SYS_socket, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4,
    // other processes
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_pidfd_getfd, SYS_pidfd_send_signal, SYS_kcmp,
    SYS_process_madvise, SYS_setpriority, SYS_ioprio_set, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo,
    // attributes of files
    SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr,
    SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, SYS_truncate, SYS_mknodat, SYS_open_by_handle_at,
#ifdef SYS_chmod
    SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat, SYS_mknod,
#endif
    kFchmodat2,
    // parts of the kernel
    SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd,
    SYS_add_key, SYS_request_key, SYS_keyctl, SYS_fanotify_init, SYS_mq_open, SYS_msgget, SYS_semget, SYS_shmget,
    // the system
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_move_mount, SYS_open_tree,
    SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick, SYS_mount_setattr, SYS_swapon, SYS_swapoff, SYS_reboot,
    SYS_kexec_load, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_acct, SYS_quotactl, SYS_settimeofday,
    SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime, SYS_sethostname, SYS_setdomainname, SYS_syslog, SYS_vhangup};

/// Refused to programs that may not leave their process group.
constexpr int kGroupCalls[] = {SYS_setpgid, SYS_setsid};

sock_filter statement(uint16_t code, uint32_t value) {
  return {code, 0, 0, value};
}

/// Skips `whenNot` statements unless the comparison holds.
sock_filter jumpUnless(uint16_t comparison, uint32_t value, uint8_t whenNot) {
  return {static_cast<uint16_t>(BPF_JMP | comparison | BPF_K), 0, whenNot, value};
}

} // namespace

/// The program of a filter (seccomp(2)).
struct PreparedConfinement::Filter {
  std::vector<sock_filter> steps;
  sock_fprog program{};

  explicit Filter(const Confinement &confinement) {
    const sock_filter refuse = statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    const sock_filter allow = statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    steps = {statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
             {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, kArchitecture},
             confinement.foreignCalls ? allow : refuse,
             statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
    if (kArchitecture == AUDIT_ARCH_X86_64)
      steps.insert(steps.end(), {jumpUnless(BPF_JGE, kFirstX32, 1), refuse});
    for (const int call : kRefused)
      steps.insert(steps.end(), {jumpUnless(BPF_JEQ, static_cast<uint32_t>(call), 1), refuse});
    if (!confinement.leavesGroup)
      for (const int call : kGroupCalls)
        steps.insert(steps.end(), {jumpUnless(BPF_JEQ, static_cast<uint32_t>(call), 1), refuse});
    // The limits of another process: the first argument is its number, or 0 for the caller.
    steps.insert(steps.end(), {jumpUnless(BPF_JEQ, SYS_prlimit64, 4),
                               statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)),
                               jumpUnless(BPF_JEQ, 0, 1), allow, refuse, allow});
    program = {.len = static_cast<unsigned short>(steps.size()), .filter = steps.data()};
  }
};

ConfinementSupport confinementSupport() {
  ConfinementSupport support;
  support.landlock =
      std::max(0, static_cast<int>(syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION)));
  const uint32_t action = SECCOMP_RET_ERRNO;
  support.seccomp = kArchitecture != 0 && syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
  return support;
}

std::string describeMissing(const ConfinementSupport &support) {
  std::string missing;
  if (support.landlock == 0)
    missing = "Landlock is not enabled in this kernel: the compiler can read any file that you can read";
  if (!support.seccomp)
    missing += std::string(missing.empty() ? "" : "; ") +
               "seccomp filters are not available: the worker and the compiler are not kept from the network";
  return missing;
}

PreparedConfinement::PreparedConfinement(const Confinement &confinement) {
  static const ConfinementSupport support = confinementSupport();
  if (support.landlock > 0)
    ruleset_ = makeRuleset(confinement, support.landlock);
  if (support.seccomp)
    filter_ = std::make_unique<Filter>(confinement);
}

PreparedConfinement::~PreparedConfinement() = default;

bool PreparedConfinement::enforce() const {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return false;
  if (ruleset_.open() && syscall(SYS_landlock_restrict_self, ruleset_.get(), 0) != 0)
    return false;
  // With the flag, older kernels leave speculation as it is; without it, they make the program slower.
  return !filter_ ||
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &filter_->program) == 0;
}

} // namespace analysis
