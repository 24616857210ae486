// An Analyzer that does what the text of the request says: `wait`, `spin`, `compile`, `allocate`, `crash`,
// `recurse`, `deep`, `fatal`, `warn`, `assert`, `flood`; any other text comes back.
#include "analysis/compile/compile.h"
#include "analysis/job/analyzer.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/WithColor.h"

#include <atomic>
#include <cassert>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace analysis {

struct Analyzer::State {
  int runs = 0;
};

namespace {

using namespace std::chrono_literals;

void waitFor(const std::stop_token &stop) {
  while (!stop.stop_requested())
    std::this_thread::sleep_for(1ms);
}

void spin() {
  std::atomic<bool> goesOn = true;
  while (goesOn) {
  }
}

/// Touches what it takes, in blocks as LLVM's allocators take them.
[[noreturn]] void allocate() {
  while (true)
    memset(::operator new(1 << 20), 1, 1 << 20);
}

/// Takes 4 KiB of stack for each level; that each level knows the one above keeps it from becoming a loop.
int recurse(int levels, const volatile char *above) {
  volatile char frame[4096];
  frame[0] = above ? above[0] : '\0';
  return frame[0] + (levels > 0 ? recurse(levels - 1, frame) : 0);
}

} // namespace

Analyzer::Analyzer(size_t, const wire::CompileLimits &) : state_(std::make_unique<State>()) {}
Analyzer::~Analyzer() = default;

void Analyzer::prepare() {}
void Analyzer::makePreambles(const std::stop_token &) {}
void Analyzer::releaseIdleCompiler() {}

wire::CpusResult Analyzer::run(const wire::CpusRequest &request) {
  return {request.id, request.triple, {{"fake", wire::CpuModel::Own}}};
}

wire::AnalysisResult Analyzer::run(const wire::AnalyzeRequest &request, std::stop_token stop,
                                   const ProgressSink &progress) {
  wire::AnalysisResult result;
  result.id = request.id;
  progress({request.id, wire::Stage::Parsing, request.text, {}, 0, 1});
  if (request.text == "wait")
    waitFor(stop);
  else if (request.text == "spin")
    spin();
  else if (request.text == "compile")
    result.notes.push_back(compile(findCompileCommand(request.path, request.language, request.settings), stop).failure);
  else if (request.text == "allocate")
    allocate();
  else if (request.text == "crash")
    std::abort();
  else if (request.text == "recurse")
    result.analysisMicros = static_cast<uint64_t>(recurse(1'000'000, nullptr));
  else if (request.text == "deep")
    result.analysisMicros = static_cast<uint64_t>(recurse(10'000, nullptr));
  else if (request.text == "warn")
    llvm::WithColor::warning() << "a library's\n";
  else if (request.text == "assert")
    assert(request.text.empty());
  else if (request.text == "fatal")
    llvm::report_fatal_error("the reason");
  else if (request.text == "flood")
    for (uint32_t i = 0; i < 20'000; ++i)
      progress({request.id, wire::Stage::Simulating, std::string(100, 'x'), {}, i, 20'000});
  result.notes.push_back(request.text);
  result.notes.push_back(std::to_string(++state_->runs));
  result.status = stop.stop_requested() ? wire::Status::Cancelled : wire::Status::Finished;
  return result;
}

} // namespace analysis
