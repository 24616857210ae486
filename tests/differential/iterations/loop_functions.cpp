#include "tests/differential/iterations/loop_functions.h"

#include <algorithm>

namespace iterations {
namespace {

/// A function of the arrays d and s of type T and of n. Its text has a line for each `\n`; the loops' lines count from
/// the function's first, 0.
struct Shape {
  const char *text;
  std::vector<SourceLoop> loops;
};

const std::vector<Shape> &shapes() {
  static const std::vector<Shape> all = {
      {"for (long i = 0; i < n; ++i) d[i] = s[i];", {{0, 0, 1}}},
      {"int i, m = (int)n; for (i = 0; i < m; i++, s++, d++) *d = *s;", {{0, 0, 1}}},
      {"while (n--) *d++ += *s++;", {{0, 0, 1}}},
      {"T sum = 0; for (long i = 0; i < n; ++i) sum += s[i]; d[0] = sum;", {{0, 0, 1}}},
      {"T sum = 0; const T *e = s + n; while (s != e) sum ^= *s++; d[0] = sum;", {{0, 0, 1}}},
      {"T sum = 0; for (int i = 0; i < (int)n; ++i) sum += s[i] * d[i]; d[0] = sum;", {{0, 0, 1}}},
      {"for (long i = n - 1; i >= 0; --i) d[i] = s[i] + 1;", {{0, 0, 1}}},
      {"for (long i = 0; i < n; i += 2) d[i] = s[i] + d[i];", {{0, 0, 1, 2}}},
      {"for (long i = 0; i < n; i += 3) d[i] += s[i];", {{0, 0, 1, 3}}},
      {"double *f = (double *)(void *)other; for (long i = 0; i < n; ++i) f[i] = s[i];", {{0, 0, 1}}},
      {"signed char *c = (signed char *)other; for (long i = 0; i < n; ++i) c[i] = (signed char)s[i];", {{0, 0, 1}}},
      {"for (long i = 0; i < n; ++i) d[i] = s[i] + s[i + 1] + s[i + 2];", {{0, 0, 1}}},
      {"for (long i = 0; i < n; ++i) if (s[i] > 3) d[i] = s[i];", {{0, 0, 1}}},
      {"for (long i = 0; i < n; ++i) if (s[i] == 77) { d[0] = 1; break; }", {{0, 0, 1}}},
      {"for (long i = 0; i < n; ++i)\nfor (int j = 0; j < 4; ++j) d[i * 4 + j] += s[j];", {{0, 0, 1}, {1, 0, 4}}},
      {"for (int j = 0; j < 3; ++j)\nfor (long i = 0; i < n; ++i) d[j * 1024 + i] += s[i];", {{0, 3, 0}, {1, 0, 3}}},
      {"for (int i = 0; i < 1000; ++i) d[i] += s[i];", {{0, 1000, 0}}},
      {"for (int i = 0; i < 1021; ++i) d[i] = s[i] * s[i];", {{0, 1021, 0}}},
      {"for (int i = 0; i < 64; ++i) d[i] = s[i];", {{0, 64, 0}}},
      {"for (long i = 2; i < n + 2; ++i) d[i] = d[i - 1] + d[i - 2];", {{0, 0, 1}}},
      {"for (long i = 4; i < 1004; ++i) d[i] = d[i - 4] + s[i];", {{0, 1000, 0}}},
      {"long i = 0; do d[i] = 5; while (++i < n);", {{0, 0, 1}}},
      {"for (long i = 0; i < n; ++i) d[i] = (T)i;", {{0, 0, 1}}},
      {"for (long i = 0; i < n; ++i) { d[2 * i] = s[2 * i] + s[2 * i + 1]; d[2 * i + 1] = s[2 * i]; }", {{0, 0, 1}}},
      {"for (long i = 0; i < n; ++i) { d[4 * i] *= 3; d[4 * i + 1] *= 3; d[4 * i + 2] *= 3; d[4 * i + 3] *= 3; }",
       {{0, 0, 1}}},
      {"T most = s[0]; for (long i = 0; i < n; ++i) most = s[i] > most ? s[i] : most; d[0] = most;", {{0, 0, 1}}},
      {"long count = 0; for (long i = 0; i < n; ++i) count += s[i] == 5; d[0] = (T)count;", {{0, 0, 1}}},
      {"unsigned h = 5; for (long i = 0; i < n; ++i) h = h * 31 + (unsigned)s[i]; d[0] = (T)(h & 7);", {{0, 0, 1}}},
      {"unsigned x = 5; for (long i = 0; i < n; ++i) x ^= x << 3; d[0] = (T)(x & 7);", {{0, 0, 1}}},
      {"add(d, s, n);\nadd(d + 1, s + 2, n);", {}},
      {"_Pragma(\"clang loop vectorize_width(4) interleave_count(2)\")\nfor (long i = 0; i < n; ++i) d[i] += s[i];",
       {{1, 0, 1}}},
      {"_Pragma(\"clang loop unroll_count(3)\")\nfor (long i = 0; i < n; ++i) d[i] = d[s[i] == 3] + 1;", {{1, 0, 1}}},
      {"_Pragma(\"GCC unroll 5\")\nfor (long i = 0; i < n; ++i) d[i] = d[s[i] == 3] + 1;", {{1, 0, 1}}},
      {"_Pragma(\"clang loop unroll_count(2)\")\nfor (int j = 0; j < 4; ++j)\nfor (long i = 0; i < n; ++i) d[i] += "
       "s[j];",
       {{1, 4, 0}, {2, 0, 4}}},
      {"for (long i = 0; i < n; ++i) {\nfor (int j = 0; j < 8; ++j) d[i] += s[i + j];\n}", {{0, 0, 1}, {1, 0, 8}}},
  };
  return all;
}

constexpr const char *kTypes[] = {"signed char", "short", "unsigned", "long long", "float", "double"};

bool isFloating(const std::string &type) {
  return type == "float" || type == "double";
}

std::string withType(std::string text, const std::string &type) {
  for (size_t at = 0; (at = text.find('T', at)) != std::string::npos; at += type.size())
    text.replace(at, 1, type);
  return text;
}

} // namespace

Source makeSource() {
  Source source;
  uint32_t line = 1;
  std::string calls;
  const auto add = [&](const std::string &text) {
    source.text += text + "\n";
    line += static_cast<uint32_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  };
  // gcc must not know what a function leaves alone either: it takes calls away whose results are written over.
  add("#ifdef __clang__\n#define APART __attribute__((noinline))\n#else\n#define APART __attribute__((noipa))\n#endif");
  size_t number = 0;
  for (const std::string type : kTypes) {
    const std::string suffix = std::to_string(number);
    add("extern " + type + " d" + suffix + "[], s" + suffix + "[]; extern char other[];");
    add("static inline void add" + suffix + "(" + type + " *d, const " + type + " *s, long n) {");
    // Both calls' copies of it; a call alone stands on no statement.
    source.loops.push_back({line, 0, 2});
    add("for (long i = 0; i < n; ++i) d[i] += s[i];\n}");
    for (size_t shape = 0; shape < shapes().size(); ++shape) {
      std::string text = shapes()[shape].text;
      if (isFloating(type) && text.find('^') != std::string::npos && text.find("unsigned x") == std::string::npos)
        continue;
      if (const size_t at = text.find("add("); at == 0) {
        text.replace(0, 3, "add" + suffix);
        text.replace(text.find("\nadd(") + 1, 3, "add" + suffix);
      }
      const std::string name = "f" + suffix + "_" + std::to_string(shape);
      add("APART void " + name + "(" + type + " *d, const " + type + " *s, long n) {");
      for (SourceLoop loop : shapes()[shape].loops) {
        loop.line += line;
        source.loops.push_back(loop);
      }
      add(withType(text, type) + "\n}");
      calls += name + "(d" + suffix + ", s" + suffix + ", n);";
    }
    ++number;
  }
  add("void runAll(long n) { " + calls + " }");
  return source;
}

} // namespace iterations
