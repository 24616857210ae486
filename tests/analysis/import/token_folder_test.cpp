// Folded traces, read again by the format's own reader and expanded by its cursor.
#include "analysis/import/token_folder.h"
#include "mca-core/trace/trace_walk.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <set>

namespace analysis {
namespace {

const std::vector<std::string> kNames = {"a", "b", "c", "d", "ENTRY", "RET"};

/// Expects all of it to be printed, unless limits are given.
std::string printed(const TokenFolder &folder, std::optional<TextLimits> given = {}) {
  TextLimits limits = given.value_or(TextLimits{.bytes = 1 << 20, .nodes = 1 << 20});
  std::string text;
  const bool isWhole = folder.print([](uint32_t token) -> const std::string & { return kNames[token]; }, limits, text);
  EXPECT_TRUE(isWhole || given);
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

/// The nodes that a reader makes of a text.
size_t nodesOf(const std::string &sequence) {
  const auto read = mca::readTraceStatement("trace f: " + sequence, {});
  return std::get<mca::TraceText>(read).nodes.size();
}

TEST(TokenFolder, PrintsTheBeginningOfWhatExceedsALimit) {
  std::vector<uint32_t> tokens;
  for (int outer = 0; outer < 6; ++outer) {
    for (int inner = 0; inner < 3; ++inner)
      tokens.insert(tokens.end(), {0, 1, 4});
    tokens.push_back(outer < 3 ? 2 : 3);
  }
  tokens.insert(tokens.end(), {0, 4, 4, 1, 3, 0, 1, 2, 5, 3, 0, 2, 1});
  const TokenFolder folder = folded(tokens);
  const std::vector<std::string> all = named(tokens);
  const std::string whole = printed(folder);
  const auto expectBeginning = [&](const std::string &text) {
    if (text.empty())
      return size_t{0};
    const std::vector<std::string> part = expanded(text);
    EXPECT_TRUE(part.size() <= all.size() && std::equal(part.begin(), part.end(), all.begin())) << text;
    return part.size();
  };
  std::set<size_t> lengths;
  for (size_t bytes = 0; bytes < whole.size() + 100; ++bytes) {
    const std::string text = printed(folder, TextLimits{.bytes = bytes, .nodes = 1000});
    EXPECT_LE(text.size(), bytes);
    lengths.insert(expectBeginning(text));
  }
  EXPECT_TRUE(lengths.contains(0) && lengths.contains(all.size()));
  EXPECT_GT(lengths.size(), 4u);
  for (size_t nodes = 0; nodes <= nodesOf(whole); ++nodes) {
    const std::string text = printed(folder, TextLimits{.bytes = 1000, .nodes = nodes});
    EXPECT_LE(text.empty() ? 0 : nodesOf(text), nodes);
    EXPECT_EQ(expectBeginning(text) == all.size(), nodes == nodesOf(whole));
  }
}

} // namespace
} // namespace analysis
