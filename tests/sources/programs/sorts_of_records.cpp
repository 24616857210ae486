// Sorting records by several keys; two sorts on one line.
#include <algorithm>
#include <string>
#include <vector>

struct Record {
  int year;
  double price;
  int id;
};

void byPrice(std::vector<Record> &records) {
  std::sort(records.begin(), records.end(), [](const Record &a, const Record &b) { return a.price < b.price; }); // hint
}

void byYearThenId(std::vector<Record> &records) {
  std::stable_sort(records.begin(), records.end(), [](const Record &a, const Record &b) { // hint?
    return a.year != b.year ? a.year < b.year : a.id < b.id;
  });
}

void both(std::vector<int> &a, std::vector<float> &b) {
  std::sort(a.begin(), a.end()), std::sort(b.begin(), b.end()); // hint?
}

int oldest(const std::vector<Record> &records) {
  int year = 9999;
  for (const Record &record : records) // hint
    if (record.year < year)
      year = record.year;
  return year;
}
