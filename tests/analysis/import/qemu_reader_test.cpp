// What the reader makes of qemu's lines: threads, functions and blocks that began, and the error of a broken line.
#include "analysis/import/qemu_reader.h"

#include "tests/analysis/import/recorded.h"

namespace analysis {
namespace {

std::string readAll(const std::string &text) {
  return recorded(createQemuReader, text);
}

TEST(QemuReader, ReadsThreadsAddressesAndFunctions) {
  EXPECT_EQ(readAll("Trace 0: 0x7f07000bd700 [0000000000000000/0000004000001180/1040c0b3/00000200] kern\n"
                    "Trace 1: 0x7f07000bd900 [0000000000000000/0000004000001190/1040c0b3/00000200] \n"),
            "thread 0\nsymbol 4000001180 kern\nvisit 4000001180\nthread 1\nvisit 4000001190\n");
}

TEST(QemuReader, ReadsTheOldFormat) {
  EXPECT_EQ(readAll("Trace 0: 0x7f07000bd700 [0000004000001180] kern\n"),
            "thread 0\nsymbol 4000001180 kern\nvisit 4000001180\n");
}

TEST(QemuReader, SkipsOtherLines) {
  EXPECT_EQ(readAll("guest_base  (nil)\nstart_code  0x0000004000001000\nIN: kern\n0x1: nop\n"
                    "Trace 0: 0x1 [0/10/0/0] \n----------------\n"),
            "map 4000001000 0 0 \nthread 0\nvisit 10\n");
}

TEST(QemuReader, ABlockThatDidNotBeginIsNoVisit) {
  EXPECT_EQ(readAll("Trace 0: 0x1 [0/10/0/0] \nTrace 0: 0x1 [0/20/0/0] \n"
                    "Stopped execution of TB chain before 0x1 [20] f\nTrace 0: 0x1 [0/20/0/0] \n"),
            "thread 0\nvisit 10\nthread 0\nvisit 20\n");
}

TEST(QemuReader, TheLastLineMayBeCutOff) {
  EXPECT_EQ(readAll("Trace 0: 0x1 [0/10/0/0] \nTrace 0: 0x1 [0/2"), "thread 0\nvisit 10\n");
}

TEST(QemuReader, ABrokenLineIsAnErrorWithItsNumber) {
  const std::string expected = "expected a thread and an address, as in `Trace 0: 0x7f07000bd700 "
                               "[0000000000000000/0000004000001180/1040c0b3/00000200]`";
  EXPECT_EQ(readAll("Trace 0: 0x1 [0/10/0/0] \nTrace 0: nothing\nTrace 0: 0x1 [0/20/0/0] \n"), "2:7: " + expected);
  EXPECT_EQ(readAll("Trace x: 0x1 [0/10/0/0] \nTrace 0: 0x1 [0/20/0/0] \n"), "1:7: " + expected);
  EXPECT_TRUE(readAll("hello\n").starts_with("the file has no line of qemu's `-d exec`"));
}

} // namespace
} // namespace analysis
