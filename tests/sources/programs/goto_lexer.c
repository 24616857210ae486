// A scanner as generators write it: each state is a label that may go back to itself.
int scan(const char *at, int *words, int *numbers) {
  *words = *numbers = 0;
start: if (*at == ' ' || *at == '\n') { // hint?
    ++at;
    goto start;
  }
  if (*at >= '0' && *at <= '9')
    goto number;
  if (*at >= 'a' && *at <= 'z')
    goto word;
  return *at == 0;
number: if (*at >= '0' && *at <= '9') { // hint
    ++at;
    goto number;
  }
  ++*numbers;
  goto start;
word: if ((*at >= 'a' && *at <= 'z') || *at == '_') { // hint
    ++at;
    goto word;
  }
  ++*words;
  goto start;
}
