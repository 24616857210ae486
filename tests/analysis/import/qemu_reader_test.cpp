#include "analysis/import/qemu_reader.h"

#include <gtest/gtest.h>
#include <sstream>

namespace analysis {
namespace {

/// Writes down what it is told.
class Notes final : public BranchSink {
public:
  void map(const MappedSegment &segment) override { out << "map " << std::hex << segment.address << '\n'; }
  void thread(uint64_t number) override { out << number << ": "; }
  void symbol(uint64_t, std::string_view name) override { out << name << ' '; }
  void visit(uint64_t address) override { out << std::hex << address << '\n'; }
  void taken(uint64_t, uint64_t, Predicted) override { out << "taken\n"; }
  void notTaken(uint64_t, Predicted) override { out << "not taken\n"; }
  void gap() override { out << "gap\n"; }
  void edge(uint64_t, uint64_t, uint64_t, std::optional<uint64_t>) override { out << "edge\n"; }
  void run(uint64_t, uint64_t, uint64_t) override { out << "run\n"; }
  void line(std::string_view, std::string_view, uint32_t, uint64_t) override { out << "line\n"; }

  std::ostringstream out;
};

/// What the reader says, and its error.
std::string readAll(const std::string &text) {
  const auto reader = createQemuReader();
  Notes notes;
  std::istringstream in(text);
  std::optional<ImportError> error;
  for (std::string line; !error && std::getline(in, line);)
    error = reader->read(line, notes);
  if (!error)
    error = reader->finish(notes);
  return notes.out.str() + (error ? std::to_string(error->line) + ": " + error->message.substr(0, 8) : "");
}

TEST(QemuReader, ReadsThreadsAddressesAndFunctions) {
  EXPECT_EQ(readAll("Trace 0: 0x7f07000bd700 [0000000000000000/0000004000001180/1040c0b3/00000200] kern\n"
                    "Trace 1: 0x7f07000bd900 [0000000000000000/0000004000001190/1040c0b3/00000200] \n"),
            "0: kern 4000001180\n1: 4000001190\n");
}

TEST(QemuReader, ReadsTheOldFormat) {
  EXPECT_EQ(readAll("Trace 0: 0x7f07000bd700 [0000004000001180] kern\n"), "0: kern 4000001180\n");
}

TEST(QemuReader, SkipsOtherLines) {
  EXPECT_EQ(readAll("guest_base  (nil)\nstart_code  0x0000004000001000\nIN: kern\n0x1: nop\n"
                    "Trace 0: 0x1 [0/10/0/0] \n----------------\n"),
            "map 4000001000\n0: 10\n");
}

TEST(QemuReader, ABlockThatDidNotBeginIsNoVisit) {
  EXPECT_EQ(readAll("Trace 0: 0x1 [0/10/0/0] \nTrace 0: 0x1 [0/20/0/0] \n"
                    "Stopped execution of TB chain before 0x1 [20] f\nTrace 0: 0x1 [0/20/0/0] \n"),
            "0: 10\n0: 20\n");
}

TEST(QemuReader, TheLastLineMayBeCutOff) {
  EXPECT_EQ(readAll("Trace 0: 0x1 [0/10/0/0] \nTrace 0: 0x1 [0/2"), "0: 10\n");
}

TEST(QemuReader, ABrokenLineIsAnErrorWithItsNumber) {
  EXPECT_EQ(readAll("Trace 0: 0x1 [0/10/0/0] \nTrace 0: nothing\nTrace 0: 0x1 [0/20/0/0] \n"), "2: expected");
  EXPECT_EQ(readAll("Trace x: 0x1 [0/10/0/0] \nTrace 0: 0x1 [0/20/0/0] \n"), "1: expected");
  EXPECT_EQ(readAll("hello\n"), "0: the file");
}

} // namespace
} // namespace analysis
