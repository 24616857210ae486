// Tables that the compiler computes: their loops make no code, those that read the tables do.
#include <array>
#include <cstddef>
#include <cstdint>

constexpr std::array<uint32_t, 256> makeTable() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit)
      value = value >> 1 ^ (value & 1 ? 0xedb88320u : 0);
    table[i] = value;
  }
  return table;
}

constexpr std::array<uint32_t, 256> kTable = makeTable();

uint32_t crc(const uint8_t *bytes, std::size_t count) {
  uint32_t result = ~0u;
  for (std::size_t i = 0; i < count; ++i) // hint
    result = kTable[(result ^ bytes[i]) & 0xff] ^ result >> 8;
  return ~result;
}

constexpr bool isVowel(char c) {
  for (const char vowel : {'a', 'e', 'i', 'o', 'u'}) // hint?
    if (c == vowel)
      return true;
  return false;
}

int vowels(const char *text) {
  int count = 0;
  while (*text) // hint?
    count += isVowel(*text++);
  return count;
}
