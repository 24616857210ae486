// A minimal editor: starts the language server, opens one document and waits for what it publishes.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <sys/types.h>
#include <vector>

namespace goldens {

class Editor {
public:
  /// Starts `server` with its standard streams as the connection, and initializes it. Throws std::runtime_error when
  /// it does not answer.
  explicit Editor(const std::string &server);
  Editor(const Editor &) = delete;
  Editor &operator=(const Editor &) = delete;
  /// Kills a server that shutdown() did not end.
  ~Editor();

  /// Opens the document and returns its first published diagnostics.
  nlohmann::json open(const std::string &uri, const std::string &languageId, const std::string &text);
  /// The hints of the whole document.
  nlohmann::json inlayHints(const std::string &uri);
  nlohmann::json hover(const std::string &uri, uint32_t line, uint32_t character);
  /// Ends the server as an editor does. Returns its exit status.
  int shutdown();

private:
  nlohmann::json request(const std::string &method, const nlohmann::json &params);
  void notify(const std::string &method, const nlohmann::json &params);
  void send(const nlohmann::json &message);
  /// The next message that `wanted` accepts; what comes before it is passed over, requests are answered with null.
  template <class Wanted>
  nlohmann::json receive(Wanted wanted);
  nlohmann::json receiveOne();
  void readMore();

  pid_t pid_ = -1;
  int input_ = -1;  ///< the server's standard input
  int output_ = -1; ///< its standard output
  std::string buffer_;
  int lastId_ = 0;
};

} // namespace goldens
