// An assembly buffer of any bytes through the whole analysis, as the next text of a document whose last one was another
// input. The first byte chooses the CPU. Places that come out must lie inside the text, and what is known need not be
// sent again. With a large first byte, the result must be that of an analyzer that has seen nothing else.
//
// LLVM itself gives up on some input; that ends the worker and not the server, so such a find is LLVM's.
#include "analysis/job/analyzer.h"
#include "analysis/job/buffer_settings.h"
#include "analysis/wire/codec.h"
#include "lsp/wording/findings.h"
#include "tests/fuzz/llvm_crashes.h"
#include "tests/fuzz/property.h"

#include <array>
#include <cstdint>

namespace {

using namespace analysis;
using fuzz::require;

constexpr std::pair<const char *, const char *> kCpus[] = {
    {"x86_64-linux-gnu", "znver4"},          {"aarch64-linux-gnu", "neoverse-v2"}, {"riscv64-linux-gnu", "sifive-p670"},
    {"armv7-linux-gnueabihf", "cortex-a57"}, {"powerpc64le-linux-gnu", "pwr9"},    {"s390x-linux-gnu", "z16"}};

/// LLVM ends the process for many combinations of a triple, a CPU and features, such as an RV32 CPU with a 64-bit
/// triple.
bool choosesTarget(std::string_view text) {
  const TextLines lines(text);
  const BufferSettings settings = readBufferSettings(lines);
  return !settings.triple.empty() || !settings.cpu.empty() || !settings.features.empty();
}

void checkPlaces(const wire::AnalysisResult &result, size_t size) {
  const auto inside = [&](wire::ByteRange at) { return at.begin <= at.end && at.end <= size; };
  for (const wire::Finding &finding : result.findings)
    require(inside(finding.at));
  for (const wire::Region &region : result.regions) {
    require(inside(region.at) && region.anchor <= size);
    for (const wire::ByteRange place : region.places)
      require(inside(place));
  }
}

/// LLVM divides by the width of a vector's elements where an instrument gives only its length
/// (RISCVInstrumentManager::getSchedClassID), which ends the process. fuzz_assembly has such instruments.
bool hasLengthOfVectors(std::string_view text) {
  return text.find("RISCV-LMUL") != std::string_view::npos;
}

/// No result depends on what was analysed before.
void requireSameAnew(wire::AnalyzeRequest request, wire::AnalysisResult result) {
  request.knownSimulations.clear();
  wire::AnalysisResult anew = Analyzer().run(request, {}, [](const wire::Progress &) {});
  anew.analysisMicros = result.analysisMicros = 0;
  require(wire::encode(anew) == wire::encode(result));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  constexpr uint8_t kAnewFrom = 224; // a new analyzer takes as long as many analyses
  constexpr size_t kLongest = 4096;
  constexpr uint32_t kIterations = 2, kMostIterations = 100;
  if (size == 0 || size > kLongest)
    return 0;
  const std::string text(fuzz::textOf(data + 1, size - 1));
  if (fuzz::crashesLlvm(text) || choosesTarget(text) || hasLengthOfVectors(text) ||
      readBufferSettings(TextLines(text)).iterations > kMostIterations)
    return 0;
  static Analyzer analyzer;
  const auto &[triple, cpu] = kCpus[data[0] % std::size(kCpus)];
  wire::AnalyzeRequest request{.id = 1, .path = "/fuzz.s", .text = text};
  request.settings.triple = triple;
  request.settings.cpu = cpu;
  request.settings.iterations = kIterations;
  wire::AnalysisResult result = analyzer.run(request, {}, [](const wire::Progress &) {});
  for (const wire::Simulation &simulation : result.simulations)
    request.knownSimulations.push_back(simulation.id);
  const auto again = analyzer.run(request, {}, [](const wire::Progress &) {});
  require(again.regions == result.regions && again.simulations.empty());
  checkPlaces(result, text.size());
  if (data[0] >= kAnewFrom)
    requireSameAnew(request, result);
  lsp::Analysis analysis = lsp::Analysis::take(result, {});
  lsp::wording::makeFindings(analysis, lsp::Text(text), 5);
  for (const wire::Finding &finding : analysis.findings)
    require(finding.at.begin <= finding.at.end && finding.at.end <= text.size());
  return 0;
}
