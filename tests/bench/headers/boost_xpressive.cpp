#include <boost/xpressive/xpressive.hpp>
#include <string>
bool isDate(const std::string &text) {
  using namespace boost::xpressive;
  static const sregex date = repeat<4>(_d) >> '-' >> repeat<2>(_d);
  return regex_match(text, date);
}
void swapBytes(unsigned short *values, int n) {
  for (int i = 0; i < n; ++i)
    values[i] = (unsigned short)(values[i] << 8 | values[i] >> 8);
}
