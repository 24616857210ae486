// A hundred broken traces: each is an error with a place in its text, found at once and in little memory.
#include "mca-core/trace/profile_counts.h"
#include "tests/mca-core/traced.h"

#include <chrono>
#include <random>

namespace mca {
namespace {

constexpr const char *kCode = "  .type f,@function\nf:\n.Ll:\n  je .La\n  call g\n.La:\n  decq %rdi\n  jne .Ll\n  ret\n"
                              "  .type g,@function\ng:\n  jmp *%rax\n.Lg:\n  ret\n";

/// What a statement does to a program; the text's error if it has one.
std::optional<TraceError> errorOf(const Parsed &parsed, const ProgramBranches &branches, const std::string &bytes) {
  auto read = readTrace(bytes);
  if (auto *error = std::get_if<TraceError>(&read))
    return std::move(*error);
  const TraceText &text = std::get<TraceText>(read);
  const TokenTargets targets(branches, text);
  auto counts = findCounts(targets);
  if (auto *error = std::get_if<TraceError>(&counts))
    return std::move(*error);
  for (const TraceStatement &trace : text.traces) {
    auto made = simulateTrace(parsed, targets, trace, {}, {});
    if (auto *error = std::get_if<TraceError>(&made))
      return std::move(*error);
  }
  return std::nullopt;
}

/// Texts that are wrong for a reason which somebody wrote down.
Strings writtenByHand() {
  const Strings statements = {"trace f: .Lx",
                              "trace f: T .Lx",
                              "trace f: T @5",
                              "trace f: T .La",
                              "trace f: N puts",
                              "trace f: N g T",
                              "trace f: N g .Lg .",
                              "trace f: N g puts RET",
                              "trace f: T N RET T",
                              "trace f: RET",
                              "trace f: T T T N RET RET",
                              "trace h: T",
                              "trace f",
                              "trace f:",
                              "trace f: (",
                              "trace f: (T",
                              "trace f: )",
                              "trace f: (T))",
                              "trace f: ()",
                              "trace f: T,",
                              "trace f: ,T",
                              "trace f: T,,T",
                              "trace f: x5",
                              "trace f: T x5 x5",
                              "trace f: T x0",
                              "trace f: T x-1",
                              "trace f: (T)x-3",
                              "trace f: T x",
                              "trace f: T x1e3",
                              "trace f: T x1000000000000000",
                              "trace f: T x1000000000000 RET",
                              "trace f: ((T x65536)x65536)x2",
                              "trace f: (((T)x1000000)x1000000)x1000000",
                              "trace f: T x99999999999999999999999",
                              "trace f: 0x401000 T RET",
                              "trace f: 0x T",
                              "trace f: @0",
                              "trace f: @9999 T",
                              "trace f: @99999999999 T",
                              "trace f: .Ll+0x2 T .Lx",
                              "trace f: .Ll+5 T",
                              "trace f: .Ll+0xzz",
                              "trace f: .Ll+0x1ffffffffffffffff",
                              "trace f: \"T",
                              "trace f: \"\" T",
                              "trace f: T # comment\n)",
                              "path f: T",
                              "path f -1: T",
                              "path f 5 T",
                              "path f 5:",
                              "path f 99999999999999: T",
                              "path f 5: .Lx T",
                              "path h 5: T",
                              "path f 1: (T)x90000000",
                              "edge f",
                              "edge f .Ll",
                              "edge f .Ll ->",
                              "edge f .Ll -> .La",
                              "edge f .Ll -> .La x",
                              "edge f .Ll -> .La -5",
                              "edge f .Ll -> .La 5 m",
                              "edge f .Ll -> .La 5 m 6",
                              "edge f .Ll -> .La 5 m -1",
                              "edge f .Ll .La 5",
                              "edge f .Lx -> .La 5",
                              "edge f .Lg -> RET 5",
                              "edge f .Ll -> .Ll 5",
                              "edge f .Ll -> .La 99999999999999999999",
                              "block f",
                              "block f .Ll",
                              "block f .Ll -1",
                              "block f .Lx 1",
                              "block h .Ll 1",
                              "block f .Lg 1",
                              "source",
                              "binary",

                              "binary x buildid",
                              "binary x buildid zz",
                              "nonsense f: T",
                              "trace f: T RET\ntrace f: .Lx",
                              "TRACE f: T",
                              "-> f",
                              "5",
                              "mcatrace 2",
                              "trace f: ENTRY\x01",
                              "trace f: T\x7f",
                              "trace f g: T"};
  Strings all;
  for (const std::string &statement : statements)
    all.push_back("mcatrace 1\n" + statement + "\n");
  for (const char *text : {"", "\n", "mcatrace", "mcatrace 2\n", "mcatrace 1 trace f: T", "mcatrac 1\n", "(", "()",
                           "(ENTRY,", "(ENTRY, .Lx)"})
    all.push_back(text);
  all.push_back("mcatrace 1\ntrace f: " + std::string(100'000, '('));
  all.push_back("mcatrace 1\ntrace f: " + std::string(1'000'000, 'y'));
  all.push_back(std::string(1'000'000, '\0'));
  all.push_back(std::string("mcatrace 1\ntrace f: T\0T", 22));
  return all;
}

TEST(BrokenTraces, EachIsAnErrorWithAPlace) {
  const Parsed parsed(kX86, "skylake", kCode);
  const ProgramBranches branches(*parsed.target, *parsed.program);
  const Strings texts = writtenByHand();
  EXPECT_GE(texts.size(), 100u);
  for (const std::string &text : texts) {
    const auto start = std::chrono::steady_clock::now();
    const auto error = errorOf(parsed, branches, text);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10)) << text.substr(0, 80);
    ASSERT_TRUE(error) << text.substr(0, 80);
    EXPECT_FALSE(error->message.empty());
    EXPECT_LT(error->message.size(), 300u) << "a line can be a million bytes long";
    const auto lines = static_cast<uint32_t>(1 + std::count(text.begin(), text.end(), '\n'));
    EXPECT_GE(error->position.line, 1u) << text.substr(0, 80) << error->message;
    EXPECT_LE(error->position.line, lines) << text.substr(0, 80);
    EXPECT_GE(error->position.column, 1u);
  }
}

TEST(BrokenTraces, TruncatedAndAlteredTextsAreReadOrRefused) {
  const Parsed parsed(kX86, "skylake", kCode);
  const ProgramBranches branches(*parsed.target, *parsed.program);
  const std::string whole = "mcatrace 1\nsource f.s\ntrace f: ENTRY (N g .Lg RET T)x3 T N RET\npath f 5: .Ll T .Ll\n"
                            "edge f .Ll -> .La 10 m 3\nedge f .Ll -> . 2\nblock f .Ll 12\n";
  ASSERT_FALSE(errorOf(parsed, branches, whole));
  int refused = 0;
  for (size_t length = 0; length < whole.size(); ++length)
    if (const auto error = errorOf(parsed, branches, whole.substr(0, length))) {
      ++refused;
      EXPECT_GE(error->position.line, 1u) << error->message;
    }
  EXPECT_GT(refused, 50);
  std::mt19937 random(7);
  refused = 0;
  for (int round = 0; round < 1000; ++round) {
    std::string altered = whole;
    for (int byte = 0; byte < 3; ++byte)
      altered[random() % altered.size()] = static_cast<char>(random());
    if (const auto error = errorOf(parsed, branches, altered)) {
      ++refused;
      EXPECT_GE(error->position.line, 1u) << error->message;
      EXPECT_LT(error->message.size(), 300u);
    }
  }
  EXPECT_GT(refused, 500);
}

} // namespace
} // namespace mca
