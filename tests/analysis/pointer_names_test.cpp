// Statements about pointers by the names of C: which registers the compiler's comments give them.
#include "analysis/regions/pointer_names.h"
#include "lsp/wording/sentences.h"
#include "tests/mca-core/parsed.h"

namespace analysis {
namespace {

using mca::kX86;
using mca::Parsed;

/// What clang prints with full debug information, shortened.
constexpr const char *kAssembly = "f:\n"
                                  "\t#DEBUG_VALUE: f:p <- $rdi\n"
                                  "\t#DEBUG_VALUE: f:end <- $rdx\n"
                                  "\tmovl (%rdi), %eax\n"
                                  "\t#DEBUG_VALUE: f:stale <- $rdi\n"
                                  ".LBB0_1:                # =>This Inner Loop Header: Depth=1\n"
                                  "\t#DEBUG_VALUE: f:p <- $rdi\n"
                                  "\t#DEBUG_VALUE: f:q <- $rsi\n"
                                  "\t#DEBUG_VALUE: f:twice <- $rsi\n"
                                  "\t#DEBUG_VALUE: g:twice <- $rcx\n"
                                  "\t#DEBUG_VALUE: i <- $rcx\n"
                                  "\t#DEBUG_VALUE: f:end <- [DW_OP_LLVM_entry_value 1] $rdx\n"
                                  ".Ltmp3:\n"
                                  "\taddl (%rsi,%rcx,4), %eax\n"
                                  "\tmovl %eax, (%rdi,%rcx,4)\n"
                                  "\tjne .LBB0_1\n"
                                  "\tretq\n";

class PointerNames : public testing::Test {
protected:
  /// A buffer with a loop in lines 2 to 4, and the comment about it on the line, counted from 0; so many times.
  NamedPointers find(const std::string &comment, uint32_t line = 1, size_t times = 1) {
    text_ = "void f() {\n\n\n\n\n\n}\n\n\n";
    const TextLines empty(text_);
    const uint32_t at = empty.range(line).begin;
    text_.insert(at, comment);
    const TextLines lines(text_);
    Region region;
    region.kind = wire::RegionKind::Loop;
    region.instructions = {1, 2, 3};
    region.at = {lines.range(2).begin, lines.range(4).end};
    region.anchor = region.at.begin;
    std::vector<PointerComment> comments;
    const auto read = mca::readPointerStatement(comment, at);
    EXPECT_TRUE(read);
    if (read)
      comments.assign(times, {read->meet, read->names, {read->begin, read->end}});
    return findNamedPointers(comments, *parsed_.program, {&region, 1}, lines);
  }

  Parsed parsed_{kX86, "znver3", kAssembly};
  std::string text_;
};

TEST_F(PointerNames, AreThoseOfTheLoopsFirstBlock) {
  for (const uint32_t line : {1u, 2u, 3u, 4u}) {
    const NamedPointers found = find("// mca: alias p, q", line);
    EXPECT_TRUE(found.findings.empty()) << line;
    ASSERT_EQ(found.statements.size(), 1u) << line;
    const mca::PointerStatement &statement = found.statements[0];
    EXPECT_TRUE(statement.meet);
    EXPECT_EQ(statement.names, (mca::Strings{"rdi", "rsi"}));
    EXPECT_EQ(statement.firstInstruction, 1u);
    EXPECT_EQ(statement.endInstruction, 4u);
    EXPECT_EQ(text_.substr(statement.begin, statement.end - statement.begin), "alias p, q");
  }
  EXPECT_FALSE(find("// mca: distinct p, q").statements.at(0).meet);
}

TEST_F(PointerNames, AreFindingsWithoutOneRegister) {
  // Unknown, in no register, only before the loop, in two registers, at no loop.
  for (const char *name : {"r", "end", "stale", "twice"}) {
    const NamedPointers found = find(std::string("// mca: alias p, ") + name);
    EXPECT_TRUE(found.statements.empty()) << name;
    ASSERT_EQ(found.findings.size(), 1u) << name;
    EXPECT_EQ(found.findings[0].code, "pointer-statement");
    EXPECT_NE(lsp::wording::messageOf(found.findings[0]).find(std::string("holds ") + name + " at"), std::string::npos);
  }
  const NamedPointers found = find("// mca: alias p", 7);
  ASSERT_EQ(found.findings.size(), 1u);
  EXPECT_EQ(lsp::wording::messageOf(found.findings[0]), "there is no loop here that this statement could hold for");
}

TEST_F(PointerNames, BeyondTheMostHaveAFinding) {
  const NamedPointers found = find("// mca: alias p", 1, 102);
  EXPECT_FALSE(found.statements.empty());
  ASSERT_EQ(found.findings.size(), 1u);
  EXPECT_EQ(lsp::wording::messageOf(found.findings[0]),
            "alias p: only the first 100 statements about pointers have an effect");
}

TEST_F(PointerNames, ReplaceThoseOfTheLastText) {
  parsed_.program->setNamedStatements(find("// mca: alias p").statements);
  EXPECT_EQ(parsed_.program->pointerStatements().size(), 1u);
  parsed_.program->setNamedStatements({});
  EXPECT_TRUE(parsed_.program->pointerStatements().empty());
}

} // namespace
} // namespace analysis
