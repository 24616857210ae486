// The values of a message, byte by byte. The bytes expected are those of RFC 8949, appendix A.
#include "analysis/wire/cbor.h"

#include <gtest/gtest.h>
#include <limits>

namespace analysis::wire {
namespace {

using namespace std::string_literals;

constexpr size_t kEnough = 100;

std::string numberBytes(uint64_t value) {
  std::string bytes;
  CborWriter(bytes).number(value);
  return bytes;
}

TEST(Cbor, NumbersTakeTheFewestBytes) {
  EXPECT_EQ(numberBytes(0), "\x00"s);
  EXPECT_EQ(numberBytes(23), "\x17"s);
  EXPECT_EQ(numberBytes(24), "\x18\x18"s);
  EXPECT_EQ(numberBytes(255), "\x18\xff"s);
  EXPECT_EQ(numberBytes(256), "\x19\x01\x00"s);
  EXPECT_EQ(numberBytes(1000000), "\x1a\x00\x0f\x42\x40"s);
  EXPECT_EQ(numberBytes(1000000000000), "\x1b\x00\x00\x00\xe8\xd4\xa5\x10\x00"s);
  for (const uint64_t value : {uint64_t{65535}, uint64_t{65536}, uint64_t{UINT32_MAX}, uint64_t{UINT32_MAX} + 1,
                               std::numeric_limits<uint64_t>::max()}) {
    uint64_t read = 0;
    const std::string bytes = numberBytes(value);
    EXPECT_TRUE(CborReader(bytes, kEnough).number(read));
    EXPECT_EQ(read, value);
  }
}

TEST(Cbor, OtherValues) {
  std::string bytes;
  CborWriter writer(bytes);
  writer.array(4);
  writer.real(1.1);
  writer.boolean(true);
  writer.boolean(false);
  writer.text("I\xff");
  EXPECT_EQ(bytes, "\x84\xfb\x3f\xf1\x99\x99\x99\x99\x99\x9a\xf5\xf4\x62I\xff"s);
  CborReader reader(bytes, kEnough);
  size_t size = 0;
  double real = 0;
  bool first = false, second = true;
  std::string text;
  EXPECT_TRUE(reader.array(size) && reader.real(real) && reader.boolean(first) && reader.boolean(second) &&
              reader.text(text) && reader.atEnd());
  EXPECT_EQ(size, 4u);
  EXPECT_EQ(real, 1.1);
  EXPECT_TRUE(first);
  EXPECT_FALSE(second);
  EXPECT_EQ(text, "I\xff");
}

TEST(Cbor, LengthsThatLie) {
  size_t size = 0;
  std::string text;
  EXPECT_FALSE(CborReader("\x83\x00\x00"s, kEnough).array(size));
  EXPECT_FALSE(CborReader("\x63xy"s, kEnough).text(text));
  EXPECT_FALSE(CborReader("\x9f\x00"s, kEnough).array(size)) << "an indefinite length";
}

TEST(Cbor, NoMoreValuesThanAllowed) {
  CborReader reader("\x01\x02\x03", 2);
  uint64_t value = 0;
  EXPECT_TRUE(reader.number(value));
  EXPECT_TRUE(reader.number(value));
  EXPECT_FALSE(reader.number(value));
}

} // namespace
} // namespace analysis::wire
