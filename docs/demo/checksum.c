// Checksums of records with the xxHash library, all of it inlined from its header.
// mca: cpu=skylake
#define XXH_INLINE_ALL
#include <stddef.h>
#include <stdint.h>
#include <xxhash.h>

struct record {
  uint64_t id;
  uint32_t size;
  const unsigned char *data;
};

uint64_t hash_ids(const struct record *records, size_t count) {
  uint64_t hash = 0;
  for (size_t i = 0; i < count; ++i)
    hash ^= XXH64(&records[i].id, sizeof records[i].id, 0);
  return hash;
}

uint32_t hash_block(const unsigned char *block, size_t size) {
  return XXH32(block, size, 0);
}

uint64_t total_size(const struct record *records, size_t count) {
  uint64_t total = 0;
  for (size_t i = 0; i < count; ++i)
    total += records[i].size;
  return total;
}
