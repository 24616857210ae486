// Loop statements in source text: heads, ends, nesting, and what the preprocessor hides.
#include "analysis/regions/loop_statements.h"
#include "tests/mca-core/parsed.h"

#include <set>

namespace analysis {
namespace {

using mca::Strings;
using wire::Language;

/// The statements with their text, ends shortened to what is asked for: "for@0 [for (;;) f();]", in text order.
Strings statements(const std::string &source, Language language = Language::Cxx) {
  const LoopStatements found(source, language);
  std::set<const LoopStatement *> all;
  for (uint32_t at = 0; at < source.size(); ++at)
    for (const LoopStatement *one = found.around(at); one; one = found.around(*one))
      all.insert(one);
  Strings result;
  for (const LoopStatement *one : all)
    result.push_back(source.substr(one->extent.begin, one->extent.end - one->extent.begin));
  return result;
}

/// The text of the innermost statement around the first `mark`; "-" for none.
std::string around(const std::string &source, const std::string &mark) {
  const LoopStatements found(source, Language::Cxx);
  const LoopStatement *one = found.around(static_cast<uint32_t>(source.find(mark)));
  return one ? source.substr(one->extent.begin, one->extent.end - one->extent.begin) : "-";
}

std::string headOf(const std::string &source) {
  const LoopStatements found(source, Language::Cxx);
  const LoopStatement *one = found.around(static_cast<uint32_t>(source.find('X')));
  return one ? source.substr(one->keyword, one->headEnd - one->keyword) : "-";
}

TEST(LoopStatements, OfEveryKind) {
  EXPECT_EQ(statements("for (int i = 0; i < n; ++i) f(i); g();"), (Strings{"for (int i = 0; i < n; ++i) f(i);"}));
  EXPECT_EQ(statements("while (x) { f(); } g();"), (Strings{"while (x) { f(); }"}));
  EXPECT_EQ(statements("do { f(); } while (x); g();"), (Strings{"do { f(); } while (x);"}));
  EXPECT_EQ(statements("do f(); while (x); g();"), (Strings{"do f(); while (x);"}));
  EXPECT_EQ(statements("for (auto x : v) s += x; g();"), (Strings{"for (auto x : v) s += x;"}));
}

TEST(LoopStatements, NoneInTextWithoutThem) {
  EXPECT_EQ(statements(""), Strings{});
  EXPECT_EQ(statements("int f() { return 1; }"), Strings{});
  EXPECT_EQ(statements("// for (;;) f();\nchar s[] = \"while (1) f();\"; /* do x; while (1); */"), Strings{});
  EXPECT_EQ(statements("auto s = R\"(for (;;) f();)\";"), Strings{});
  EXPECT_EQ(statements("int forward, dowhile, before;"), Strings{});
}

TEST(LoopStatements, Nest) {
  const std::string source = "for (;;) { A; while (B) { C; } D; }";
  EXPECT_EQ(statements(source).size(), 2u);
  EXPECT_EQ(around(source, "A"), source);
  EXPECT_EQ(around(source, "B"), "while (B) { C; }");
  EXPECT_EQ(around(source, "C"), "while (B) { C; }");
  EXPECT_EQ(around(source, "D"), source);
  EXPECT_EQ(around("f(); for (;;) g();", "f"), "-");
}

TEST(LoopStatements, WithoutBraces) {
  EXPECT_EQ(around("for (;;) if (a) b(); else c(X); d();", "X"), "for (;;) if (a) b(); else c(X);");
  EXPECT_EQ(around("for (;;) if (a) for (X;;) b(); else c(); d();", "c()"), "for (;;) if (a) for (X;;) b(); else c();");
  EXPECT_EQ(around("for (;;) try { X; } catch (int) { } catch (...) { Y; } d();", "Y"),
            "for (;;) try { X; } catch (int) { } catch (...) { Y; }");
  EXPECT_EQ(around("for (;;) switch (x) { case 1: X; } d();", "X"), "for (;;) switch (x) { case 1: X; }");
  EXPECT_EQ(around("while (a) do X; while (b); d();", "X"), "do X; while (b);");
  EXPECT_EQ(statements("while (a) do X; while (b); d();").size(), 2u) << "the tail of `do` is no loop";
  EXPECT_EQ(around("for (;;) [[likely]] { X; } d();", "X"), "for (;;) [[likely]] { X; }");
  EXPECT_EQ(around("for (;;) ; X;", "X"), "-");
}

TEST(LoopStatements, WithBracketsInsideTheHead) {
  EXPECT_EQ(headOf("for (int i = f({1, 2}); a[i] < (b); ++i) X;"), "for (int i = f({1, 2}); a[i] < (b); ++i)");
  EXPECT_EQ(headOf("while (any([&] { return b; })) X;"), "while (any([&] { return b; }))");
  EXPECT_EQ(headOf("do { X; } while (1);"), "");
}

TEST(LoopStatements, BeginAtThePragmasAboveThem) {
  EXPECT_EQ(around("f();\n#pragma omp simd\n#pragma unroll\nfor (;;) X;\n", "X"),
            "#pragma omp simd\n#pragma unroll\nfor (;;) X;");
  EXPECT_EQ(around("#pragma once\nint y; for (;;) X;\n", "X"), "for (;;) X;");
}

TEST(LoopStatements, OfMacros) {
  EXPECT_EQ(around("#define EACH(i, n) for (int i = 0; i < n; ++i)\nvoid f() { EACH(i, 3) { X; } g(); }", "X"),
            "EACH(i, 3) { X; }");
  EXPECT_EQ(around("#define FOREVER for (;;)\nvoid f() { FOREVER { X; } g(); }", "X"), "FOREVER { X; }");
  EXPECT_EQ(around("#define SUM(v) for (auto x : v) s += x\nvoid f() { SUM(X); g(); }", "X"), "SUM(X)");
  EXPECT_EQ(around("#define SUM(v) \\\n  for (auto x : v) \\\r\n  { s += x; }\nvoid f() { SUM(X) g(); }", "X"),
            "SUM(X)");
  EXPECT_EQ(around("#define WHEN while\nvoid f() { WHEN (a) { X; } g(); }", "X"), "WHEN (a) { X; }");
  EXPECT_EQ(around("void f() { list_for_each(entry, list) { X; } g(); }", "X"), "list_for_each(entry, list) { X; }");
  EXPECT_EQ(around("void f() { foreach(entry, list) g(X); h(); }", "X"), "foreach(entry, list) g(X);");
  EXPECT_EQ(around("void f() { std::for_each(a, b, [&](int x) { X; }); }", "X"), "-");
}

TEST(LoopStatements, AFunctionThatIsNamedLikeALoopIsNone) {
  EXPECT_EQ(around("int event_loop(int n) { X; }", "X"), "-");
  EXPECT_EQ(around("static void wait_for_data() { X; }", "X"), "-");
  EXPECT_EQ(around("void Queue::forEach(F f) const { X; }", "X"), "-");
  EXPECT_EQ(around("Node *repeat(Node *node) { X; }", "X"), "-");
  EXPECT_EQ(around("void f() { if (isLoop(a)) { X; } }", "X"), "-");
}

TEST(LoopStatements, OfLabels) {
  EXPECT_EQ(around("again: X; if (a) goto again; b();", "X"), "again: X; if (a) goto again");
  EXPECT_EQ(around("again: f(); if (a) goto again; X; goto again; b();", "X"),
            "again: f(); if (a) goto again; X; goto again")
      << "up to the last";
  EXPECT_EQ(around("goto out; X; out: b();", "X"), "-") << "only forward";
  EXPECT_EQ(statements("void f() { a: x(); goto a; } void g() { a: y(); goto a; }"),
            (Strings{"a: x(); goto a", "a: y(); goto a"}));
  EXPECT_EQ(statements("void f() { switch (x) { case A: default: y = b ? A : c; } }"), Strings{});
}

TEST(LoopStatements, OfLabelsEndWithTheirFunction) {
  const std::string cleanUp = " { if (a) goto fail; b(); fail: c(); }\n";
  EXPECT_EQ(statements("int f(int a)" + cleanUp + "int g(int a) { return g(a - 1); }\nint h(int a)" + cleanUp),
            Strings{});
  EXPECT_EQ(statements("int f(a) int a;" + cleanUp + "int h(a) int a;" + cleanUp, Language::C), Strings{}) << "K&R";
  EXPECT_EQ(statements("MAKE(f)" + cleanUp + "MAKE(h)" + cleanUp), Strings{}) << "macros";
  EXPECT_EQ(statements("struct S { void f()" + cleanUp + " void h()" + cleanUp + "};"), Strings{}) << "members";
  EXPECT_EQ(statements("void f() { auto g = [&](int a)" + cleanUp + "; auto h = [&](int a)" + cleanUp + "; }"),
            Strings{})
      << "lambdas";
  EXPECT_EQ(statements("void f() { int g(int a)" + cleanUp + " int h(int a)" + cleanUp + " }", Language::C), Strings{})
      << "functions in functions";
  EXPECT_EQ(statements("fail: x();\nvoid f() { }\ngoto fail;\n"), Strings{}) << "in no function";
}

TEST(LoopStatements, AreNoMacrosThatDeclareFunctions) {
  EXPECT_EQ(statements("MAKE_LOOP(x)\nint f() { X; }\nint g() { }\nint h;\n"), Strings{});
  EXPECT_EQ(statements("MAIN_LOOP(a, f)\nMAIN_LOOP(b, f)\nstatic const int table[] = {1};\n"), Strings{});
  EXPECT_EQ(statements("int f() {\n  FOR_ALL(x)\n  g(x);\n}\n"), (Strings{"FOR_ALL(x)\n  g(x);"}));
}

// ---- the preprocessor ----------------------------------------------------------------------------------------------

TEST(LoopStatements, OfConditionals) {
  EXPECT_EQ(around("#if 0\nfor (;;) X;\n#endif\n", "X"), "-");
  EXPECT_EQ(around("#if 0\nfor (;;) Y;\n#else\nfor (;;) X;\n#endif\n", "X"), "for (;;) X;");
  EXPECT_EQ(around("#ifdef A\nfor (int i;;) {\n#else\nfor (long i;;) {\n#endif\n  X;\n}\ng();\n", "X"),
            "for (long i;;) {\n#endif\n  X;\n}")
      << "the closest one";
  EXPECT_EQ(around("for (;;) {\n#if A\n  if (a) {\n#elif B\n  if (b) {\n#else\n  {\n#endif\n  X; }\n}\ng();\n", "g"),
            "-");
  EXPECT_EQ(around("#if 0\n#if 1\n#else\n#endif\nisn't }\n#endif\nfor (;;) { X; }\n", "X"), "for (;;) { X; }");
  EXPECT_EQ(around("#else\n#endif\n#elif\nfor (;;) { X; }\n", "X"), "for (;;) { X; }") << "unbalanced";
  EXPECT_EQ(around("for (;;) {\n#if A\n  X;\n", "X"), "for (;;) {\n#if A\n  X;") << "no end";
}

TEST(LoopStatements, EndBeforeTheAlternative) {
  EXPECT_EQ(around("#if A\nfor (;;) f();\n#else\nX;\n#endif\ng();\n", "X"), "-");
  EXPECT_EQ(around("#if A\nfor (;;) f();\n#else\nX;\n#endif\ng();\n", "f()"), "for (;;) f();");
  EXPECT_EQ(around("#if A\nf();\n#else\nfor (;;) X;\n#endif\ng();\n", "X"), "for (;;) X;");
  EXPECT_EQ(around("#if A\nf();\n#elif B\nfor (;;) g();\n#else\nX;\n#endif\nh();\n", "X"), "-");
  EXPECT_EQ(around("#if A\n#if B\nfor (;;) f();\n#else\nX;\n#endif\n#else\nY;\n#endif\ng();\n", "X"), "-");
  EXPECT_EQ(around("#if A\n#if B\nfor (;;) f();\n#else\nX;\n#endif\n#else\nY;\n#endif\ng();\n", "Y"), "-");
  EXPECT_EQ(around("for (;;)\n#if A\n  f();\n#else\n  X;\n#endif\ng();\n", "X"), "for (;;)\n#if A\n  f();\n#else\n  X;")
      << "a body in two alternatives";
}

TEST(LoopStatements, TellIncludes) {
  const std::string source =
      "#include <vector>\n#if 0\n#include \"no.h\"\n#endif\n  # include \"dir/body.inc\" // why\n"
      "#include\n#include MACRO\n";
  const LoopStatements found(source, Language::C);
  Strings names;
  for (const IncludeLine &include : found.includes())
    names.push_back(std::to_string(include.offset) + " " + include.name);
  ASSERT_GE(names.size(), 2u);
  EXPECT_EQ(names[0], "0 vector");
  EXPECT_EQ(names[1], std::to_string(source.find("# include \"dir")) + " dir/body.inc");
}

// ---- texts that nobody wrote ---------------------------------------------------------------------------------------

TEST(LoopStatements, WithOtherLineEnds) {
  EXPECT_EQ(around("for (;;)\r\n{\r\n  X;\r\n}\r\ng();\r\n", "X"), "for (;;)\r\n{\r\n  X;\r\n}");
  EXPECT_EQ(around("#pragma unroll\r\nfor (;;)\r\n  X;\r\n", "X"), "#pragma unroll\r\nfor (;;)\r\n  X;");
}

TEST(LoopStatements, OfBrokenText) {
  for (const char *text : {"for",
                           "for (",
                           "for )",
                           "while",
                           "do",
                           "do {",
                           "do while",
                           "}}}for(;;)",
                           "for (;;) }",
                           "(((",
                           ")))",
                           "#",
                           "#define",
                           "#define F(",
                           "#define F(for",
                           "#if",
                           "#include",
                           "#include \"",
                           "for (;;) [[",
                           "try",
                           "catch",
                           "if else else for",
                           "goto",
                           "goto a",
                           ":",
                           "a:",
                           "\"for(",
                           "R\"(",
                           "/*",
                           "'",
                           "\\",
                           "\xff\xfe for (;;)",
                           "\xef\xbb\xbf"
                           "for (;;) x;",
                           "#if 0\nfor"})
    for (const Language language : {Language::C, Language::Cxx}) {
      const std::string source = text;
      for (const std::string &one : statements(source, language))
        EXPECT_LE(one.size(), source.size()) << text;
    }
  const std::string withNul("for (;;)\0 { x; }\0", 17);
  EXPECT_LE(statements(withNul).size(), 1u);
}

TEST(LoopStatements, OfDigitSeparatorsAndAlternativeTokens) {
  EXPECT_EQ(around("for (int i = 1'000'000; i; --i) { X; } g();", "X"), "for (int i = 1'000'000; i; --i) { X; }");
  EXPECT_EQ(around("for (;;) <% X; %> g();", "X"), "for (;;) <% X; %>");
}

std::string repeated(const std::string &text, size_t count) {
  std::string result;
  for (size_t i = 0; i < count; ++i)
    result += text;
  return result;
}

// Each takes a moment, or the next one never comes.
TEST(LoopStatements, OfNestingWithoutEnd) {
  for (const std::string &source :
       {repeated("for(", 10'000), repeated("for(;;)", 10'000), repeated("for(;;){", 10'000), repeated("do ", 10'000),
        repeated("if(x)", 10'000) + "for(;;);", repeated("foreach(", 10'000), repeated("if (x) ; else ", 10'000),
        repeated("#if A\n", 10'000) + "for(;;);", repeated("#if A\n{\n#else\n", 5'000) + repeated("#endif\n", 5'000)}) {
    const LoopStatements found(source, Language::Cxx);
    for (uint32_t at = 0; at < source.size(); at += 997)
      found.around(at);
  }
}

TEST(LoopStatements, ManyInARow) {
  const std::string source = repeated("void f() { for (;;) { while (x) y(); } }\n", 20'000);
  const LoopStatements found(source, Language::Cxx);
  const LoopStatement *last = found.around(static_cast<uint32_t>(source.rfind("y()")));
  ASSERT_TRUE(last);
  EXPECT_EQ(source.substr(last->keyword, 5), "while") << "length alone is no reason to stop";
}

TEST(LoopStatements, OfManyGotos) {
  const std::string one = "again: x();" + repeated("goto again;", 20'000);
  EXPECT_EQ(statements(one.substr(0, 200)).size(), 1u);
  const LoopStatements found(one, Language::C);
  const LoopStatement *around = found.around(8);
  ASSERT_TRUE(around);
  EXPECT_EQ(around->extent.end, one.size() - 1);
  EXPECT_EQ(found.around(*around), nullptr);

  std::string nested, gotos;
  for (int i = 0; i < 20'000; ++i) {
    nested += "l" + std::to_string(i) + ": ";
    gotos = "goto l" + std::to_string(i % 100) + ";" + (i < 100 ? gotos : "");
  }
  const LoopStatements many(nested + gotos, Language::C);
  EXPECT_TRUE(many.around(static_cast<uint32_t>(nested.size())));
}

} // namespace
} // namespace analysis
