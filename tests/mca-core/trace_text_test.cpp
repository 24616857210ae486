// The text of traces: every statement and token, and each error at its line and column.
#include "mca-core/trace/trace_text.h"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace mca {
namespace {

using Kind = TraceToken::Kind;

TraceText readable(const std::string &text) {
  auto result = readTrace(text);
  if (const auto *error = std::get_if<TraceError>(&result)) {
    ADD_FAILURE() << error->position.line << ":" << error->position.column << ": " << error->message << "\n" << text;
    return {};
  }
  return std::get<TraceText>(std::move(result));
}

/// "3:7: message", or nothing without an error.
std::string errorOf(std::variant<TraceText, TraceError> result) {
  const auto *error = std::get_if<TraceError>(&result);
  return error ? std::to_string(error->position.line) + ":" + std::to_string(error->position.column) + ": " +
                     error->message
               : "";
}
std::string errorIn(const std::string &text) {
  return errorOf(readTrace(text));
}
/// The error in the statement of line 2.
std::string errorInStatement(const std::string &statement) {
  return errorIn("mcatrace 1\n" + statement);
}

/// The tokens with parentheses around groups, and repeats: what was understood.
std::string shown(const TraceText &text, const TraceSequence &sequence) {
  std::string result;
  std::vector<const TraceNode *> groups;
  for (uint32_t i = sequence.begin; i <= sequence.end; ++i) {
    for (; !groups.empty() && groups.back()->end == i; groups.pop_back())
      result += ")x" + std::to_string(groups.back()->repeats) + " ";
    if (i == sequence.end)
      break;
    const TraceNode &node = text.nodes[i];
    if (node.token == TraceNode::kGroup) {
      groups.push_back(&node);
      result += "( ";
    } else {
      result += textOf(text.tokens[node.token]) + (node.repeats > 1 ? "*" + std::to_string(node.repeats) : "") + " ";
    }
  }
  return result;
}
std::string shown(const std::string &statement) {
  const TraceText text = readable("mcatrace 1\n" + statement);
  return text.traces.empty() ? "" : shown(text, text.traces[0].sequence);
}

TEST(TraceText, EveryStatement) {
  const TraceText text = readable("# comment\n\nmcatrace 1 # version\nsource k.s\nbinary \"a prog\" buildid 3f9A\n"
                                  "trace kern: ENTRY . (.LBB1_3 T N)x120 RET\r\n"
                                  "path kern 122: .LBB1_3 . .LBB1_3\n"
                                  "edge kern .LBB1_3+0xa -> .LBB1_5 1329 m 660\n"
                                  "edge kern @41 -> . 1371\n"
                                  "block kern .LBB1_3 2703");
  EXPECT_EQ(text.source, "k.s");
  EXPECT_EQ(text.binary, "a prog");
  EXPECT_EQ(text.buildId, "3f9A");
  ASSERT_EQ(text.traces.size(), 1u);
  EXPECT_EQ(text.traces[0].function, "kern");
  EXPECT_EQ(text.traces[0].position, (TracePosition{6, 1}));
  EXPECT_EQ(shown(text, text.traces[0].sequence), "ENTRY . ( .LBB1_3 T N )x120 RET ");
  ASSERT_EQ(text.paths.size(), 1u);
  EXPECT_EQ(text.paths[0].count, 122u);
  EXPECT_EQ(shown(text, text.paths[0].path.sequence), ".LBB1_3 . .LBB1_3 ");
  ASSERT_EQ(text.edges.size(), 2u);
  EXPECT_EQ(textOf(text.tokens[text.edges[0].from]), ".LBB1_3+0xa");
  EXPECT_EQ(textOf(text.tokens[text.edges[0].to]), ".LBB1_5");
  EXPECT_EQ(text.edges[0].toPosition, (TracePosition{8, 26}));
  EXPECT_EQ(text.edges[0].count, 1329u);
  EXPECT_TRUE(text.edges[0].isMeasured);
  EXPECT_EQ(text.edges[0].mispredictions, 660u);
  EXPECT_FALSE(text.edges[1].isMeasured);
  ASSERT_EQ(text.blocks.size(), 1u);
  EXPECT_EQ(text.blocks[0].count, 2703u);
}

TEST(TraceText, EveryToken) {
  const TraceText text = readable("mcatrace 1\ntrace f: ENTRY .L1 .L2+0x1f @41 0x401000 . FALLTHROUGH T N RET helper "
                                  "\"RET\" \"operator new\"+0x4 a@PLT caf\xc3\xa9");
  const std::vector<TraceToken> expected = {
      {Kind::Entry},
      {Kind::Name, 0, ".L1"},
      {Kind::Name, 0x1f, ".L2"},
      {Kind::Line, 41},
      {Kind::Address, 0x401000},
      {Kind::FallThrough},
      {Kind::FallThrough},
      {Kind::Taken},
      {Kind::NotTaken},
      {Kind::Return},
      {Kind::Name, 0, "helper"},
      {Kind::Name, 0, "RET"},
      {Kind::Name, 4, "operator new"},
      {Kind::Name, 0, "a@PLT"},
      {Kind::Name, 0, "caf\xc3\xa9"},
  };
  EXPECT_EQ(text.tokens, expected);
}

TEST(TraceText, TheTupleOfTheProposal) {
  const TraceText text = readable("(ENTRY, bb1, bb1, bb1, FALLTHROUGH)");
  ASSERT_EQ(text.traces.size(), 1u);
  EXPECT_EQ(text.traces[0].function, "");
  EXPECT_EQ(shown(text, text.traces[0].sequence), "( ENTRY bb1 bb1 bb1 . )x1 ");
  EXPECT_EQ(text.tokens.size(), 3u) << "each token once";
  EXPECT_EQ(shown("(ENTRY, bb1 x3, FALLTHROUGH)"), "( ENTRY bb1*3 . )x1 ") << "with a header, too";
}

TEST(TraceText, RepeatsAndGroups) {
  EXPECT_EQ(shown("trace f: a x3 b"), "a*3 b ");
  EXPECT_EQ(shown("trace f: (a b)x2 (c) x 3"), "( a b )x2 ( c )x1 x 3 ") << "`x` alone is a name";
  EXPECT_EQ(shown("trace f: ((a x2, b) x3 c)x4"), "( ( a*2 b )x3 c )x4 ");
  EXPECT_EQ(shown("trace f: (a\n  b # comment\n\n  (c)x2\n)x2 d\n"), "( a b ( c )x2 )x2 d ") << "lines end in groups";
  EXPECT_EQ(shown("trace f: a \"x3\""), "a x3 ");
  EXPECT_EQ(shown("trace (.L3 T .)x100"), "( .L3 T . )x100 ");
  EXPECT_EQ(shown("trace : T"), "T ");
}

TEST(TraceText, RepeatsCostNothing) {
  const TraceText text = readable("mcatrace 1\ntrace f: ((a)x65536 b)x4096 c");
  EXPECT_EQ(text.nodes.size(), 5u);
  EXPECT_EQ(shown(text, text.traces[0].sequence), "( ( a )x65536 b )x4096 c ");
  EXPECT_EQ(errorInStatement("trace f: a x4294967296"), "");
}

TEST(TraceText, StatementsOfComments) {
  auto result = readTraceStatement("trace (.L3 T .)x100", {41, 9});
  ASSERT_TRUE(std::holds_alternative<TraceText>(result));
  EXPECT_EQ(std::get<TraceText>(result).nodes[1].position, (TracePosition{41, 16}));
  EXPECT_EQ(errorOf(readTraceStatement("trace (.L3 T", {41, 9})), "41:15: this `(` is not closed");
}

TEST(TraceText, TextsThatAreNoTraces) {
  const std::string header = "this is no branch trace: it does not begin with `mcatrace 1`";
  EXPECT_EQ(errorIn(""), "1:1: " + header);
  EXPECT_EQ(errorIn("\n\ntrace f: T"), "3:1: " + header);
  EXPECT_EQ(errorIn("mcatrace 2\n"), "1:10: expected version 1 of the format, found `2`");
  EXPECT_EQ(errorIn("mcatrace"), "1:9: expected version 1 of the format, found the end of the text");
  EXPECT_EQ(errorIn("mcatrace 1 x"), "1:12: expected the end of the line, found `x`");
  EXPECT_EQ(errorIn(std::string("\x7f"
                                "ELF\x02\x01\0\0",
                                8)),
            "1:1: " + header);
  EXPECT_EQ(errorIn("Trace 0: 0x7f07000bd700 [0000/00004001180/1040c0b3] kern\n"), "1:1: " + header);
  EXPECT_EQ(errorIn("hvs.secret_12345\n"), "1:1: " + header) << "it may be any file, and is not quoted";
}

TEST(TraceText, WrongStatements) {
  EXPECT_EQ(errorInStatement("jump f: T"), "2:1: expected a statement (`trace`, `path`, `edge`, `block`, `source` or "
                                           "`binary`) or a tuple, found `jump`");
  EXPECT_EQ(errorInStatement("trace"), "2:6: expected the name of a function, found the end of the text");
  EXPECT_EQ(errorInStatement("trace f T"), "2:9: expected `:`, found `T`");
  EXPECT_EQ(errorInStatement("trace f:\n"), "2:9: expected a token, found the end of the line");
  EXPECT_EQ(errorInStatement("source"), "2:7: expected the path of the assembly text, found the end of the text");
  EXPECT_EQ(errorInStatement("source \"a"), "2:8: expected the path of the assembly text, found `\"`");
  EXPECT_EQ(errorInStatement("source a b"), "2:10: expected the end of the line, found `b`");
  EXPECT_EQ(errorInStatement("binary"), "2:7: expected the path of the program, found the end of the text");
  EXPECT_EQ(errorInStatement("binary a buildid xyz"), "2:18: expected a build id in hexadecimal, found `xyz`");
  EXPECT_EQ(errorInStatement("path f T"), "2:8: expected the number of times that the path was taken, from 0 to 2^40, "
                                          "found `T`");
  EXPECT_EQ(errorInStatement("path f 5 T"), "2:10: expected `:`, found `T`");
  EXPECT_EQ(errorInStatement("block f 5"), "2:10: expected the number of executions, from 0 to 2^40, found the end of "
                                           "the text");
  EXPECT_EQ(errorInStatement("block f ,"), "2:9: expected the label of a block, found `,`");
  EXPECT_EQ(errorInStatement("block f .L1 -5"), "2:13: expected the number of executions, from 0 to 2^40, found `-5`");
  EXPECT_EQ(errorInStatement("block f .L1 1099511627777"),
            "2:13: expected the number of executions, from 0 to 2^40, found `1099511627777`");
  EXPECT_EQ(errorInStatement("block f .L1 1099511627776"), "");
}

TEST(TraceText, WrongEdges) {
  EXPECT_EQ(errorInStatement("edge f .L1 .L2 5"), "2:12: expected `->`, found `.L2`");
  EXPECT_EQ(errorInStatement("edge f -> .L2 5"), "2:11: expected `->`, found `.L2`");
  EXPECT_EQ(errorInStatement("edge f (.L1) -> .L2 5"), "2:8: expected the place of a branch, found `(`");
  EXPECT_EQ(errorInStatement("edge f .L1 -> "),
            "2:15: expected the successor of the branch, found the end of the text");
  EXPECT_EQ(errorInStatement("edge f .L1 -> .L2 5 m x"),
            "2:23: expected the number of mispredictions, from 0 to 2^40, found `x`");
  EXPECT_EQ(errorInStatement("edge f .L1 -> .L2 5 m 6"), "2:23: there are more mispredictions than executions");
  EXPECT_EQ(errorInStatement("edge f .L1 -> .L2 5 660"), "2:21: expected the end of the line, found `660`");
}

TEST(TraceText, WrongTokens) {
  EXPECT_EQ(errorInStatement("trace f: T @"), "") << "a name; the walk says that there is no such label";
  EXPECT_EQ(errorInStatement("trace f: @0"), "2:10: `@0` is not a line: expected `@41`, for example");
  EXPECT_EQ(errorInStatement("trace f: @4x"), "2:10: `@4x` is not a line: expected `@41`, for example");
  EXPECT_EQ(errorInStatement("trace f: @4294967296"), "2:10: `@4294967296` is not a line: expected `@41`, for example");
  EXPECT_EQ(errorInStatement("trace f: 0xyz"), "2:10: `0xyz` is not an address: expected `0x401000`, for example");
  EXPECT_EQ(errorInStatement("trace f: 0x10000000000000000"),
            "2:10: `0x10000000000000000` is not an address: expected `0x401000`, for example");
  EXPECT_EQ(errorInStatement("trace f: T .L1+10"),
            "2:12: expected an offset such as `+0x1a` after the name, found `+10`");
  EXPECT_EQ(errorInStatement("trace f: .L1+0xg"),
            "2:10: expected an offset such as `+0x1a` after the name, found `+0xg`");
  EXPECT_EQ(errorInStatement("trace f: \"a\"b"), "2:10: expected an offset such as `+0x1a` after the name, found `b`");
  EXPECT_EQ(errorInStatement("trace f: +0x4"), "2:10: expected a name, found `+0x4`");
  EXPECT_EQ(errorInStatement("trace f: \"\""), "2:10: expected a name, found `\"\"`");
  EXPECT_EQ(errorInStatement("trace f: \"abc"), "2:10: expected a token, found `\"`");
  EXPECT_EQ(errorInStatement("trace f: T : N"), "2:12: expected a token, found `:`");
  EXPECT_EQ(errorInStatement(std::string("trace f: T \0 N", 14)), "2:12: expected a token, found `\\x00`");
}

TEST(TraceText, WrongGroups) {
  EXPECT_EQ(errorInStatement("trace f: (T (N)"), "2:10: this `(` is not closed");
  EXPECT_EQ(errorInStatement("trace f: (T\nblock f .L1 5\n"), "2:10: this `(` is not closed");
  EXPECT_EQ(errorInStatement("trace f: T)"), "2:11: this `)` closes no group");
  EXPECT_EQ(errorInStatement("trace f: ()"), "2:11: expected a token, found `)`");
  EXPECT_EQ(errorInStatement("trace f: (T,)"), "2:13: expected a token, found `)`");
  EXPECT_EQ(errorInStatement("trace f: T,"), "2:12: expected a token, found the end of the text");
  EXPECT_EQ(errorInStatement("trace f: T,,N"), "2:12: expected a token, found `,`");
  EXPECT_EQ(errorInStatement("trace f: , T"), "2:10: expected a token, found `,`");
  const std::string deep(64, '('), end(64, ')');
  EXPECT_EQ(errorInStatement("trace f: " + deep + "T" + end), "");
  EXPECT_EQ(errorInStatement("trace f: " + deep + "(T)" + end), "2:74: groups can be nested 64 levels deep");
}

TEST(TraceText, WrongRepeats) {
  const std::string count = "expected a repeat count from 1 to 2^40 after `x`, found ";
  const std::string nothing = " repeats nothing: expected a token; a label of this name needs quotes";
  const std::string tooLong = "with its repeats, this trace is longer than 2^32 tokens";
  EXPECT_EQ(errorInStatement("trace f: (T)x-5"), "2:13: " + count + "`x-5`");
  EXPECT_EQ(errorInStatement("trace f: (T)x0"), "2:13: " + count + "`x0`");
  EXPECT_EQ(errorInStatement("trace f: T x5y"), "") << "a name, like x264_sad";
  EXPECT_EQ(errorInStatement("trace f: T x99999999999999999999"), "2:12: " + count + "`x99999999999999999999`");
  EXPECT_EQ(errorInStatement("trace f: T x1099511627777"), "2:12: " + count + "`x1099511627777`");
  EXPECT_EQ(errorInStatement("trace f: (T)x1000000000000"), "2:13: " + tooLong);
  EXPECT_EQ(errorInStatement("trace f: ((T)x65536 N)x65537"), "2:23: " + tooLong);
  EXPECT_EQ(errorInStatement("trace f: T x4294967296 N"), "2:24: " + tooLong);
  EXPECT_EQ(errorInStatement("trace f: (((T x1000)x1000)x1000)x1000"), "2:33: " + tooLong);
  EXPECT_EQ(errorInStatement("trace f: x5"), "2:10: `x5`" + nothing);
  EXPECT_EQ(errorInStatement("trace f: (x5)"), "2:11: `x5`" + nothing);
  EXPECT_EQ(errorInStatement("trace f: T, x5"), "2:13: `x5`" + nothing);
  EXPECT_EQ(errorInStatement("trace f: T x5 x5"), "2:15: `x5`" + nothing);
}

TEST(TraceText, PositionsCountBytesAndLines) {
  EXPECT_EQ(errorInStatement("\t# \xc3\xa9 comment\ntrace f: \xc3\xa9 )"), "3:13: this `)` closes no group");
  EXPECT_EQ(errorInStatement("trace f: (T\r\n T\r\n ))"), "4:3: this `)` closes no group");
}

// ---- large texts and noise -----------------------------------------------------------------------------------------

TEST(TraceText, LongLines) {
  std::string text = "mcatrace 1\ntrace f:";
  for (int i = 0; i < 500000; ++i)
    text += i % 3 ? " ." : " .LBB1_" + std::to_string(i % 60);
  const TraceText read = readable(text);
  EXPECT_EQ(read.nodes.size(), 500000u);
  EXPECT_EQ(read.tokens.size(), 21u);
  EXPECT_EQ(errorIn(text + " )"), "2:" + std::to_string(text.size() - 10 + 1) + ": this `)` closes no group");
}

TEST(TraceText, TooManyTokensAndStatements) {
  std::string tokens = "mcatrace 1\ntrace f:\n";
  tokens.pop_back();
  for (int i = 0; i < (1 << 23) + 1; ++i)
    tokens += " .";
  EXPECT_EQ(errorIn(tokens), "2:16777226: a trace has at most 8388608 tokens; write what repeats as `(…)x5`, for "
                             "example");
  std::string statements = "mcatrace 1\n";
  for (int i = 0; i < (1 << 20) + 1; ++i)
    statements += "block f a 1\n";
  EXPECT_EQ(errorIn(statements), "1048578:1: a trace has at most 1048576 statements");
}

TEST(TraceText, NoiseGivesErrorsWithAPlace) {
  std::mt19937 random(1);
  const std::string pieces[] = {"trace ", "f",         ":",  "(",          ")",    "x3", "x",
                                ",",      " ",         "\n", "edge",       "->",   "5",  "m",
                                "\"",     "#",         "@4", "0x",         "+0x1", ".",  std::string(1, '\0'),
                                "\xff",   "path f 3:", "T",  "block f a 2"};
  for (int round = 0; round < 20000; ++round) {
    std::string text = round % 2 ? "mcatrace 1\n" : "(";
    for (unsigned length = random() % 30; length-- > 0;)
      text += pieces[random() % std::size(pieces)];
    auto result = readTrace(text);
    if (const auto *error = std::get_if<TraceError>(&result)) {
      const auto lines = static_cast<uint32_t>(std::count(text.begin(), text.end(), '\n')) + 1;
      EXPECT_TRUE(error->position.line >= 1 && error->position.line <= lines) << text;
      EXPECT_LE(error->position.column, text.size() + 1) << text;
      EXPECT_FALSE(error->message.empty());
    }
  }
}

} // namespace
} // namespace mca
