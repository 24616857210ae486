#include "tests/differential/process.h"

#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace differential {
namespace {

/// A file without a name, which the program writes into: it can never block on a pipe that nobody reads.
class Catch {
public:
  Catch() : file_(std::tmpfile(), &std::fclose) {
    if (!file_)
      throw std::runtime_error("no temporary file");
  }
  int descriptor() const { return fileno(file_.get()); }
  std::string content() const {
    std::string text;
    std::rewind(file_.get());
    char buffer[65536];
    while (const size_t count = std::fread(buffer, 1, sizeof buffer, file_.get()))
      text.append(buffer, count);
    return text;
  }

private:
  std::unique_ptr<std::FILE, int (*)(std::FILE *)> file_;
};

} // namespace

ProcessResult runProcess(const std::vector<std::string> &arguments) {
  Catch output, errors;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.descriptor(), 1);
  posix_spawn_file_actions_adddup2(&actions, errors.descriptor(), 2);
  std::vector<char *> argv;
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t pid = -1;
  const int error = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error)
    throw std::runtime_error("cannot start " + arguments[0] + ": " + std::strerror(error));
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), output.content(), errors.content()};
}

} // namespace differential
