// What the importers of recordings have in common: a reader takes the lines of one format and tells a sink what they
// say, in their order. Readers know nothing of programs or traces; the sink maps addresses and writes the trace.
//
// Recordings are hostile input, of any length: readers keep memory in proportion to what a line may hold, not to the
// length of the recording.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace analysis {

/// Where in a file of a recording something is wrong.
struct ImportError {
  uint64_t line = 0;   ///< 1-based; 0: the file as a whole
  uint32_t column = 0; ///< 1-based, in bytes; 0: the line as a whole
  std::string message; ///< for the user, without a trailing full stop
};

/// A piece of a program's file that was mapped into memory during the recording.
struct MappedSegment {
  uint64_t address = 0;
  uint64_t size = 0; ///< in bytes
  uint64_t fileOffset = 0;
  std::string path;
};

enum class Predicted : uint8_t { Unknown, Right, Wrong };

/// Takes what a recording says, in its order. Addresses are those of the recording's process, unless the reader
/// hasFileAddresses().
class BranchSink {
public:
  virtual ~BranchSink() = default;
  /// With `size` 0 and no path, only this is known: the program's lowest segment with code begins at `address`.
  virtual void map(const MappedSegment &segment) = 0;
  /// What follows belongs to this thread, until another one is named. The first is 0.
  virtual void thread(uint64_t) {}
  /// The function of the program that holds an address, as the recording names it. Comes before the address's visit().
  virtual void symbol(uint64_t, std::string_view) {}
  /// Execution reached this address, after everything before it since the last gap (qemu: the start of a block).
  virtual void visit(uint64_t address) = 0;
  /// A taken branch in order; everything between the last target and `from` executed without a taken branch.
  virtual void taken(uint64_t from, uint64_t to, Predicted predicted) = 0;
  /// A conditional branch that was not taken, in order.
  virtual void notTaken(uint64_t from, Predicted predicted) = 0;
  /// What follows does not continue what came before.
  virtual void gap() = 0;
  /// A count without order. `mispredictions` is empty if unknown.
  virtual void edge(uint64_t from, uint64_t to, uint64_t count, std::optional<uint64_t> mispredictions) = 0;
  /// The straight line from `begin` to the instruction at `last`, both included, executed `count` times.
  virtual void run(uint64_t begin, uint64_t last, uint64_t count) = 0;
  /// How often an instruction executed, as a profiler counted it. What follows from edges and runs is not repeated.
  virtual void executed(uint64_t, uint64_t /*count*/) {}
  /// Instructions that were executed outside of the recorded program.
  virtual void executedElsewhere(uint64_t /*count*/) {}
  /// The two ways of the only condition of a source line, and how often each was gone.
  virtual void condition(std::string_view /*file*/, std::string_view /*function*/, uint32_t /*line*/, uint64_t /*one*/,
                         uint64_t /*other*/) {}
  /// How often a function was called, by the linker's name.
  virtual void called(std::string_view /*function*/, uint64_t /*count*/) {}
  /// How often a source line executed.
  virtual void line(std::string_view file, std::string_view function, uint32_t line, uint64_t count) = 0;
};

/// Takes nothing of a recording: for those who want little of it.
class NoBranches : public BranchSink {
public:
  void map(const MappedSegment &) override {}
  void visit(uint64_t) override {}
  void taken(uint64_t, uint64_t, Predicted) override {}
  void notTaken(uint64_t, Predicted) override {}
  void gap() override {}
  void edge(uint64_t, uint64_t, uint64_t, std::optional<uint64_t>) override {}
  void run(uint64_t, uint64_t, uint64_t) override {}
  void line(std::string_view, std::string_view, uint32_t, uint64_t) override {}
};

/// Reads a recording from its text, line by line, in bounded memory. There is one for each format.
class RecordingReader {
public:
  virtual ~RecordingReader() = default;
  /// Takes the next line, without its end. Returns an error to stop.
  virtual std::optional<ImportError> read(std::string_view line, BranchSink &sink) = 0;
  virtual std::optional<ImportError> finish(BranchSink &) { return {}; }
  /// Whether addresses are those of the program's file, wherever it ran. So they are if the format has none.
  virtual bool hasFileAddresses() const { return false; }
};

/// The names of the readers, for messages.
inline constexpr std::string_view kRecordingKinds = "qemu, perf, perf-trace, callgrind, bolt, gcov";

/// By the name on the command line. Null for another name.
std::unique_ptr<RecordingReader> createReader(std::string_view kind);

} // namespace analysis
