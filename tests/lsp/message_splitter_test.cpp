// Framing, with plain strings.
#include "lsp/transport/message_splitter.h"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace lsp::transport {
namespace {

/// Everything that the splitter says about what it has: messages as they are, errors with a mark before them.
std::vector<std::string> take(MessageSplitter &splitter) {
  std::vector<std::string> result;
  while (true) {
    const auto next = splitter.next();
    if (const auto *message = std::get_if<Message>(&next))
      result.emplace_back(message->content);
    else if (const auto *error = std::get_if<FrameError>(&next))
      result.push_back("!" + error->what);
    else
      return result;
  }
}

std::vector<std::string> split(std::string_view bytes) {
  MessageSplitter splitter;
  splitter.feed(bytes);
  return take(splitter);
}

using Messages = std::vector<std::string>;

TEST(MessageSplitter, CutsMessages) {
  EXPECT_EQ(split(frame("one") + frame("") + frame("three")), (Messages{"one", "", "three"}));
}

TEST(MessageSplitter, IsTolerantOfHeaders) {
  EXPECT_EQ(split("content-length:2\r\n\r\n{}"), Messages{"{}"});
  EXPECT_EQ(split("CONTENT-LENGTH :  2 \r\n\r\n{}"), Messages{"{}"});
  EXPECT_EQ(split("Content-Type: application/vscode-jsonrpc; charset=utf8\r\nContent-Length: 2\r\n\r\n{}"),
            Messages{"{}"});
  EXPECT_EQ(split("Content-Length: 2\r\nX-Other: a:b\r\n\r\n{}"), Messages{"{}"});
  EXPECT_EQ(split("Content-Length: 2\n\n{}"), Messages{"{}"});
  EXPECT_EQ(split("\r\nContent-Length: 2\r\n\r\n{}"), Messages{"{}"});
}

TEST(MessageSplitter, WaitsForTheRest) {
  MessageSplitter splitter;
  splitter.feed("Content-Length: 5\r\n\r\nab");
  EXPECT_TRUE(take(splitter).empty());
  splitter.feed("cde");
  EXPECT_EQ(take(splitter), Messages{"abcde"});
}

TEST(MessageSplitter, GoesOnAfterABadHeader) {
  const std::string good = frame("good");
  EXPECT_EQ(split("no colon here\r\n\r\n" + good), (Messages{"!a header line without a colon", "good"}));
  EXPECT_EQ(split("X: 1\r\n\r\n" + good), (Messages{"!a header without Content-Length", "good"}));
  EXPECT_EQ(split("Content-Length: -3\r\n\r\n{}\n" + good),
            (Messages{"!a Content-Length that is not one number", "good"}));
  EXPECT_EQ(split("Content-Length: 1\r\nContent-Length: 2\r\n\r\nab" + good),
            (Messages{"!a Content-Length that is not one number", "good"}));
}

TEST(MessageSplitter, TheNextHeaderIsFoundInPieces) {
  MessageSplitter splitter;
  splitter.feed("bad\r\n\r\n {\"Content-Length: 5\\r\\n\": 1}Content-Len");
  EXPECT_EQ(take(splitter), Messages{"!a header line without a colon"});
  splitter.feed("gth: 2\r");
  EXPECT_TRUE(take(splitter).empty());
  splitter.feed("\n\r\nok");
  EXPECT_EQ(take(splitter), Messages{"ok"});
}

TEST(MessageSplitter, RefusesAHugeMessageWithoutWaitingForIt) {
  const std::string error = "!a message longer than 256 MiB";
  EXPECT_EQ(split("Content-Length: 99999999999999999999999\r\n\r\n" + frame("good")), (Messages{error, "good"}));
  EXPECT_EQ(split("Content-Length: 268435457\r\n\r\n{\"text\": \"abc\"}" + frame("good")), (Messages{error, "good"}));
}

TEST(MessageSplitter, DoesNotKeepGarbage) {
  MessageSplitter splitter;
  const std::string garbage(50000, 'x');
  splitter.feed(garbage);
  EXPECT_TRUE(take(splitter).empty());
  splitter.feed(garbage);
  EXPECT_EQ(take(splitter), Messages{"!a header without an end"});
  splitter.feed(garbage);
  splitter.feed(frame("good"));
  EXPECT_EQ(take(splitter), Messages{"good"});
}

TEST(MessageSplitter, ChunksDoNotMatter) {
  std::mt19937 random(7);
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  for (int round = 0; round < 300; ++round) {
    std::string stream;
    Messages expected;
    for (size_t i = 0; i < 1 + below(6); ++i) {
      std::string content(below(200), '\0');
      for (char &c : content)
        c = static_cast<char>("abC{}:\r\n\0\xff"[below(10)]);
      stream += frame(content);
      expected.push_back(content);
    }
    MessageSplitter splitter;
    Messages got;
    for (size_t at = 0; at < stream.size();) {
      const size_t count = std::min(1 + below(round % 2 ? 3 : 80), stream.size() - at);
      splitter.feed(std::string_view(stream).substr(at, count));
      for (std::string &message : take(splitter))
        got.push_back(std::move(message));
      at += count;
    }
    ASSERT_EQ(got, expected) << "round " << round;
  }
}

TEST(MessageSplitter, SurvivesRandomBytes) {
  std::mt19937 random(8);
  constexpr std::string_view kPieces[] = {"Content-Length",        ": ",   "5",  "\r\n", "\r\n\r\n", "x",
                                          "content-length: 3\n\n", "\xff", "\n", ":",    "{}"};
  for (int round = 0; round < 500; ++round) {
    MessageSplitter splitter;
    for (int piece = 0; piece < 60; ++piece) {
      splitter.feed(kPieces[random() % std::size(kPieces)]);
      take(splitter);
    }
    splitter.feed(std::string(10, ' ') + "\r\n\r\nx: y\r\n\r\n" + frame("found"));
    const Messages last = take(splitter);
    ASSERT_TRUE(!last.empty() && last.back().find("found") != std::string::npos) << "round " << round;
  }
}

} // namespace
} // namespace lsp::transport
