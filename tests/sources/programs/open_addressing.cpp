// A hash table with linear probing, as a template.
#include <cstddef>
#include <cstdint>

template <class Key, class Value>
class Table {
public:
  Value *find(Key key) {
    for (std::size_t at = hash(key);; ++at) { // hint
      Slot &slot = slots_[at & mask_];
      if (slot.key == key)
        return &slot.value;
      if (slot.key == Key())
        return nullptr;
    }
  }

  std::size_t longestRun() const {
    std::size_t longest = 0, run = 0;
    for (std::size_t i = 0; i <= mask_; ++i) { // hint
      run = slots_[i].key == Key() ? 0 : run + 1;
      longest = run > longest ? run : longest;
    }
    return longest;
  }

private:
  struct Slot {
    Key key;
    Value value;
  };
  static std::size_t hash(Key key) { return static_cast<std::size_t>(key) * 0x9e3779b97f4a7c15u >> 20; }
  Slot *slots_;
  std::size_t mask_;
};

int *findNumber(Table<uint32_t, int> &table, uint32_t key) {
  return table.find(key);
}
double *findOther(Table<uint64_t, double> &table, uint64_t key) {
  return table.find(key);
}
std::size_t crowding(const Table<uint32_t, int> &table) {
  return table.longestRun();
}
