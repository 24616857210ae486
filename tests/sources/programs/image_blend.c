// Pixels: bytes that are widened, multiplied and narrowed again.
typedef unsigned char Byte;

void blend(Byte *restrict to, const Byte *restrict from, int count, int alpha) {
  for (int i = 0; i < count; ++i) // hint
    to[i] = (Byte)((from[i] * alpha + to[i] * (255 - alpha) + 127) / 255);
}

void toGrey(Byte *restrict to, const Byte *restrict rgb, int count) {
  for (int i = 0; i < count; ++i, rgb += 3) // hint
    to[i] = (Byte)((rgb[0] * 77 + rgb[1] * 150 + rgb[2] * 29) >> 8);
}

void threshold(Byte *image, int width, int height, int stride, Byte level) {
  for (int y = 0; y < height; ++y) {
    Byte *const row = image + (long)y * stride;
    for (int x = 0; x < width; ++x) // hint
      row[x] = row[x] > level ? 255 : 0;
  }
}

void halve(Byte *restrict to, const Byte *restrict from, int width, int stride) {
  for (int x = 0; x < width; ++x) // hint
    to[x] = (Byte)((from[2 * x] + from[2 * x + 1] + from[stride + 2 * x] + from[stride + 2 * x + 1] + 2) >> 2);
}

void swapChannels(unsigned *pixels, int count) {
  for (unsigned *pixel = pixels, *end = pixels + count; pixel < end; ++pixel) // hint
    *pixel = (*pixel & 0xff00ff00) | (*pixel & 0xff) << 16 | (*pixel >> 16 & 0xff);
}
