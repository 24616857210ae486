#include "analysis/import/import.h"

#include "analysis/files/regular_file.h"
#include "analysis/import/line_feed.h"
#include "analysis/import/qemu.h"
#include "analysis/import/trace_writer.h"
#include "mca-core/program/encoded_sizes.h"
#include "mca-core/target/input_file.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstring>

namespace analysis {
namespace {

using mca::Failure;
using mca::Result;

constexpr uint64_t kMaxAssemblyBytes = uint64_t{256} << 20;
constexpr llvm::StringLiteral kStandardOutput = "-"; // writeToOutput()'s name for it

/// The program and its text, ready to follow a recording.
class TraceImporter {
public:
  TraceImporter(const ImportRequest &request, const ImportMessages &note, const ImportMessages &progress)
      : request_(request), note_(note), progress_(progress) {}

  /// Reads everything but the recording. Returns why that failed, or an empty text.
  std::string prepare() {
    auto image = ProgramImage::open(request_.program);
    if (!image)
      return image.message();
    image_ = std::move(*image);
    if (std::string error = readAssembly(); !error.empty())
      return error;
    auto assembled = AssembledText::assemble(*target_, *text_);
    if (!assembled)
      return request_.assembly + ": " + assembled.message();
    branches_ = std::make_unique<mca::ProgramBranches>(*target_, *text_);
    placement_ = std::make_unique<Placement>(*branches_, *text_, **assembled, *image_);
    std::set<uint32_t> chosen;
    if (std::string error = chooseFunctions(chosen); !error.empty())
      return error;
    recorder_ = std::make_unique<BranchRecorder>(*text_, *branches_, *placement_, *image_, std::move(chosen));
    return checkOutput();
  }

  const ProgramImage &image() const { return *image_; }
  bool writesToStandardOutput() const { return output_ == kStandardOutput; }
  /// Whether the traces have reached their limit.
  bool isFull() const { return recorder_->isTruncated(); }

  /// Reads a recording from a descriptor. With `stopsWhenFull`, only until the traces have reached their limit.
  std::string read(int descriptor, bool stopsWhenFull) {
    const std::unique_ptr<RecordingReader> reader = createReader(request_.kind);
    if (!reader)
      return "'" + request_.kind + "' is no kind of recording: expected " + std::string(kRecordingKinds);
    if (reader->hasFileAddresses())
      recorder_->useFileAddresses();
    constexpr uint64_t kProgressBytes = 64u << 20;
    uint64_t next = kProgressBytes;
    const auto onChunk = [&](uint64_t bytes) {
      if (bytes >= next) {
        progress_("read " + std::to_string(bytes >> 20) + " MiB");
        next = bytes + kProgressBytes;
      }
      return !stopsWhenFull || !isFull();
    };
    const auto error = feedLines(descriptor, *reader, *recorder_, onChunk);
    if (!error)
      return {};
    const std::string column = error->column ? ":" + std::to_string(error->column) : "";
    const std::string place = error->line ? ":" + std::to_string(error->line) + column : "";
    return request_.recording + place + ": " + error->message;
  }

  /// Writes the trace. Returns its path.
  Result<std::string> write() {
    if (!recorder_->isLocated())
      return Failure{"the recording does not reach the text's functions in " + request_.program +
                     "; does it belong to this program, and does it say where the program was loaded (qemu: `-d "
                     "exec,nochain,page`, perf: --show-mmap-events)?"};
    auto written = writeTrace(*recorder_, {request_.kind, request_.assembly, request_.program, image_->buildId()},
                              *text_, *branches_, mca::encodedSizes(*target_, *text_));
    if (!written)
      return Failure{written.message()};
    const auto fill = [&](llvm::raw_ostream &out) {
      out << written->text;
      return llvm::Error::success();
    };
    if (llvm::Error error = llvm::writeToOutput(output_, fill))
      return Failure{output_ + ": " + llvm::toString(std::move(error))};
    llvm::outs().flush();
    if (const std::error_code error = llvm::outs().error()) {
      llvm::outs().clear_error(); // the program's end would report it again
      return Failure{"standard output: " + error.message()};
    }
    if (written->isTruncated)
      note_("the traces end where they reached their limit; the edges count what was recorded");
    return output_;
  }

private:
  std::string readAssembly() {
    std::string assembly = request_.text;
    if (assembly.empty()) {
      RegularFile file = readRegularFile(request_.assembly, kMaxAssemblyBytes);
      if (!file.isRead())
        return request_.assembly + ": " + file.failure;
      assembly = std::move(file.text);
    }
    mca::TargetSelection selection = request_.target;
    if (selection.triple.empty())
      selection.triple = image_->triple();
    if (selection.cpu.empty())
      selection.literal = true;
    // What the code may use: AArch64's files don't say it.
    if (selection.features.empty())
      selection.features = llvm::Triple(selection.triple).isAArch64() ? "+all" : image_->features();
    auto target = mca::Target::create(selection);
    if (!target)
      return target.message();
    target_ = std::move(*target);
    text_ = mca::Program::parse(std::move(assembly), *target_, {.files = mca::regularFiles(kMaxAssemblyBytes)});
    return {};
  }

  /// The functions of the request. Those that the program does not have as they are in the text are an error if they
  /// were named, and a note otherwise.
  std::string chooseFunctions(std::set<uint32_t> &chosen) const {
    const auto functions = branches_->functions();
    for (const std::string &name : request_.functions) {
      const uint32_t place = branches_->placeOf(name);
      const uint32_t function = place == mca::kNone ? mca::kNone : branches_->functionOf(place);
      if (function == mca::kNone || functions[function].entry != place)
        return request_.assembly + ": the text has no function `" + name + "`";
      if (!placement_->refusal(function).empty())
        return "`" + name + "`: " + placement_->refusal(function);
      chosen.insert(function);
    }
    for (uint32_t i = 0; i < functions.size() && request_.functions.empty(); ++i)
      if (!placement_->refusal(i).empty() && !functions[i].name.empty())
        note_("`" + std::string(functions[i].name) + "` is left out: " + placement_->refusal(i));
    return placement_->isEmpty() ? request_.program + ": no function of the text is in the program" : std::string();
  }

  /// A file that is no trace is never overwritten: the name may be a mistake.
  std::string checkOutput() {
    output_ = request_.output.empty() ? request_.assembly + ".mcatrace" : request_.output;
    // As a path it would be replaced by a file.
    if (output_ == "/dev/stdout")
      output_ = kStandardOutput;
    if (writesToStandardOutput())
      return {};
    if (llvm::sys::fs::exists(output_) && !llvm::sys::fs::is_regular_file(output_))
      return {}; // it holds nothing that could be lost, and reading a FIFO would block
    const auto old = llvm::MemoryBuffer::getFileSlice(output_, /*MapSize=*/9, /*Offset=*/0);
    if (!old)
      return old.getError() == std::errc::no_such_file_or_directory ? "" : output_ + ": " + old.getError().message();
    const bool isTrace = (*old)->getBufferSize() == 0 || (*old)->getBuffer().starts_with("mcatrace");
    return isTrace ? "" : output_ + ": the file exists and is no trace; it is not overwritten";
  }

  const ImportRequest &request_;
  const ImportMessages &note_;
  const ImportMessages &progress_;
  std::unique_ptr<ProgramImage> image_;
  std::unique_ptr<mca::Target> target_;
  std::unique_ptr<mca::Program> text_;
  std::unique_ptr<mca::ProgramBranches> branches_;
  std::unique_ptr<Placement> placement_;
  std::unique_ptr<BranchRecorder> recorder_;
  std::string output_;
};

} // namespace

Result<std::string> importTrace(const ImportRequest &request, const ImportMessages &note,
                                const ImportMessages &progress) {
  TraceImporter importer(request, note, progress);
  if (std::string error = importer.prepare(); !error.empty())
    return Failure{std::move(error)};
  FileDescriptor file;
  if (request.recording != "-") {
    // Of any size, since it is read piece by piece. A pipe is what "-" is for: a FIFO might never be written.
    OpenRegularFile opened = openRegularFile(request.recording, /*maxBytes=*/~uint64_t{0});
    if (!opened.failure.empty())
      return Failure{request.recording + ": " + opened.failure};
    file = std::move(opened.descriptor);
  }
  if (std::string error = importer.read(file.open() ? file.get() : STDIN_FILENO, /*stopsWhenFull=*/false);
      !error.empty())
    return Failure{std::move(error)};
  return importer.write();
}

Result<std::string> recordTrace(ImportRequest request, const ImportMessages &note, const ImportMessages &progress) {
  request.kind = "qemu";
  request.recording = "qemu's log";
  std::string &command = request.command.front();
  const auto found = llvm::sys::findProgramByName(command);
  if (!found)
    return Failure{command + ": " + found.getError().message()};
  command = *found;
  if (request.program.empty())
    request.program = command;
  TraceImporter importer(request, note, progress);
  if (std::string error = importer.prepare(); !error.empty())
    return Failure{std::move(error)};
  auto emulator = Emulator::start(importer.image().triple(), request.command,
                                  importer.writesToStandardOutput() ? STDERR_FILENO : STDOUT_FILENO);
  if (!emulator)
    return Failure{emulator.message()};
  if (std::string error = importer.read((*emulator)->log(), /*stopsWhenFull=*/true); !error.empty())
    return Failure{std::move(error)};
  if (importer.isFull())
    note("the command was stopped, because the traces have reached their limit");
  else if (const std::string end = (*emulator)->wait(); !end.empty())
    note("the command " + end);
  emulator->reset();
  return importer.write();
}

} // namespace analysis
