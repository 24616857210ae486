// Names and text outside of ASCII: columns are bytes to one and characters to another.
double größeÜberAlles(const double *größen, int зЧисло) {
  double größte = größen[0];
  for (int индекс = 1; индекс < зЧисло; ++индекс) // hint
    größte = größen[индекс] > größte ? größen[индекс] : größte;
  return größte;
}

int 数える(const char *文字列, char 探す) {
  int 数 = 0; /* 文字の数、🙂 */ for (; *文字列; ++文字列) // hint
    数 += *文字列 == 探す;
  return 数;
}
