/* Functions of real libraries for the benchmark of the engine: their headers hold the whole code. Without vector
   intrinsics and thread-local variables, so that it compiles for any target. */
#define STB_IMAGE_IMPLEMENTATION
#define STBI_NO_STDIO
#define STBI_NO_SIMD
#define STBI_NO_THREAD_LOCALS
#include <stb/stb_image.h>

#define STB_SPRINTF_IMPLEMENTATION
#include <stb/stb_sprintf.h>

#define STB_TRUETYPE_IMPLEMENTATION
#include <stb/stb_truetype.h>

#define STB_DXT_IMPLEMENTATION
#include <stb/stb_dxt.h>

#define STB_PERLIN_IMPLEMENTATION
#include <stb/stb_perlin.h>

#define XXH_VECTOR 0
#define XXH_INLINE_ALL
#include <xxhash.h>

unsigned long long hashOf64Bits(const void *bytes, unsigned long size) {
  return XXH64(bytes, size, 1);
}

unsigned hashOf32Bits(const void *bytes, unsigned long size) {
  return XXH32(bytes, size, 1);
}

XXH64_hash_t newHash(const void *bytes, unsigned long size) {
  return XXH3_64bits(bytes, size);
}
