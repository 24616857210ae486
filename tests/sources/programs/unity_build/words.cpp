// A part of unity_build.cpp.
namespace words {

int countOf(const char *text, char wanted) {
  int count = 0;
  for (; *text; ++text)
    count += *text == wanted;
  return count;
}

} // namespace words
