#include "analysis/common/counts.h"

namespace analysis {

std::string counted(size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string andMore(size_t all, size_t named) {
  return all > named ? " and " + std::to_string(all - named) + " more" : "";
}

} // namespace analysis
