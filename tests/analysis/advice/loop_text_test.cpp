// The edits of a loop's source. Each is compared with the text that it makes, because that is what the compiler reads.
#include "analysis/advice/loop_text.h"

#include <gtest/gtest.h>

namespace analysis {
namespace {

/// The first loop of a text.
struct Sample {
  explicit Sample(std::string source, wire::Language language = wire::Language::Cxx)
      : source(std::move(source)), statements(this->source, language),
        text(this->source, language, &statements.all().back(), statements.functions()) {}

  std::string with(Edits edits) const {
    std::ranges::stable_sort(edits, {}, [](const wire::Edit &edit) { return edit.at.begin; });
    std::string result = source;
    for (size_t i = edits.size(); i-- > 0;)
      result.replace(edits[i].at.begin, edits[i].at.end - edits[i].at.begin, edits[i].newText);
    return result;
  }

  std::string source;
  LoopStatements statements;
  LoopText text;
};

TEST(LoopText, APragmaStandsBeforeTheLoopOnItsLine) {
  const Sample sample("void f() {\n  for (;;) g();\n}\n");
  EXPECT_EQ(sample.with(sample.text.pragmaBefore("clang loop unroll_count(4)")),
            "void f() {\n  _Pragma(\"clang loop unroll_count(4)\") for (;;) g();\n}\n");
}

TEST(LoopText, APragmaInABodyWithoutBracesBringsThem) {
  const Sample braces("void f() { for (;;) { g(); } }");
  EXPECT_EQ(braces.with(braces.text.pragmaInBody("P")), "void f() { for (;;) { _Pragma(\"P\") g(); } }");
  const Sample none("void f() { for (;;) g(); }");
  EXPECT_EQ(none.with(none.text.pragmaInBody("P")), "void f() { for (;;) { _Pragma(\"P\") g(); } }");
}

TEST(LoopText, WhatALoopReadsThroughAPointerIsCopiedBeforeIt) {
  const Sample sample("void f(S *p) {\n  for (int i = 0; i < p->n; i++) p->data[i] = 0;\n}\n");
  EXPECT_EQ(sample.with(sample.text.copyToLocals()),
            "void f(S *p) {\n  { const auto local_n = +p->n; const auto local_data = +p->data; "
            "for (int i = 0; i < local_n; i++) local_data[i] = 0; }\n}\n");
}

TEST(LoopText, InCTheTypeOfACopyIsDeduced) {
  const Sample sample("void f(struct S *p) { while (p->n > g()) h(); }", wire::Language::C);
  EXPECT_EQ(sample.with(sample.text.copyToLocals()),
            "void f(struct S *p) { { const __auto_type local_n = p->n; while (local_n > g()) h(); } }");
}

TEST(LoopText, WhatALoopWritesIsNotCopied) {
  for (const char *body : {"p->n = 0", "p->n++", "--p->n", "p->n += 2", "g(&p->n)", "p = p->next"})
    EXPECT_TRUE(Sample("void f(S *p) { for (int i = 0; i < p->n; i++) " + std::string(body) + "; }")
                    .text.copyToLocals()
                    .empty())
        << body;
  // What is declared in the loop is another object each time.
  EXPECT_TRUE(Sample("void f() { for (S *p = a; p != b; p++) { g(p->n); } }").text.copyToLocals().empty());
  EXPECT_TRUE(Sample("void f() { for (;;) { const S &s = next(); g(s.n); } }").text.copyToLocals().empty());
}

TEST(LoopText, TheSizeAndTheDataOfAVectorAreCopied) {
  const Sample sample("void f(V &v) { for (size_t i = 0; i < v.size(); i++) v[i] = 0; }");
  EXPECT_EQ(sample.with(sample.text.copyToLocals()),
            "void f(V &v) { { const auto local_size = +v.size(); auto local_data = v.data(); "
            "for (size_t i = 0; i < local_size; i++) local_data[i] = 0; } }");
  const Sample grows("void f(V &v) { for (size_t i = 0; i < v.size(); i++) v.push_back(1); }");
  EXPECT_TRUE(grows.text.copyToLocals().empty());
}

TEST(LoopText, PointersAmongTheParametersAreRestricted) {
  const Sample sample("void f(float *a, const float *b, int n) { for (;;) a[n] = b[n]; }");
  EXPECT_EQ(sample.with(sample.text.restrictParameters()),
            "void f(float *__restrict a, const float *__restrict b, int n) { for (;;) a[n] = b[n]; }");
  EXPECT_TRUE(Sample("void f(float *a, int n) { for (;;) a[n] = 0; }").text.restrictParameters().empty());
}

TEST(LoopText, AnUnsignedCounterBecomesLong) {
  const auto counter = [](const std::string &type) {
    const Sample sample("void f() { for (" + type + " i = 0; i < n; i += s) g(i); }");
    return sample.with(sample.text.signedCounter());
  };
  const std::string expected = "void f() { for (long i = 0; i < n; i += s) g(i); }";
  EXPECT_EQ(counter("unsigned"), expected);
  EXPECT_EQ(counter("unsigned int"), expected);
  EXPECT_EQ(counter("uint32_t"), expected);
  EXPECT_TRUE(Sample("void f() { for (unsigned long i = 0; i < n; i++) g(i); }").text.signedCounter().empty());
  EXPECT_TRUE(Sample("void f() { for (int i = 0; i < n; i++) g(i); }").text.signedCounter().empty());
}

TEST(LoopText, FloatingLiteralsGetASuffix) {
  const Sample sample("void f() { for (;;) a[i] = 0.5 * b[i] + 1e-3 + 2.f + 3.0L + 4 + 0x1p3 + x.y; }");
  EXPECT_EQ(sample.with(sample.text.floatLiterals()),
            "void f() { for (;;) a[i] = 0.5f * b[i] + 1e-3f + 2.f + 3.0L + 4 + 0x1p3 + x.y; }");
}

TEST(LoopText, ConditionsAreWrapped) {
  const Sample sample("void f() { for (;;) { if (a[i] < (k)) g(); if (int x = h(); x) g(); } }");
  EXPECT_EQ(sample.with(sample.text.conditionsIn("E(", ")")),
            "void f() { for (;;) { if (E(a[i] < (k))) g(); if (int x = h(); x) g(); } }");
}

TEST(LoopText, TheTripCountComesFromTheHead) {
  EXPECT_EQ(Sample("void f() { for (int i = 0; i < 20; i++) g(); }").text.tripCount(), 20u);
  EXPECT_EQ(Sample("void f() { for (int i = 4; i <= 20u; ++i) g(); }").text.tripCount(), 17u);
  EXPECT_EQ(Sample("void f() { for (int i = 0; i < n; i++) g(); }").text.tripCount(), 0u);
  EXPECT_EQ(Sample("void f() { for (int i = 0; i < 20; i += 2) g(); }").text.tripCount(), 0u);
}

TEST(LoopText, AFunctionThatTheLoopCallsIsInlined) {
  const Sample sample("static int g(int x) { return x; }\nvoid f() { for (;;) g(1); }");
  EXPECT_EQ(sample.with(sample.text.inlineFunctions({"g"})),
            "__attribute__((always_inline)) static int g(int x) { return x; }\nvoid f() { for (;;) g(1); }");
  EXPECT_TRUE(sample.text.inlineFunctions({"h"}).empty());
}

TEST(LoopText, WithoutAStatementThereIsNothingToEdit) {
  const std::string source = "void f(float *a, float *b) { g(a, b); }";
  const LoopStatements statements(source, wire::Language::C);
  const LoopText text(source, wire::Language::C, nullptr, statements.functions());
  EXPECT_EQ(text.kept(), wire::SourceKept::Elsewhere);
  EXPECT_TRUE(text.restrictParameters().empty() && text.copyToLocals().empty() && text.pragmaBefore("p").empty());
  EXPECT_EQ(text.tripCount(), 0u);
}

TEST(LoopText, ALoopWithAlternativesOrOfAMacroHasNoEdits) {
  using Kept = wire::SourceKept;
  EXPECT_EQ(Sample("void f() { for (;;) {\n#if A\n g();\n#else\n h();\n#endif\n } }").text.kept(), Kept::Alternatives);
  EXPECT_EQ(Sample("#define LOOP for (;;)\nvoid f() { LOOP { g(); } }").text.kept(), Kept::Elsewhere);
  EXPECT_EQ(Sample("void f() { again: g(); goto again; }").text.kept(), Kept::Goto);
  EXPECT_EQ(Sample("void f() { for (;;) g(); }").text.kept(), Kept::No);
}

} // namespace
} // namespace analysis
