// A scanner by states: the compiler may copy the switch to the end of each case.
enum State { Outside, Word, Number };

int countWords(const char *text, int *numbers) {
  enum State state = Outside;
  int words = 0;
  for (char c; (c = *text); ++text) { // hint
    switch (state) {
    case Outside:
      if (c >= '0' && c <= '9')
        state = Number, ++*numbers;
      else if (c != ' ')
        state = Word, ++words;
      break;
    case Word:
      if (c == ' ')
        state = Outside;
      break;
    case Number:
      if (c < '0' || c > '9')
        state = c == ' ' ? Outside : Word;
      break;
    }
  }
  return words;
}
