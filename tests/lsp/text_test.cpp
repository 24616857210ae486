// Lines and positions, against a model that walks the text character by character.
#include "lsp/protocol/text.h"

#include <gtest/gtest.h>
#include <random>

namespace lsp {
namespace {

using analysis::wire::ByteRange;
using protocol::Position;
using protocol::PositionEncoding;

constexpr PositionEncoding kEncodings[] = {PositionEncoding::Utf8, PositionEncoding::Utf16, PositionEncoding::Utf32};

/// A character with its bytes and its width in UTF-16, so that the model needs no decoder.
struct Character {
  std::string bytes;
  uint32_t utf16;
};

const std::vector<Character> kAlphabet{{"a", 1},
                                       {" ", 1},
                                       {"\n", 1},
                                       {"\r", 1},
                                       {"\r\n", 2},
                                       {"\xC3\xA9", 1},
                                       {"\xE2\x82\xAC", 1},
                                       {"\xF0\x9F\x9A\x80", 2},
                                       {std::string(1, '\0'), 1},
                                       {"\xff", 1}};

uint32_t width(const Character &character, PositionEncoding encoding) {
  if (encoding == PositionEncoding::Utf8)
    return static_cast<uint32_t>(character.bytes.size());
  return encoding == PositionEncoding::Utf16 ? character.utf16 : 1;
}

bool isLineEnd(const Character &character) {
  return character.bytes[0] == '\n' || character.bytes[0] == '\r';
}

/// Random characters, without a lone \r before a \n: those two would be one line end.
std::vector<Character> randomCharacters(std::mt19937 &random, size_t count) {
  std::vector<Character> characters;
  while (characters.size() < count) {
    const Character &next = kAlphabet[random() % kAlphabet.size()];
    const bool joins = !characters.empty() && characters.back().bytes == "\r" && next.bytes[0] == '\n';
    if (!joins)
      characters.push_back(next);
  }
  return characters;
}

std::string join(const std::vector<Character> &characters) {
  std::string bytes;
  for (const Character &character : characters)
    bytes += character.bytes;
  return bytes;
}

TEST(Text, PositionsAgreeWithAWalk) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const auto characters = randomCharacters(random, random() % 60);
    const Text text(join(characters));
    for (const PositionEncoding encoding : kEncodings) {
      Position position;
      uint32_t offset = 0;
      for (const Character &character : characters) {
        ASSERT_EQ(text.positionOf(offset, encoding), position);
        ASSERT_EQ(text.offsetOf(position, encoding), offset);
        offset += static_cast<uint32_t>(character.bytes.size());
        position = isLineEnd(character) ? Position{position.line + 1, 0}
                                        : Position{position.line, position.character + width(character, encoding)};
      }
      ASSERT_EQ(text.positionOf(offset, encoding), position);
      ASSERT_EQ(text.offsetOf(position, encoding), offset);
      ASSERT_EQ(text.lineCount(), position.line + 1);
    }
  }
}

TEST(Text, PositionsAreClamped) {
  const Text text("ab\r\ncd");
  for (const PositionEncoding encoding : kEncodings) {
    EXPECT_EQ(text.offsetOf({0, 99}, encoding), 2u);
    EXPECT_EQ(text.offsetOf({1, 99}, encoding), 6u);
    EXPECT_EQ(text.offsetOf({7, 0}, encoding), 6u);
    EXPECT_EQ(text.offsetOf({0, UINT32_MAX}, encoding), 2u);
    EXPECT_EQ(text.offsetOf({UINT32_MAX, UINT32_MAX}, encoding), 6u);
    EXPECT_EQ(text.positionOf(99, encoding), (Position{1, 2}));
    EXPECT_EQ(text.positionOf(3, encoding), (Position{0, 2})) << "between \\r and \\n is the end of the line";
  }
}

TEST(Text, ACharacterIsNeverSplit) {
  const Text text("x\xF0\x9F\x9A\x80y");
  EXPECT_EQ(text.offsetOf({0, 2}, PositionEncoding::Utf16), 1u);
  EXPECT_EQ(text.offsetOf({0, 3}, PositionEncoding::Utf16), 5u);
  for (uint32_t inside = 2; inside < 5; ++inside)
    EXPECT_EQ(text.offsetOf({0, inside}, PositionEncoding::Utf8), 1u);
  EXPECT_EQ(text.offsetOf({0, 5}, PositionEncoding::Utf8), 5u);
}

TEST(Text, AnyPositionIsInsideTheTextAndAtACharacter) {
  std::mt19937 random(2);
  const auto below = [&](uint32_t bound) { return static_cast<uint32_t>(random() % bound); };
  for (int round = 0; round < 200; ++round) {
    const Text text(join(randomCharacters(random, random() % 40)));
    for (int probe = 0; probe < 40; ++probe) {
      const PositionEncoding encoding = kEncodings[random() % 3];
      const uint32_t offset = text.offsetOf({below(12), below(30)}, encoding);
      ASSERT_LE(offset, text.size());
      ASSERT_EQ(text.offsetOf(text.positionOf(offset, encoding), encoding), offset);
    }
  }
}

TEST(Text, EditsKeepTheLinesRight) {
  std::mt19937 random(3);
  constexpr std::string_view kPieces[] = {"", "a", "\n", "\r", "\r\n", "ab\ncd", "\n\n", "x\r", "\ny", "\r\r\n"};
  for (int round = 0; round < 100; ++round) {
    std::string model = join(randomCharacters(random, random() % 20));
    Text text(model);
    for (int edit = 0; edit < 60; ++edit) {
      const auto begin = static_cast<uint32_t>(random() % (model.size() + 1));
      const auto end = begin + static_cast<uint32_t>(random() % (model.size() - begin + 1)) % 5;
      const std::string_view with = kPieces[random() % std::size(kPieces)];
      model.replace(begin, end - begin, with);
      text.replace({begin, end}, with);
      const Text fresh(model);
      ASSERT_EQ(text.bytes(), model);
      ASSERT_EQ(text.lineCount(), fresh.lineCount());
      for (uint32_t line = 0; line < fresh.lineCount(); ++line)
        ASSERT_EQ(text.lineBegin(line), fresh.lineBegin(line));
    }
  }
}

TEST(Text, LinesHaveNoTerminator) {
  const Text text("a\r\nb\rc\n\n");
  ASSERT_EQ(text.lineCount(), 5u);
  EXPECT_EQ(text.line(0), "a");
  EXPECT_EQ(text.line(1), "b");
  EXPECT_EQ(text.line(2), "c");
  EXPECT_EQ(text.line(3), "");
  EXPECT_EQ(text.line(4), "");
}

} // namespace
} // namespace lsp
