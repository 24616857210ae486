// A fuzzer's short form, for builds without libFuzzer: each file of its seeds, and variations of them that are the same
// in each run. No coverage guides it; ./dev fuzz has that.
//
//   fuzz_NAME_replay SECONDS FOLDER
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace {

using Random = std::mt19937;
using Clock = std::chrono::steady_clock;

/// The same on every machine, unlike the standard's distributions. `limit` is not 0.
size_t below(Random &random, size_t limit) {
  return random() % limit;
}

std::vector<std::string> readFiles(const std::filesystem::path &folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto &entry : std::filesystem::directory_iterator(folder))
    paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<std::string> texts;
  for (const std::filesystem::path &path : paths) {
    std::ifstream file(path, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator(file), std::istreambuf_iterator<char>());
  }
  return texts;
}

/// One change: a byte, a cut, a repetition, or a part of another text.
void vary(std::string &text, const std::string &other, Random &random) {
  const size_t at = below(random, text.size() + 1), length = below(random, 1 + text.size() - at);
  switch (below(random, 5)) {
  case 0:
    if (at < text.size())
      text[at] = static_cast<char>(random());
    break;
  case 1:
    if (at < text.size())
      text[at] = static_cast<char>(text[at] ^ (1 << below(random, 8)));
    break;
  case 2:
    text.erase(at, length);
    break;
  case 3:
    text.insert(at, text.substr(at, std::min<size_t>(length, 64)));
    break;
  default:
    text.insert(at, other.substr(below(random, other.size() + 1), 64));
    break;
  }
}

const std::string *current = nullptr; ///< the input under way

/// Keeps the input of a process that aborts.
void keepInput(int) {
  constexpr const char *kFile = "failed-input";
  if (std::FILE *const file = std::fopen(kFile, "wb")) {
    std::fwrite(current->data(), 1, current->size(), file);
    std::fclose(file);
    std::fprintf(stderr, "the input is in the file %s\n", kFile);
  }
}

void run(const std::string &text) {
  current = &text;
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(text.data()), text.size());
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3)
    return std::fputs("usage: fuzz_NAME_replay SECONDS FOLDER\n", stderr), EXIT_FAILURE;
  std::signal(SIGABRT, keepInput);
  const auto end = Clock::now() + std::chrono::seconds(std::atoi(argv[1]));
  const std::vector<std::string> seeds = readFiles(argv[2]);
  if (seeds.empty())
    return std::fputs("there are no seeds\n", stderr), EXIT_FAILURE;
  std::ranges::for_each(seeds, run);
  Random random(1);
  size_t count = 0;
  for (; Clock::now() < end; ++count) {
    std::string text = seeds[count % seeds.size()];
    for (size_t changes = 1 + below(random, 4); changes > 0; --changes)
      vary(text, seeds[below(random, seeds.size())], random);
    run(text);
  }
  std::printf("%zu seeds and %zu variations\n", seeds.size(), count);
  return EXIT_SUCCESS;
}
