#include "tests/goldens/editor.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace goldens {
namespace {

using nlohmann::json;

constexpr int kPatienceMs = 60000;

} // namespace

Editor::Editor(const std::string &server) {
  int toServer[2], fromServer[2];
  if (pipe2(toServer, O_CLOEXEC) || pipe2(fromServer, O_CLOEXEC))
    throw std::runtime_error("no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, toServer[0], 0);
  posix_spawn_file_actions_adddup2(&actions, fromServer[1], 1);
  // The goldens' numbers are LLVM's, whatever was measured of this machine.
  std::string program = server, log = "--log=error", calibration = "--calibration=off";
  char *arguments[] = {program.data(), log.data(), calibration.data(), nullptr};
  const int error = posix_spawn(&pid_, server.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(toServer[0]);
  close(fromServer[1]);
  input_ = toServer[1];
  output_ = fromServer[0];
  if (error)
    throw std::runtime_error("cannot start " + server);
  std::signal(SIGPIPE, SIG_IGN);
  const json capabilities = {
      {"general", {{"positionEncodings", {"utf-8"}}}},
      {"textDocument",
       {{"publishDiagnostics", {{"relatedInformation", true}}}, {"hover", {{"contentFormat", {"markdown"}}}}}}};
  request("initialize", {{"processId", nullptr}, {"rootUri", nullptr}, {"capabilities", capabilities}});
  notify("initialized", json::object());
}

Editor::~Editor() {
  close(input_);
  close(output_);
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
}

json Editor::open(const std::string &uri, const std::string &languageId, const std::string &text) {
  notify("textDocument/didOpen",
         {{"textDocument", {{"uri", uri}, {"languageId", languageId}, {"version", 1}, {"text", text}}}});
  return receive([&](const json &message) {
    return message.value("method", "") == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri;
  })["params"]["diagnostics"];
}

json Editor::inlayHints(const std::string &uri) {
  const json whole = {{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 1000000}, {"character", 0}}}};
  return request("textDocument/inlayHint", {{"textDocument", {{"uri", uri}}}, {"range", whole}});
}

json Editor::hover(const std::string &uri, uint32_t line, uint32_t character) {
  return request("textDocument/hover",
                 {{"textDocument", {{"uri", uri}}}, {"position", {{"line", line}, {"character", character}}}});
}

int Editor::shutdown() {
  request("shutdown", nullptr);
  notify("exit", nullptr);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

json Editor::request(const std::string &method, const json &params) {
  const int id = ++lastId_;
  json message = {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}};
  if (!params.is_null())
    message["params"] = params;
  send(message);
  const json answer = receive(
      [&](const json &candidate) { return !candidate.contains("method") && candidate.value("id", json()) == id; });
  if (answer.contains("error"))
    throw std::runtime_error(method + ": " + answer["error"].dump());
  return answer["result"];
}

void Editor::notify(const std::string &method, const json &params) {
  json message = {{"jsonrpc", "2.0"}, {"method", method}};
  if (!params.is_null())
    message["params"] = params;
  send(message);
}

void Editor::send(const json &message) {
  const std::string content = message.dump();
  const std::string frame = "Content-Length: " + std::to_string(content.size()) + "\r\n\r\n" + content;
  for (size_t sent = 0; sent < frame.size();) {
    const ssize_t count = write(input_, frame.data() + sent, frame.size() - sent);
    if (count < 0)
      throw std::runtime_error("the server does not read");
    sent += static_cast<size_t>(count);
  }
}

template <class Wanted>
json Editor::receive(Wanted wanted) {
  while (true) {
    json message = receiveOne();
    if (wanted(message))
      return message;
    if (message.contains("method") && message.contains("id"))
      send({{"jsonrpc", "2.0"}, {"id", message["id"]}, {"result", nullptr}});
  }
}

json Editor::receiveOne() {
  constexpr std::string_view kEnd = "\r\n\r\n", kLength = "Content-Length: ";
  while (true) {
    const size_t header = buffer_.find(kEnd);
    if (header != std::string::npos) {
      const size_t length = std::stoul(buffer_.substr(buffer_.find(kLength) + kLength.size()));
      const size_t begin = header + kEnd.size();
      if (buffer_.size() >= begin + length) {
        json message = json::parse(buffer_.substr(begin, length));
        buffer_.erase(0, begin + length);
        return message;
      }
    }
    readMore();
  }
}

void Editor::readMore() {
  pollfd waiting{output_, POLLIN, 0};
  if (poll(&waiting, 1, kPatienceMs) <= 0)
    throw std::runtime_error("the server does not answer");
  char bytes[65536];
  const ssize_t count = read(output_, bytes, sizeof bytes);
  if (count <= 0)
    throw std::runtime_error("the server is gone");
  buffer_.append(bytes, static_cast<size_t>(count));
}

} // namespace goldens
