// The stream of a client that sends while handlers fail.
#include "lsp/transport/connection.h"

#include <boost/asio/io_context.hpp>
#include <csignal>
#include <gtest/gtest.h>
#include <optional>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace lsp::transport {
namespace {

constexpr size_t kMegabyte = 1 << 20;

class ConnectionTest : public testing::Test {
protected:
  ConnectionTest() {
    std::signal(SIGPIPE, SIG_IGN); // as in the program
    int fds[2] = {-1, -1};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    client_ = fds[1];
    connection.emplace(io, Endpoint{fds[0], fds[0]});
    connection->start({[this](std::string_view content) {
                         received.emplace_back(content);
                         if (content == "more")
                           connection->send(std::string(kMegabyte, 'x'));
                         if (content == "bad")
                           throw std::runtime_error("a bug");
                       },
                       [this](const std::string &) {
                         received.emplace_back("skipped");
                         throw std::runtime_error("another");
                       },
                       [this](const std::string &) { received.emplace_back("closed"); }});
  }
  ~ConnectionTest() override { hangUp(); }

  void send(const std::string &bytes) const {
    ASSERT_EQ(write(client_, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  /// Reads all that the server has sent. How many bytes.
  size_t readAll() {
    std::string chunk(kMegabyte, '\0');
    size_t bytes = 0;
    for (ssize_t count = 0; run(), (count = recv(client_, chunk.data(), chunk.size(), MSG_DONTWAIT)) > 0;)
      bytes += static_cast<size_t>(count);
    return bytes;
  }
  void hangUp() { close(std::exchange(client_, -1)); }

  /// Runs what is to be done, as the program does. How often something was thrown.
  int run() {
    for (int thrown = 0;; ++thrown)
      try {
        io.restart();
        io.poll();
        return thrown;
      } catch (const std::runtime_error &) {
      }
  }

  boost::asio::io_context io;
  std::optional<Connection> connection;
  std::vector<std::string> received;

private:
  int client_ = -1;
};

using Received = std::vector<std::string>;

TEST_F(ConnectionTest, AHandlerThatThrowsCostsItsOwnMessage) {
  send(frame("bad") + frame("one") + frame("bad") + frame("two"));
  EXPECT_EQ(run(), 2);
  EXPECT_EQ(received, (Received{"bad", "one", "bad", "two"}));
  send(frame("three"));
  EXPECT_EQ(run(), 0);
  EXPECT_EQ(received.back(), "three");
}

TEST_F(ConnectionTest, ABadFrameWhoseHandlerThrows) {
  send("Content-Length: x\r\n\r\n" + frame("one"));
  EXPECT_EQ(run(), 1);
  EXPECT_EQ(received, (Received{"skipped", "one"}));
}

TEST_F(ConnectionTest, TheEndIsSeenAfterAHandlerThrew) {
  send(frame("bad"));
  EXPECT_EQ(run(), 1);
  hangUp();
  EXPECT_EQ(run(), 0);
  EXPECT_EQ(received, (Received{"bad", "closed"}));
}

TEST_F(ConnectionTest, AClientThatReadsNothingIsReadNoFurther) {
  constexpr size_t kMessages = 200;
  for (size_t i = 0; i < kMessages; ++i)
    send(frame("more"));
  EXPECT_EQ(run(), 0);
  EXPECT_GE(received.size(), kLongQueue / kMegabyte);
  EXPECT_LE(received.size(), kLongQueue / kMegabyte + 2) << "the rest waits with the client";
  EXPECT_GE(readAll(), kMessages * kMegabyte) << "and is answered as soon as it reads";
  EXPECT_EQ(received, Received(kMessages, "more"));
}

TEST_F(ConnectionTest, MessagesOfTheServerThatNobodyReadsEndTheConnection) {
  for (size_t i = 0; i < 2 * kMaxQueue / kMegabyte; ++i)
    connection->send(std::string(kMegabyte, 'x'));
  EXPECT_EQ(run(), 0);
  EXPECT_EQ(received, Received{"closed"});
  bool flushed = false;
  connection->finish([&] { flushed = true; });
  hangUp();
  EXPECT_EQ(run(), 0);
  EXPECT_TRUE(flushed);
}

TEST_F(ConnectionTest, AClientThatLeavesWithoutReadingIsSeen) {
  for (int i = 0; i < 200; ++i)
    send(frame("more"));
  EXPECT_EQ(run(), 0);
  hangUp();
  EXPECT_EQ(run(), 0);
  EXPECT_EQ(received.back(), "closed");
}

TEST_F(ConnectionTest, NothingIsHandedOverOnceItIsFinished) {
  bool flushed = false;
  send(frame("bad") + frame("one"));
  EXPECT_THROW(io.poll(), std::runtime_error);
  connection->finish([&] { flushed = true; });
  EXPECT_EQ(run(), 0);
  EXPECT_TRUE(flushed);
  EXPECT_EQ(received, Received{"bad"});
}

} // namespace
} // namespace lsp::transport
