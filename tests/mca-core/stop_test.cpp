// A parse that nobody waits for any more.
#include "tests/mca-core/parsed.h"

namespace mca {
namespace {

std::string nops(int count) {
  std::string text;
  while (count-- > 0)
    text += "nop\n";
  return text;
}

TEST(Stop, TheRestIsNotRead) {
  std::stop_source source;
  source.request_stop();
  ParseOptions options;
  options.stop = source.get_token();
  for (const auto &[triple, cpu] : {std::pair{kX86, "skylake"}, std::pair{kAArch64, "cortex-a55"}}) {
    SCOPED_TRACE(triple);
    // The parser has looked at the beginning of the next statement already.
    EXPECT_LE(Parsed(triple, cpu, nops(100), options).count(), 2u);
    EXPECT_LE(Parsed(triple, cpu, "nop\n.if 1\n" + nops(100) + ".endif\n", options).count(), 2u);
    // An expansion is read to its end.
    const std::string macro = ".macro m\n" + nops(10) + ".endm\nm\n" + nops(100);
    EXPECT_GE(Parsed(triple, cpu, macro, options).count(), 10u);
    EXPECT_LE(Parsed(triple, cpu, macro, options).count(), 12u);
  }
}

} // namespace
} // namespace mca
