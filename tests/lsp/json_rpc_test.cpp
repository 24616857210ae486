// What counts as a message, and how broken text is read.
#include "lsp/protocol/json_rpc.h"

#include "lsp/protocol/uri.h"

#include <gtest/gtest.h>

namespace lsp::protocol {
namespace {

TEST(JsonRpc, TellsMessagesApart) {
  const auto request = std::get<Request>(parseMessage(R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":2}})"));
  EXPECT_EQ(request.id, RequestId(int64_t{1}));
  EXPECT_EQ(request.params["a"], 2);
  EXPECT_EQ(std::get<Request>(parseMessage(R"({"id":"x","method":"m"})")).id, RequestId("x"));
  EXPECT_EQ(std::get<Notification>(parseMessage(R"({"method":"n"})")).method, "n");
  EXPECT_EQ(std::get<Response>(parseMessage(R"({"id":3,"result":null})")).error, std::nullopt);
  EXPECT_EQ(std::get<Response>(parseMessage(R"({"id":3,"error":{"code":1,"message":"no"}})")).error, "no");
}

TEST(JsonRpc, AnswersWhatIsNoMessage) {
  const auto code = [](std::string_view text) { return std::get<Malformed>(parseMessage(text)).code; };
  EXPECT_EQ(code(""), ErrorCode::ParseError);
  EXPECT_EQ(code("{"), ErrorCode::ParseError);
  EXPECT_EQ(code(R"({"a":1} {})"), ErrorCode::ParseError);
  EXPECT_EQ(code("[]"), ErrorCode::InvalidRequest);
  EXPECT_EQ(code(R"([{"id":1,"method":"m"}])"), ErrorCode::InvalidRequest);
  EXPECT_EQ(code("5"), ErrorCode::InvalidRequest);
  EXPECT_EQ(code("{}"), ErrorCode::InvalidRequest);
  EXPECT_EQ(code(R"({"id":1,"method":5})"), ErrorCode::InvalidRequest);
  EXPECT_EQ(code(R"({"id":{},"method":"m"})"), ErrorCode::InvalidRequest);
  EXPECT_EQ(code(R"({"id":1,"method":"m","params":3})"), ErrorCode::InvalidRequest);
  EXPECT_EQ(std::get<Malformed>(parseMessage(R"({"id":7,"method":5})")).id, RequestId(int64_t{7}));
}

/// A message whose values are nested `levels` deep, the message itself and `params` or `error` included.
std::string nested(const std::string &begin, size_t levels) {
  return begin + std::string(levels - 1, '[') + std::string(levels - 1, ']') + "}";
}

TEST(JsonRpc, AMessageThatIsNestedTooDeepIsRefusedWithItsId) {
  const std::string request = R"({"id":1,"method":"m","params":)";
  EXPECT_TRUE(std::holds_alternative<Request>(parseMessage(nested(request, kDeepestMessage))));
  for (const size_t levels : {kDeepestMessage + 1, size_t{1'000'000}}) {
    const auto refused = std::get<Malformed>(parseMessage(nested(request, levels)));
    EXPECT_EQ(refused.code, ErrorCode::InvalidRequest);
    EXPECT_EQ(refused.id, RequestId(int64_t{1}));
  }
  const auto lateId = std::get<Malformed>(
      parseMessage(R"({"params":)" + std::string(1000, '[') + std::string(1000, ']') + R"(,"method":"m","id":"x"})"));
  EXPECT_EQ(lateId.id, RequestId("x"));
}

TEST(JsonRpc, TheRefusalOfADeepAnswerNamesNoRequest) {
  const auto refused = std::get<Malformed>(parseMessage(nested(R"({"id":1,"error":)", 100'000)));
  EXPECT_EQ(refused.id, std::nullopt);
}

TEST(JsonRpc, OnlyBracketsOutsideOfStringsNest) {
  const std::string brackets(1000, '[');
  const auto textOf = [](const std::string &literal) {
    return std::get<Notification>(parseMessage(R"({"method":"m","params":[")" + literal + R"("]})"))
        .params[0]
        .get<std::string>();
  };
  EXPECT_EQ(textOf(brackets), brackets);
  EXPECT_EQ(textOf(R"(\\\")" + brackets), R"(\")" + brackets);
  EXPECT_EQ(textOf(brackets + R"(\\)"), brackets + R"(\)");
  const std::string many = R"({"method":"m","params":[)" + [] {
    std::string flat = "[]";
    for (int i = 0; i < 1000; ++i)
      flat += ",[]";
    return flat;
  }() + "]}";
  EXPECT_TRUE(std::holds_alternative<Notification>(parseMessage(many)));
}

TEST(JsonRpc, DeepTextThatIsNoJsonIsRefused) {
  EXPECT_TRUE(std::holds_alternative<Malformed>(parseMessage(std::string(200000, '['))));
}

TEST(JsonRpc, BrokenUnicodeBecomesCharactersOfItsWidth) {
  const auto textOf = [](const std::string &literal) {
    return std::get<Notification>(parseMessage(R"({"method":"m","params":[")" + literal + R"("]})"))
        .params[0]
        .get<std::string>();
  };
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(textOf("a\xff"
                   "b"),
            "a?b");
  EXPECT_EQ(textOf("\xE2\x82+\xE2\x82\xAC"), "??+\xE2\x82\xAC") << "a byte each";
  EXPECT_EQ(textOf(R"(a\ud800b)"), "a" + bad + "b");
  EXPECT_EQ(textOf(R"(a\udc00b)"), "a" + bad + "b");
  EXPECT_EQ(textOf(R"(\ud800\ud83d\ude80)"), bad + "\xF0\x9F\x9A\x80");
  EXPECT_EQ(textOf("\xff"
                   R"(\\ud800)"),
            R"(?\ud800)");
  EXPECT_EQ(textOf(R"(a\u0000b)"), std::string("a\0b", 3));
}

/// Such a text is no JSON, but it is Unicode.
TEST(JsonRpc, BrokenUnicodeAfterABackslashIsReplaced) {
  EXPECT_EQ(repairUnicode("\\\xff\\"), "\\?\\");
  EXPECT_EQ(repairUnicode("\\\xC3\xA4"), "\\\xC3\xA4");
  EXPECT_EQ(repairUnicode("\\\\\xff\\n"), "\\\\?\\n");
}

TEST(JsonRpc, WritesAnswersToTheLetter) {
  EXPECT_EQ(errorText(std::nullopt, ErrorCode::ParseError, "x"),
            R"({"error":{"code":-32700,"message":"x"},"id":null,"jsonrpc":"2.0"})");
  EXPECT_EQ(resultText(RequestId("a"), nullptr), R"({"id":"a","jsonrpc":"2.0","result":null})");
  EXPECT_EQ(requestText(4, "m", nullptr), R"({"id":4,"jsonrpc":"2.0","method":"m"})");
}

TEST(JsonRpc, InvalidUtf8CanBeSent) {
  EXPECT_NO_THROW(notificationText("m", Json{{"text", "\xff\xc3"}}));
}

TEST(JsonRpc, AReaderGetsNoHiddenCharacters) {
  const Json shown{{"title", "a\x1b[2J"}, {"list", {"\u202Eb", "c"}}, {"n", 1}};
  const Json expected = Json::parse(R"({"title": "a\uFFFD[2J", "list": ["\uFFFDb", "c"], "n": 1})");
  EXPECT_EQ(Json::parse(resultText(RequestId("i"), shown))["result"], expected);
  EXPECT_EQ(Json::parse(notificationText("m", shown))["params"], expected);
  EXPECT_EQ(Json::parse(requestText(1, "m", shown))["params"], expected);
  EXPECT_EQ(Json::parse(errorText(RequestId("i"), ErrorCode::InternalError, "\x7f"))["error"]["message"], "\uFFFD");
  EXPECT_EQ(Json::parse(resultText(RequestId("i"), "\x1b"))["result"], "\uFFFD");
}

TEST(JsonRpc, PlacesAndEditsStayAsTheyAre) {
  const Json edit{{"uri", "file:///\u202Ea"},
                  {"newText", "\x1b\u202E\r\n"},
                  {"changes", {{"file:///\u202Ea", {{{"newText", "\x1b"}}}}}},
                  {"arguments", {"\x1b"}},
                  {"data", {{"uri", "\x1b"}}},
                  {"path", "\x1b"}};
  EXPECT_EQ(Json::parse(resultText(RequestId("i"), edit))["result"], edit);
}

TEST(Uri, PathsGoThereAndBack) {
  EXPECT_EQ(parseUri("file:///home/a%20b%23.s").path, "/home/a b#.s");
  EXPECT_EQ(parseUri("FILE://host/x").path, "/x");
  EXPECT_EQ(parseUri("file:///x?query#fragment").path, "/x");
  EXPECT_EQ(parseUri("untitled:Untitled-1").scheme, "untitled");
  EXPECT_EQ(parseUri("file:///bad%zz%4").path, "/bad%zz%4");
  EXPECT_EQ(parseUri("").path, "");
  EXPECT_EQ(fileUri("/a b/\xC3\xA9.s"), "file:///a%20b/%C3%A9.s");
  EXPECT_EQ(parseUri(fileUri("/a%b:?#&.s")).path, "/a%b:?#&.s");
}

TEST(Uri, OnlyFileWithoutAHostIsOfThisMachine) {
  for (const char *uri :
       {"file:///dir/a.s", "FILE:///dir/a.s", "file:/dir/a.s", "file://localhost/dir/a.s", "file://LOCALHOST/dir/a.s",
        "file:///dir/a.s?query#part", "file:///dir/./b/../a.s", "file:///dir/%61.s", "file:///dir/%2e%2E/dir/a.s"})
    EXPECT_EQ(localPath(uri), "/dir/a.s") << uri;
  for (const char *uri :
       {"vscode-vfs://github/dir/a.s", "http://host/dir/a.s", "http:///dir/a.s", "git:/dir/a.s?HEAD", "git:///dir/a.s",
        "untitled:/dir/a.s", "vscode-remote://ssh/dir/a.s", "file://host/dir/a.s", "file://host:1/dir/a.s",
        "file://localhost.evil/dir/a.s", "file://user@localhost/dir/a.s", "file:dir/a.s", "file:a.s",
        "file:///dir%2fa.s", "file:///dir/x%2F..%2Fa.s", "file:///dir/a.s%00.c", "/dir/a.s", "dir/a.s", ""})
    EXPECT_EQ(localPath(uri), "") << uri;
}

TEST(Uri, WhatIsNoFileHasARelativeName) {
  EXPECT_EQ(documentPath("file:///dir/a.s"), "/dir/a.s");
  EXPECT_EQ(documentPath("git:/dir/a.s?HEAD"), "a.s");
  EXPECT_EQ(documentPath("untitled:Untitled-1"), "Untitled-1");
  EXPECT_EQ(documentPath("file://host/dir/a.s"), "a.s");
  EXPECT_EQ(documentPath("file:///dir%2fa.s"), "a.s");
  for (const char *uri : {"", "http://host", "untitled:", "x:/"})
    EXPECT_EQ(documentPath(uri), "document") << uri;
}

} // namespace
} // namespace lsp::protocol
