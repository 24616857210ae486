// Folded traces, read again by the format's own reader and expanded by its cursor.
#include "analysis/import/token_folder.h"
#include "mca-core/trace/trace_walk.h"

#include <gtest/gtest.h>
#include <random>

namespace analysis {
namespace {

const std::vector<std::string> kNames = {"a", "b", "c", "d", "ENTRY", "RET"};

std::string printed(const TokenFolder &folder) {
  std::string text;
  folder.print([](uint32_t token) -> const std::string & { return kNames[token]; }, text);
  return text;
}

TokenFolder folded(const std::vector<uint32_t> &tokens) {
  TokenFolder folder;
  for (const uint32_t token : tokens)
    folder.add(token);
  return folder;
}

std::vector<std::string> expanded(const std::string &sequence) {
  const auto read = mca::readTraceStatement("trace f: " + sequence, {});
  const auto *text = std::get_if<mca::TraceText>(&read);
  if (!text)
    return {std::get<mca::TraceError>(read).message};
  std::vector<std::string> tokens;
  for (mca::TokenCursor cursor(*text, text->traces.front().sequence); !cursor.isAtEnd(); cursor.advance())
    tokens.push_back(mca::textOf(text->tokens[cursor.node().token]));
  return tokens;
}

std::vector<std::string> named(const std::vector<uint32_t> &tokens) {
  std::vector<std::string> names;
  for (const uint32_t token : tokens)
    names.push_back(kNames[token]);
  return names;
}

TEST(TokenFolder, FoldsRepeatedTokensAndGroups) {
  EXPECT_EQ(printed(folded({0, 0, 0, 1})), "a x3 b");
  EXPECT_EQ(printed(folded({2, 0, 1, 0, 1, 0, 1})), "c (a b)x3");
}

TEST(TokenFolder, FoldsLoopsInLoops) {
  std::vector<uint32_t> tokens;
  for (int outer = 0; outer < 100; ++outer) {
    for (int inner = 0; inner < 7; ++inner)
      tokens.insert(tokens.end(), {0, 1});
    tokens.push_back(2);
  }
  EXPECT_EQ(printed(folded(tokens)), "((a b)x7 c)x100");
}

TEST(TokenFolder, FoldsCallsThatAreLongerThanItsPeriods) {
  std::mt19937 random(1);
  std::vector<uint32_t> call;
  for (int i = 0; i < 1000; ++i)
    call.push_back(random() % 4);
  TokenFolder folder;
  for (int i = 0; i < 50; ++i) {
    folder.beginCall();
    folder.add(4);
    for (const uint32_t token : call)
      folder.add(token);
    folder.add(5);
    folder.endCall();
  }
  EXPECT_LT(folder.size(), 1100u);
  EXPECT_EQ(folder.tokens(), 50u * 1002);
  EXPECT_EQ(expanded(printed(folder)).size(), 50u * 1002);
}

TEST(TokenFolder, LosesNothing) {
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    std::vector<uint32_t> tokens;
    const unsigned kinds = 1 + random() % 4;
    while (tokens.size() < 1 + random() % 400) {
      std::vector<uint32_t> piece;
      for (unsigned i = 0; i <= random() % 6; ++i)
        piece.push_back(random() % kinds);
      for (unsigned i = 0; i <= random() % 9; ++i)
        tokens.insert(tokens.end(), piece.begin(), piece.end());
    }
    EXPECT_EQ(expanded(printed(folded(tokens))), named(tokens)) << "round " << round;
  }
}

} // namespace
} // namespace analysis
