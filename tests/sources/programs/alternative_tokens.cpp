// The words and pairs of letters that stand for symbols.
int countBetween(const int values<::>, int count, int low, int high) <%
  int found = 0;
  for (int i = 0; i not_eq count; ++i) // hint
    if (values<:i:> > low and not(values<:i:> >= high or values<:i:> == 0))
      ++found;
  return found;
%>

unsigned checksum(const unsigned *words, int count) <%
  unsigned sum = 0;
  while (count-- > 0) <% // hint
    sum xor_eq compl words<:count:> bitor 1;
  %>
  return sum;
%>
