// Functions in source text: where they begin and end, and what only looks like one.
#include "analysis/regions/function_extents.h"
#include "tests/mca-core/parsed.h"

namespace analysis {
namespace {

using mca::Strings;
using wire::Language;

/// The text of each function, in the order of their begins.
Strings functions(const std::string &source, Language language = Language::Cxx) {
  SourceTokens tokens(source, language);
  Strings result;
  const FunctionExtents extents = findFunctionExtents(tokens);
  for (const FunctionExtent &function : extents.all())
    result.push_back(source.substr(function.extent.begin, function.extent.end - function.extent.begin));
  return result;
}

/// The name of the innermost function around the first `X`; "lambda" for one, "-" for none.
std::string nameAround(const std::string &source, Language language = Language::Cxx) {
  SourceTokens tokens(source, language);
  const FunctionExtents extents = findFunctionExtents(tokens);
  const FunctionExtent *one = extents.around(static_cast<uint32_t>(source.find('X')));
  if (!one)
    return "-";
  return one->name.begin == one->name.end ? "lambda" : source.substr(one->name.begin, one->name.end - one->name.begin);
}

TEST(FunctionExtents, BeginAtTheirHeads) {
  EXPECT_EQ(functions("int a; static int f(int x) { return x; } int b;"),
            (Strings{"static int f(int x) { return x; }"}));
  EXPECT_EQ(functions("void f() {} void g() { if (a) { b(); } }"),
            (Strings{"void f() {}", "void g() { if (a) { b(); } }"}));
  EXPECT_EQ(functions("int f(void);\nint f(void)\n{\n}\n"), (Strings{"int f(void)\n{\n}"}));
  EXPECT_EQ(functions("METHODDEF(void)\nfinish(int x)\n{\n}\n", Language::C), (Strings{"finish(int x)\n{\n}"}));
  EXPECT_EQ(functions("DEFINE_SORT(int)\nvoid f(int x) {}\n"), (Strings{"void f(int x) {}"}))
      << "what a macro made before it is another function";
}

TEST(FunctionExtents, NoneInDeclarations) {
  EXPECT_EQ(functions(""), Strings{});
  EXPECT_EQ(functions("int a[] = {1, 2}; struct S { int x; } s = {f(1)}; enum E : int { A, B = 2 };"), Strings{});
  EXPECT_EQ(functions("int t[2][2] = {{1, 2}, {3, 4}}; int x{3}; union U { int a; };"), Strings{});
  EXPECT_EQ(functions("struct __attribute__((packed)) { int x; } s; class alignas(8) C {};"), Strings{});
  EXPECT_EQ(functions("typedef struct tag { int (*call)(int); } tag;", Language::C), Strings{});
  EXPECT_EQ(functions("struct T t = {.a = {1}, [2] = {3}};", Language::C), Strings{});
}

TEST(FunctionExtents, InScopes) {
  EXPECT_EQ(functions("namespace a::b { namespace { void f() {} } } void g() {}"),
            (Strings{"void f() {}", "void g() {}"}));
  EXPECT_EQ(functions("extern \"C\" { int f(void) { return 1; } }"), (Strings{"int f(void) { return 1; }"}));
  EXPECT_EQ(functions("extern \"C\" int f() { return 1; }"), (Strings{"extern \"C\" int f() { return 1; }"}));
  EXPECT_EQ(functions("struct S : B<int> { public: S() {} private slots: void f() const noexcept {} };"),
            (Strings{"S() {}", "void f() const noexcept {}"}));
  EXPECT_EQ(functions("class EXPORT(api) C { int f() { return 1; } };"), (Strings{"int f() { return 1; }"}));
  EXPECT_EQ(functions("struct S *f(struct S s) { return 0; }", Language::C),
            (Strings{"struct S *f(struct S s) { return 0; }"}));
}

TEST(FunctionExtents, OfEveryFormOfHead) {
  for (const char *source :
       {"template <class T, class U = less<A<int>>> T f(T t) { X; }",
        "template <class T> requires (sizeof(T) > 1) void f(T t) { X; }", "auto f(int x) -> decltype(g(x)) { X; }",
        "void S::f() && noexcept(noexcept(g())) { X; }", "S::f(int a) : B<int>(a), b{1}, c{{2}}, d() { X; }",
        "S::f() try : a(1) { X; } catch (...) { }", "int f(int a[static 2], int (*call)(int)) { X; }",
        "[[nodiscard]] constexpr int f() { X; }", "__attribute__((noinline)) static int f(void) { X; }",
        "int f(void) __attribute__((cold)) { X; }", "int f(int g = h({1}), int i = {}) { X; }",
        "#if A\nint f(int a) {\n#else\nint f(long a) {\n#endif\n  X;\n}\nint g() { }\n",
        "#if A\nint g() { }\n#else\nint f() { X; }\n#endif\n"})
    EXPECT_EQ(nameAround(source), "f") << source;
  EXPECT_EQ(nameAround("bool S::operator<(const S &o) const { X; }"), "<");
  EXPECT_EQ(nameAround("int S::operator()(int a) const { X; }"), "(");
}

TEST(FunctionExtents, OfOldStyleDefinitions) {
  const std::string source = "int before;\nint f(a, b)\n  int a;\n  char *b;\n{\n  X;\n}\n";
  EXPECT_EQ(nameAround(source, Language::C), "f");
  EXPECT_EQ(functions(source, Language::C), (Strings{source.substr(12, source.size() - 13)}));
}

TEST(FunctionExtents, OfFunctionsInFunctions) {
  EXPECT_EQ(nameAround("void f() { auto g = [&](int a) mutable -> int { X; }; }"), "lambda");
  EXPECT_EQ(nameAround("void f() { g([] { a(); }, X); }"), "f");
  EXPECT_EQ(nameAround("auto f = [] { X; };"), "lambda");
  EXPECT_EQ(nameAround("void f() { return [=] { X; }(); }"), "lambda");
  EXPECT_EQ(nameAround("void f() { struct S { void g() { X; } }; }"), "g");
  EXPECT_EQ(nameAround("void f() { int g(int a) { X; } g(1); }", Language::C), "g");
  EXPECT_EQ(nameAround("void f() { a[i] = b; X; delete[] p; }"), "f");
  EXPECT_EQ(nameAround("void f() { auto [a, b] = c; for (auto &[d, e] : g) { X; } }"), "f");
  EXPECT_EQ(nameAround("void f() { int t[] = {[0] = 1, [1] = {X}}; }", Language::C), "f");
}

TEST(FunctionExtents, StatementsAreNone) {
  for (const char *statement :
       {"for (;;) { X; }", "while (a) { X; }", "list_for_each(a, b) { X; }", "if (a) { X; }", "else if (b(c)) { X; }",
        "switch (a) { case 1: { X; } }", "label: each(a) { X; }", "do { X; } while (a);",
        "try { } catch (int e) { X; }", "x = ({ X; });", "case 1: each(a) { X; }", "g((S){X});", "return h(S{X});"})
    EXPECT_EQ(nameAround(std::string("void f() { ") + statement + " }"), "f") << statement;
  EXPECT_EQ(nameAround("for (;;) { each(a) { X; } }\n"), "-") << "a file that is included in a function";
}

TEST(FunctionExtents, KnowWhereAFunctionCallsItself) {
  const std::string source = "int f(int a) { g(a); a.f(1); s->f(2); N::f(3); return f(a) + f; } int g() { f(1); }";
  SourceTokens tokens(source, Language::Cxx);
  const FunctionExtents extents = findFunctionExtents(tokens);
  ASSERT_EQ(extents.all().size(), 2u);
  EXPECT_EQ(extents.all()[0].ownCalls, (std::vector<uint32_t>{static_cast<uint32_t>(source.find("f(a) + f"))}));
  EXPECT_TRUE(extents.all()[1].ownCalls.empty());
}

TEST(FunctionExtents, OfBrokenText) {
  for (const char *text :
       {"{",         "}",           "f() {",    "f() {{",          "f(",       "f() }",     "[",
        "[]",        "[] {",        "template", "template <",      "operator", "operator(", "operator() {",
        "namespace", "namespace {", "class {",  "public:",         "f() : {",  ": {",       "; {",
        ";; {",      "f(a) ; {",    "#else\n{", "f() {\n#else\n}", "= {",      "<<<{"})
    for (const Language language : {Language::C, Language::Cxx}) {
      const std::string source = text;
      for (const std::string &one : functions(source, language))
        EXPECT_LE(one.size(), source.size()) << text;
    }
}

// Each takes a moment, or the next one never comes.
TEST(FunctionExtents, OfNestingWithoutEnd) {
  for (const char *part : {"{", "f(){", "f(a)int a;{", "[]{", "[", "f(", "class A {", "f() : a{", "template <", "; ",
                           "operator", "{;", "#if A\nf() {\n#else\n"}) {
    std::string source;
    for (int i = 0; i < 3'000; ++i)
      source += part;
    SourceTokens tokens(source, Language::Cxx);
    findFunctionExtents(tokens);
  }
}

} // namespace
} // namespace analysis
