// The child writes each call of the sink into a pipe, as a byte that names it, numbers of eight bytes, and strings
// after their lengths; both processes are of one program. What it writes is not trusted: it has read what made it
// crash.
#include "analysis/profile/separate_reader.h"

#include "analysis/import/record_text.h"
#include "analysis/process/file_descriptor.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace analysis {
namespace {

constexpr rlim_t kMemoryBytes = rlim_t{2} << 30;
constexpr rlim_t kSeconds = 60;
constexpr uint64_t kLongestString = 1 << 20;

enum class Call : char { Event = 'e', Sampled = 's', Build = 'b', Counted = 'c', Note = 'n', Error = 'x', End = '.' };

/// In the child.
class Writer final : public ProfileSink {
public:
  explicit Writer(std::FILE *out) : out_(out) {}

  void event(std::string_view name, ProfileUnit unit) override {
    begin(Call::Event);
    put(name);
    put(static_cast<uint64_t>(unit));
  }
  void sampled(const RecordedPlace &place, const RecordedWeight &weight) override {
    begin(Call::Sampled);
    put(static_cast<uint64_t>(place.by));
    put(place.module);
    put(place.symbol);
    put(place.source);
    const uint64_t inPage = place.inPage ? uint64_t{*place.inPage} + 1 : 0;
    for (const uint64_t number : {place.address, inPage, uint64_t{place.line}, uint64_t{place.isFromDeclaration},
                                  weight.weight, weight.samples, weight.executions, weight.ends})
      put(number);
  }
  void build(std::string_view module, std::string_view buildId) override {
    begin(Call::Build);
    put(module);
    put(buildId);
  }
  void counted(uint32_t runs) override {
    begin(Call::Counted);
    put(uint64_t{runs});
  }
  void note(std::string text) override {
    begin(Call::Note);
    put(text);
  }
  void finish(const std::optional<ImportError> &error) {
    if (error) {
      begin(Call::Error);
      put(error->message);
      put(error->line);
      put(uint64_t{error->column});
    }
    begin(Call::End);
    std::fflush(out_);
  }

private:
  void begin(Call call) { std::fputc(static_cast<char>(call), out_); }
  void put(uint64_t number) { std::fwrite(&number, sizeof number, 1, out_); }
  void put(std::string_view text) {
    text = text.substr(0, kLongestString);
    put(uint64_t{text.size()});
    std::fwrite(text.data(), 1, text.size(), out_);
  }

  std::FILE *const out_;
};

/// In the parent: hands on what a Writer wrote.
class Forwarder {
public:
  Forwarder(std::FILE *in, ProfileSink &sink) : in_(in), sink_(sink) {}

  /// Whether the child wrote all.
  bool run() {
    for (;;) {
      switch (static_cast<Call>(std::fgetc(in_))) {
      case Call::Event:
        if (!take(strings_[0]) || !take(numbers_[0]) || numbers_[0] > static_cast<uint64_t>(ProfileUnit::Cycles))
          return false;
        sink_.event(strings_[0], static_cast<ProfileUnit>(numbers_[0]));
        break;
      case Call::Sampled:
        if (!forwardSample())
          return false;
        break;
      case Call::Build:
        if (!take(strings_[0]) || !take(strings_[1]))
          return false;
        sink_.build(strings_[0], strings_[1]);
        break;
      case Call::Counted:
        if (!take(numbers_[0]))
          return false;
        sink_.counted(static_cast<uint32_t>(numbers_[0]));
        break;
      case Call::Note:
        if (!take(strings_[0]))
          return false;
        sink_.note(strings_[0]);
        break;
      case Call::Error:
        if (!take(strings_[0]) || !take(numbers_[0]) || !take(numbers_[1]))
          return false;
        error_ = {numbers_[0], static_cast<uint32_t>(numbers_[1]), strings_[0]};
        break;
      case Call::End:
        return true;
      default:
        return false;
      }
    }
  }
  const std::optional<ImportError> &error() const { return error_; }

private:
  bool forwardSample() {
    uint64_t by = 0;
    bool isWhole = take(by) && by <= static_cast<uint64_t>(RecordedPlace::By::Unknown);
    for (std::string &string : strings_)
      isWhole = isWhole && take(string);
    for (uint64_t &number : numbers_)
      isWhole = isWhole && take(number);
    if (!isWhole)
      return false;
    const auto &[address, inPage, line, isFromDeclaration, weight, samples, executions, ends] = numbers_;
    RecordedPlace place{.by = static_cast<RecordedPlace::By>(by),
                        .module = strings_[0],
                        .symbol = strings_[1],
                        .address = address,
                        .source = strings_[2],
                        .line = static_cast<uint32_t>(line),
                        .isFromDeclaration = isFromDeclaration != 0};
    if (inPage)
      place.inPage = static_cast<uint32_t>(inPage - 1);
    sink_.sampled(place, {weight, samples, executions, ends});
    return true;
  }

  bool take(uint64_t &number) { return std::fread(&number, sizeof number, 1, in_) == 1; }
  bool take(std::string &text) {
    uint64_t size = 0;
    if (!take(size) || size > kLongestString)
      return false;
    text.resize(size);
    return std::fread(text.data(), 1, size, in_) == size;
  }

  std::FILE *const in_;
  ProfileSink &sink_;
  std::array<std::string, 3> strings_;
  std::array<uint64_t, 8> numbers_ = {};
  std::optional<ImportError> error_;
};

void limit(int resource, rlim_t most) {
  const rlimit both{most, most};
  setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

/// A crash is expected here, so nobody is informed of it.
void prepareChild(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(1);
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTRAP})
    std::signal(signal, SIG_DFL);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, kSeconds);
  limit(RLIMIT_DATA, kMemoryBytes);
  if (const int null = open("/dev/null", O_WRONLY | O_CLOEXEC); null >= 0)
    dup2(null, STDERR_FILENO);
}

class SeparateReader final : public ProfileReader {
public:
  explicit SeparateReader(std::unique_ptr<ProfileReader> reader) : reader_(std::move(reader)) {}

  /// Says nothing of its progress: the child has a minute at most.
  std::optional<ImportError> read(int descriptor, ProfileSink &sink,
                                  const std::function<bool(uint64_t bytes)> & /*onChunk*/) override {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
      return errorInFile(std::strerror(errno));
    const pid_t parent = getpid(), child = fork();
    if (child == 0) {
      prepareChild(parent);
      std::FILE *const out = fdopen(ends[1], "w");
      Writer writer(out);
      writer.finish(reader_->read(descriptor, writer, [](uint64_t) { return true; }));
      _exit(0);
    }
    close(ends[1]);
    if (child < 0) {
      close(ends[0]);
      return errorInFile(std::strerror(errno));
    }
    std::FILE *const in = fdopen(ends[0], "r");
    Forwarder forwarder(in, sink);
    const bool isWhole = forwarder.run();
    std::fclose(in);
    kill(child, SIGKILL); // it has nothing left to do, or goes on after what cannot be understood
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    if (!isWhole)
      return errorInFile("the file is damaged: it cannot be read in 2 GiB of memory and a minute");
    return forwarder.error();
  }

private:
  const std::unique_ptr<ProfileReader> reader_;
};

} // namespace

std::unique_ptr<ProfileReader> readSeparately(std::unique_ptr<ProfileReader> reader) {
  return std::make_unique<SeparateReader>(std::move(reader));
}

} // namespace analysis
