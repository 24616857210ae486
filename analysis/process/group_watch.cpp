// The formats are those of proc_pid_stat(5), proc_pid_statm(5), proc_pid_syscall(5).
#include "analysis/process/group_watch.h"

#include "analysis/process/file_descriptor.h"

#include <array>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <dirent.h>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace analysis {
namespace {

/// The start of a file of /proc, all of it if it has less than a page.
std::string readStart(const std::string &path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 4096> text;
  const ssize_t count = file.open() ? read(file.get(), text.data(), text.size()) : 0;
  return {text.data(), count > 0 ? static_cast<size_t>(count) : 0};
}

/// The fields of a line that blanks separate.
class Fields {
public:
  explicit Fields(std::string_view text) : rest_(text) {}

  std::string_view next() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size()));
    const std::string_view field = rest_.substr(0, rest_.find(' '));
    rest_.remove_prefix(field.size());
    return field;
  }
  /// 0 if it is no number. One with "0x" is hexadecimal.
  uint64_t number() {
    std::string_view field = next();
    const int base = field.starts_with("0x") ? 16 : 10;
    if (base == 16)
      field.remove_prefix(2);
    uint64_t value = 0;
    std::from_chars(field.data(), field.data() + field.size(), value, base);
    return value;
  }

private:
  std::string_view rest_;
};

struct Member {
  bool sleeps = false; ///< interruptible: neither on a processor nor on a disk
  uint64_t ticks = 0;
};

/// No value for a process of another group. The name, the second field, may hold any character.
std::optional<Member> memberOf(const std::string &stat, pid_t group) {
  const size_t name = stat.rfind(')');
  if (name == std::string::npos)
    return std::nullopt;
  Fields fields(std::string_view(stat).substr(name + 1));
  Member member{.sleeps = fields.next() == "S"};
  fields.next(); // the parent
  if (fields.number() != static_cast<uint64_t>(group))
    return std::nullopt;
  for (int field = 0; field < 8; ++field) // session, terminal, its group, flags and four counts of page faults
    fields.next();
  for (int time = 0; time < 4; ++time) // user and system, its own and of its children
    member.ticks += fields.number();
  return member;
}

/// Resident pages that belong to no file.
uint64_t privatePages(const std::string &process) {
  const std::string statm = readStart(process + "/statm");
  Fields fields(statm);
  fields.next(); // all pages
  const uint64_t resident = fields.number(), ofFiles = fields.number();
  return resident > ofFiles ? resident - ofFiles : 0;
}

bool isOpen(uint64_t call) {
#ifdef SYS_open
  if (call == SYS_open)
    return true;
#endif
  return call == SYS_openat || call == SYS_openat2;
}

bool isRead(uint64_t call) {
  return call == SYS_read || call == SYS_pread64 || call == SYS_readv;
}

/// The text at an address of another process; at most a path's length.
std::string textAt(const std::string &process, uint64_t address) {
  const FileDescriptor memory(open((process + "/mem").c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, PATH_MAX> text{};
  // The last page may end earlier than the buffer does.
  for (size_t size = text.size() - 1; size >= 64; size /= 2)
    if (memory.open() && pread(memory.get(), text.data(), size, static_cast<off_t>(address)) > 0)
      return text.data();
  return "";
}

/// `path` as this process sees it, if it leads to what can be waited for.
std::string ifWaitable(const std::string &path) {
  struct stat status{};
  const bool waitable = stat(path.c_str(), &status) == 0 &&
                        (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode) || S_ISSOCK(status.st_mode));
  return waitable ? path : "";
}

std::string linkTarget(const std::string &link) {
  std::array<char, PATH_MAX> target;
  const ssize_t size = readlink(link.c_str(), target.data(), target.size());
  return {target.data(), size > 0 ? static_cast<size_t>(size) : 0};
}

/// What the process waits for in open(2) or read(2). The name of a pipe that has none, "pipe:[1]", leads nowhere.
std::string awaitedFile(const std::string &process) {
  const std::string text = readStart(process + "/syscall");
  Fields fields(text);
  const uint64_t call = text.starts_with("r") || text.starts_with("-") ? UINT64_MAX : fields.number();
  if (isRead(call))
    return ifWaitable(linkTarget(process + "/fd/" + std::to_string(fields.number())));
  if (!isOpen(call))
    return "";
#ifdef SYS_open
  if (call != SYS_open)
#endif
    fields.next(); // the folder
  const std::string path = textAt(process, fields.number());
  return path.empty() || path.front() == '/' ? ifWaitable(path) : ifWaitable(linkTarget(process + "/cwd") + "/" + path);
}

} // namespace

GroupUse useOfGroup(pid_t group) {
  GroupUse use;
  uint64_t ticks = 0, pages = 0;
  DIR *const processes = opendir("/proc");
  while (const dirent *entry = processes ? readdir(processes) : nullptr) {
    if (entry->d_name[0] < '0' || entry->d_name[0] > '9')
      continue;
    const std::string process = std::string("/proc/") + entry->d_name;
    const std::optional<Member> member = memberOf(readStart(process + "/stat"), group);
    if (!member)
      continue;
    ++use.processes;
    ticks += member->ticks;
    pages += privatePages(process);
    if (member->sleeps && use.waitsFor.empty())
      use.waitsFor = awaitedFile(process);
  }
  if (processes)
    closedir(processes);
  use.processorTime = std::chrono::milliseconds(ticks * 1000 / static_cast<uint64_t>(sysconf(_SC_CLK_TCK)));
  use.memoryBytes = pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return use;
}

} // namespace analysis
