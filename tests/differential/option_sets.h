// The option sets that both programs are run with: each option of llvm-mca's Tool and View groups alone, and random
// combinations of them, the same in every run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace differential {

using Options = std::vector<std::string>;

/// Every option alone, in each of its values and with its bounds; the first set is empty.
const std::vector<Options> &singleOptions();

/// Two to seven of them; the same `seed` gives the same set.
Options randomOptions(uint32_t seed);

} // namespace differential
