// A fuzzer's short form, for builds without libFuzzer: each file of the folders, and variations of them that are the
// same in each run. No coverage guides it; ./dev fuzz has that. When an input ends or hangs the process, it prints the
// file that the input is or was made of.
//
//   fuzz_NAME_replay SECONDS FOLDER...
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <span>
#include <string>
#include <unistd.h>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace {

using Random = std::mt19937;
using Clock = std::chrono::steady_clock;

/// The same on every machine, unlike the standard's distributions. `limit` is not 0.
size_t below(Random &random, size_t limit) {
  return random() % limit;
}

struct Seed {
  std::string path;
  std::string text;
};

/// In the order of their paths.
void readFiles(const std::filesystem::path &folder, std::vector<Seed> &seeds) {
  std::vector<std::filesystem::path> paths;
  for (const auto &entry : std::filesystem::directory_iterator(folder))
    paths.push_back(entry.path());
  std::ranges::sort(paths);
  for (const std::filesystem::path &path : paths) {
    std::ifstream file(path, std::ios::binary);
    seeds.push_back({path.string(), std::string(std::istreambuf_iterator(file), std::istreambuf_iterator<char>())});
  }
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

/// The input under way: its bytes, the file that they are or were made of, and which of the two.
struct Input {
  const std::string *text;
  const char *seed;
  bool isVaried;
};
const Input *current = nullptr;

/// One input may take this long. It ends the process before ctest does, which would not say which input it was.
constexpr unsigned kInputSeconds = 60;

/// Keeps the input that ends the process, and says where it is from.
void reportInput() {
  if (!current)
    return;
  const char *const what = current->isVaried ? "a variation of the seed" : "the seed";
  std::fprintf(stderr, "\nFAILED: %s %s\n", what, current->seed);
  constexpr const char *kFile = "failed-input";
  if (std::FILE *const file = std::fopen(kFile, "wb")) {
    std::fwrite(current->text->data(), 1, current->text->size(), file);
    std::fclose(file);
    std::fprintf(stderr, "the input is in the file %s\n", kFile);
  }
}

void reportSignal(int signal) {
  if (signal == SIGALRM)
    std::fprintf(stderr, "an input takes more than %u s\n", kInputSeconds);
  reportInput();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// The handler has a separate stack: recursion may have filled the other. A sanitizer's handler stays.
void reportFailures() {
  static std::array<char, 1 << 16> stack;
  const stack_t alternative = {.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
  sigaltstack(&alternative, nullptr);
  struct sigaction action = {};
  action.sa_handler = reportSignal;
  action.sa_flags = SA_ONSTACK;
  for (const int signal : {SIGABRT, SIGALRM, SIGBUS, SIGFPE, SIGILL, SIGSEGV}) {
    struct sigaction present = {};
    sigaction(signal, nullptr, &present);
    if (present.sa_handler == SIG_DFL)
      sigaction(signal, &action, nullptr);
  }
  std::atexit(reportInput);
}

void run(const Seed &seed, const std::string &text, bool isVaried) {
  const Input input{&text, seed.path.c_str(), isVaried};
  current = &input;
  alarm(kInputSeconds);
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(text.data()), text.size());
  current = nullptr;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3)
    return std::fputs("usage: fuzz_NAME_replay SECONDS FOLDER...\n", stderr), EXIT_FAILURE;
  const auto end = Clock::now() + std::chrono::seconds(std::atoi(argv[1]));
  std::vector<Seed> seeds;
  for (const char *const folder : std::span(argv, argc).subspan(2))
    readFiles(folder, seeds);
  if (seeds.empty())
    return std::fputs("there are no seeds\n", stderr), EXIT_FAILURE;
  reportFailures();
  for (const Seed &seed : seeds)
    run(seed, seed.text, false);
  Random random(1);
  size_t count = 0;
  for (; Clock::now() < end; ++count) {
    const Seed &seed = seeds[count % seeds.size()];
    std::string text = seed.text;
    for (size_t changes = 1 + below(random, 4); changes > 0; --changes)
      vary(text, seeds[below(random, seeds.size())].text, random);
    run(seed, text, true);
  }
  std::printf("%zu seeds and %zu variations\n", seeds.size(), count);
  return EXIT_SUCCESS;
}
