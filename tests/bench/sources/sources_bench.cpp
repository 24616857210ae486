// A large assembly file, from its text to all hints, over LLVM's assembler parser alone on the same text.
//
//   sources_bench FILE.s --cpu NAME [--rounds N]
//
// Each round measures both, one after the other, in this process; the medians and the process's peak memory are
// printed.
#include "analysis/job/analyzer.h"
#include "lsp/wording/findings.h"
#include "lsp/wording/hint.h"
#include "mca-core/target/target.h"

#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SourceMgr.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <sys/resource.h>

namespace {

using Clock = std::chrono::steady_clock;

constexpr const char *kTriple = "x86_64-linux-gnu";

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// LLVM's parser with a streamer that keeps nothing, as `llvm-mc -filetype=null` runs it.
double parseWithLlvm(const std::string &text, const mca::Target &target) {
  const Clock::time_point start = Clock::now();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text, "<input>"), {});
  llvm::MCContext context(target.triple(), &target.asmInfo(), &target.registers(), &target.subtarget(), &sources);
  const std::unique_ptr<llvm::MCObjectFileInfo> objectFile(
      target.backend().createMCObjectFileInfo(context, /*PIC=*/false));
  context.setObjectFileInfo(objectFile.get());
  const std::unique_ptr<llvm::MCStreamer> streamer(target.backend().createNullStreamer(context));
  const std::unique_ptr<llvm::MCAsmParser> parser(
      llvm::createMCAsmParser(sources, context, *streamer, target.asmInfo()));
  const std::unique_ptr<llvm::MCTargetAsmParser> targetParser(
      target.backend().createMCAsmParser(target.subtarget(), *parser, target.instructions(), llvm::MCTargetOptions()));
  parser->setTargetParser(*targetParser);
  if (parser->Run(/*NoInitialTextSection=*/false))
    std::fprintf(stderr, "LLVM's parser finds errors in the file\n");
  return secondsSince(start);
}

struct Analysis {
  double seconds = 0;
  analysis::wire::AnalysisResult result; ///< but for what the hints are made of
  size_t regions = 0;
  size_t labelBytes = 0;
};

Analysis analyse(const analysis::wire::AnalyzeRequest &request) {
  analysis::Analyzer analyzer; // nothing is kept from the round before
  const Clock::time_point start = Clock::now();
  Analysis done{.result = analyzer.run(request, {}, [](const analysis::wire::Progress &) {})};
  lsp::Analysis shown = lsp::Analysis::take(done.result, {});
  const lsp::Text text(request.text);
  lsp::wording::makeFindings(shown, text, 5);
  for (const auto &[line, loops] : lsp::wording::loopsByLine(shown, text, 0, text.lineCount() - 1))
    done.labelBytes += lsp::wording::hintLabel(loops).size();
  done.seconds = secondsSince(start);
  done.regions = shown.regions.size();
  return done;
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app("a large assembly file, from its text to all hints, over LLVM's assembler parser alone");
  std::string path, cpu = "skylake";
  unsigned rounds = 5;
  app.add_option("FILE", path, "The assembly file")->required()->check(CLI::ExistingFile);
  app.add_option("--cpu", cpu, "The CPU to model")->capture_default_str();
  app.add_option("--rounds", rounds, "Rounds to take the median of")->check(CLI::PositiveNumber)->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  analysis::wire::AnalyzeRequest request{.id = 1, .path = path, .text = text.str()};
  request.settings.cpu = cpu;
  request.settings.triple = kTriple;
  auto target = mca::Target::create({.triple = kTriple, .cpu = cpu, .features = ""});
  if (!target) {
    std::fprintf(stderr, "%s\n", target.message().c_str());
    return 1;
  }
  std::vector<double> parses, analyses, ratios;
  Analysis last;
  for (unsigned round = 0; round < rounds; ++round) {
    parses.push_back(parseWithLlvm(request.text, **target));
    Analysis done = analyse(request);
    analyses.push_back(done.seconds);
    ratios.push_back(done.seconds / parses.back());
    last = std::move(done);
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%s: %zu bytes, %u innermost loops, %u with a hint, %zu regions, labels of %zu bytes\n", path.c_str(),
              request.text.size(), last.result.coverage.loops, last.result.coverage.hinted, last.regions,
              last.labelBytes);
  std::printf(
      "LLVM's parser alone %.2f s, from text to hints %.2f s, ratio %.2f (medians of %u), peak memory %ld MiB\n",
      median(parses), median(analyses), median(ratios), rounds, usage.ru_maxrss / 1024);
  return 0;
}
