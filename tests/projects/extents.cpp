// Where the functions and loop statements of a source file are, from clang's syntax tree. The product reads statements
// with clang's lexer and lines from the assembly, so this is a second opinion.
//
//   project_extents FILE OF -- COMPILER-ARGUMENT...
//
// of OF, which is the file itself or one that it includes. Prints one line each, 1-based, both ends included: "function
// BEGIN END NAME", "loop BEGIN END HEAD-END KIND", "label LINE". A macro's use stands for what it expands to.
#include <clang-c/Index.h>

#include <cstdio>
#include <cstring>
#include <string>

namespace {

struct Lines {
  unsigned begin = 0, end = 0;
};

CXFile wanted;

/// 0 when it is in another file. What a macro expands to is where the macro is used.
unsigned lineInFile(CXSourceLocation location) {
  CXFile file;
  unsigned line = 0;
  clang_getExpansionLocation(location, &file, &line, nullptr, nullptr);
  return file && clang_File_isEqual(file, wanted) ? line : 0;
}

Lines linesOf(CXCursor cursor) {
  const CXSourceRange range = clang_getCursorExtent(cursor);
  return {lineInFile(clang_getRangeStart(range)), lineInFile(clang_getRangeEnd(range))};
}

bool hasBody(CXCursor cursor) {
  bool found = false;
  clang_visitChildren(
      cursor,
      [](CXCursor child, CXCursor, CXClientData data) {
        const CXCursorKind kind = clang_getCursorKind(child);
        *static_cast<bool *>(data) |= kind == CXCursor_CompoundStmt || kind == CXCursor_CXXTryStmt;
        return CXChildVisit_Continue;
      },
      &found);
  return found;
}

/// The line on which the statement that a loop repeats begins; the last child, but for `do`.
unsigned bodyLineOf(CXCursor cursor) {
  unsigned line = 0;
  clang_visitChildren(
      cursor,
      [](CXCursor child, CXCursor, CXClientData data) {
        *static_cast<unsigned *>(data) = linesOf(child).begin;
        return CXChildVisit_Continue;
      },
      &line);
  return line;
}

/// Whether a `do` is done once, as in a macro that is to be used like a call: its condition, the last child, is false.
bool isDoneOnce(CXCursor cursor) {
  CXCursor condition = clang_getNullCursor();
  clang_visitChildren(
      cursor,
      [](CXCursor child, CXCursor, CXClientData data) {
        *static_cast<CXCursor *>(data) = child;
        return CXChildVisit_Continue;
      },
      &condition);
  const CXEvalResult value = clang_Cursor_Evaluate(condition);
  const bool isFalse =
      value && clang_EvalResult_getKind(value) == CXEval_Int && clang_EvalResult_getAsLongLong(value) == 0;
  clang_EvalResult_dispose(value);
  return isFalse;
}

const char *loopKind(CXCursor cursor) {
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_ForStmt:
    return "for";
  case CXCursor_CXXForRangeStmt:
    return "range-for";
  case CXCursor_WhileStmt:
    return "while";
  case CXCursor_DoStmt:
    return isDoneOnce(cursor) ? nullptr : "do";
  default:
    return nullptr;
  }
}

void print(CXCursor cursor) {
  const CXCursorKind kind = clang_getCursorKind(cursor);
  const Lines lines = linesOf(cursor);
  if (!lines.begin || !lines.end)
    return;
  if (const char *loop = loopKind(cursor))
    std::printf("loop %u %u %u %s\n", lines.begin, lines.end, bodyLineOf(cursor), loop);
  else if (kind == CXCursor_LabelStmt)
    std::printf("label %u\n", lines.begin);
  else if (kind == CXCursor_LambdaExpr || hasBody(cursor)) {
    const CXString name = clang_getCursorSpelling(cursor);
    std::printf("function %u %u %s\n", lines.begin, lines.end, clang_getCString(name));
    clang_disposeString(name);
  }
}

bool isFunction(CXCursorKind kind) {
  return kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod || kind == CXCursor_Constructor ||
         kind == CXCursor_Destructor || kind == CXCursor_ConversionFunction || kind == CXCursor_FunctionTemplate ||
         kind == CXCursor_LambdaExpr;
}

CXChildVisitResult visit(CXCursor cursor, CXCursor, CXClientData) {
  const CXCursorKind kind = clang_getCursorKind(cursor);
  if (isFunction(kind) || loopKind(cursor) || kind == CXCursor_LabelStmt)
    print(cursor);
  return CXChildVisit_Recurse;
}

} // namespace

int main(int count, char **arguments) {
  if (count < 4 || std::strcmp(arguments[3], "--") != 0) {
    std::fprintf(stderr, "usage: project_extents FILE OF -- COMPILER-ARGUMENT...\n");
    return 2;
  }
  const CXIndex index = clang_createIndex(0, 0);
  CXTranslationUnit unit = nullptr;
  const CXErrorCode error =
      clang_parseTranslationUnit2(index, arguments[1], arguments + 4, count - 4, nullptr, 0, 0, &unit);
  if (error != CXError_Success) {
    std::fprintf(stderr, "project_extents: %s: libclang's error %d\n", arguments[1], int(error));
    return 1;
  }
  wanted = clang_getFile(unit, arguments[2]);
  clang_visitChildren(clang_getTranslationUnitCursor(unit), visit, nullptr);
  clang_disposeTranslationUnit(unit);
  clang_disposeIndex(index);
  return 0;
}
