// What a reader makes of a text: the calls of its sink, one line each, and the error.
#pragma once

#include "analysis/import/branch_records.h"

#include <functional>
#include <gtest/gtest.h>
#include <sstream>

namespace analysis {

using CreateReader = std::unique_ptr<RecordingReader> (*)();

class RecordingSink final : public BranchSink {
public:
  RecordingSink() { out_ << std::hex; }

  void map(const MappedSegment &segment) override {
    out_ << "map " << segment.address << " " << segment.size << " " << segment.fileOffset << " " << segment.path
         << "\n";
  }
  void thread(uint64_t number) override { out_ << "thread " << std::dec << number << std::hex << "\n"; }
  void symbol(uint64_t address, std::string_view name) override { out_ << "symbol " << address << " " << name << "\n"; }
  void visit(uint64_t address) override { out_ << "visit " << address << "\n"; }
  void taken(uint64_t from, uint64_t to, Predicted predicted) override {
    out_ << "taken " << from << " " << to << nameOf(predicted) << "\n";
  }
  void notTaken(uint64_t from, Predicted predicted) override { out_ << "not " << from << nameOf(predicted) << "\n"; }
  void gap() override { out_ << "gap\n"; }
  void edge(uint64_t from, uint64_t to, uint64_t count, std::optional<uint64_t> mispredictions) override {
    out_ << "edge " << from << " " << to << " " << std::dec << count;
    if (mispredictions)
      out_ << " m " << *mispredictions;
    out_ << std::hex << "\n";
  }
  void run(uint64_t begin, uint64_t last, uint64_t count) override {
    out_ << "run " << begin << " " << last << " " << std::dec << count << std::hex << "\n";
  }
  void line(std::string_view file, std::string_view function, uint32_t line, uint64_t count) override {
    out_ << "line " << file << ":" << std::dec << line << " " << function << " " << count << std::hex << "\n";
  }

  std::string text() const { return out_.str(); }

private:
  static const char *nameOf(Predicted predicted) {
    return predicted == Predicted::Right ? " right" : predicted == Predicted::Wrong ? " wrong" : "";
  }

  std::ostringstream out_;
};

/// One line for each call of the sink, with addresses in hexadecimal and counts in decimal. Then, if there is one, the
/// error: "2:5: message", or "2: message" and "message" without a column or a line.
inline std::string recorded(CreateReader create, std::string_view text) {
  RecordingSink sink;
  const auto reader = create();
  std::optional<ImportError> error;
  while (!text.empty() && !error) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    error = reader->read(line, sink);
    EXPECT_TRUE(!error || error->column <= line.size() + 1) << line;
  }
  if (!error)
    error = reader->finish(sink);
  if (!error)
    return sink.text();
  std::string place = error->line ? std::to_string(error->line) + ":" : "";
  place += error->column ? std::to_string(error->column) + ": " : error->line ? " " : "";
  return sink.text() + place + error->message;
}

/// Reads a valid text with a part cut out or a byte changed, in a few hundred ways. Whatever comes of it, it must come
/// to an end, and the place of an error must lie in its line.
inline void readDamaged(CreateReader create, const std::string &text) {
  ASSERT_FALSE(text.empty());
  uint32_t random = 1;
  const auto next = [&](size_t limit) {
    random = random * 1664525 + 1013904223; // Numerical Recipes' generator: the same on every machine
    return (random >> 8) % limit;
  };
  for (int i = 0; i < 200; ++i) {
    recorded(create, text.substr(0, next(text.size())));
    std::string damaged = text;
    damaged.erase(next(text.size()), 1 + next(8));
    recorded(create, damaged);
    damaged = text;
    static constexpr std::string_view kBytes("\0\xff \n09f-+*/:=()[]{}\",", 22);
    damaged[next(text.size())] = kBytes[next(kBytes.size())];
    recorded(create, damaged);
    damaged = text;
    damaged.insert(next(text.size()), std::string(1 + next(40), kBytes[next(kBytes.size())]));
    recorded(create, damaged);
  }
}

} // namespace analysis
