// Writes down what a reader of a profile tells: a line for each place.
#pragma once

#include "analysis/process/file_descriptor.h"
#include "analysis/process/process.h"
#include "analysis/profile/profile_records.h"

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace analysis {

class Recorded final : public ProfileSink {
public:
  void event(std::string_view name, ProfileUnit unit) override {
    lines_.insert(lines_.begin(), std::string(name) + " in " + std::string(nameOf(unit)));
  }
  void sampled(const RecordedPlace &place, const RecordedWeight &weight) override {
    std::ostringstream out;
    using By = RecordedPlace::By;
    if (place.by == By::Symbol)
      out << place.module << ": " << place.symbol << "+" << place.address;
    else if (place.by == By::FileOffset)
      out << place.module << "[" << place.address << "]" << (place.symbol.empty() ? "" : " in ") << place.symbol;
    else if (place.by == By::Line)
      out << place.module << ": " << place.symbol << " at " << place.source << ":" << place.line;
    else
      out << (place.by == By::Kernel ? "kernel" : place.by == By::Unknown ? "unknown" : std::string(place.module));
    if (place.inPage)
      out << " @" << *place.inPage;
    out << " = " << weight.weight << " in " << weight.samples;
    lines_.push_back(out.str());
  }
  void build(std::string_view module, std::string_view id) override {
    lines_.push_back("build " + std::string(module) + " " + std::string(id));
  }
  void note(std::string text) override { lines_.push_back("note: " + text); }

  std::string text() {
    std::sort(lines_.begin() + !lines_.empty(), lines_.end()); // places come in no order
    std::string all;
    for (const std::string &line : lines_)
      all += line + "\n";
    return all;
  }

private:
  std::vector<std::string> lines_;
};

/// The event and the places that a reader finds in a recording, or its error: "LINE:COLUMN: reason".
inline std::string recordedIn(std::string_view recording, const std::unique_ptr<ProfileReader> &reader) {
  const FileDescriptor file = inputFile(recording);
  Recorded sink;
  const auto error = reader->read(file.get(), sink, [](uint64_t) { return true; });
  if (error)
    return std::to_string(error->line) + ":" + std::to_string(error->column) + ": " + error->message;
  return sink.text();
}

} // namespace analysis
