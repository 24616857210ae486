// A worker for tests: it speaks the wire and does what the text of a request tells it to, line by line.
//
//   hint LABEL        an inlay hint at this line
//   warn MESSAGE      a finding on this line, and a related place on the first line
//   hover TEXT        a hover over this line
//   note TEXT         a note for the user
//   step WHAT         says that it works on this line
//   crash             dies of a signal
//   crash-once FILE   dies of a signal unless FILE exists, and creates it
//   exit STATUS       ends with a status
//   last              ends after the answer
//   nonsense          sends bytes that are no frame
//   hang              works until it is cancelled
//   deaf              sleeps for ever
//   spin              works for ever
//   compile           says that it compiles
//   sleep MS          sleeps
//   child FILE        starts a child that sleeps, and writes its number to FILE
//   loop NAME         a loop of the instructions below, in 4 cycles; the last of them is its chain
//   op TEXT           an instruction of the region on this line, which needs the one before it
//   settings          a hint with the CPU and the compiler of the settings
//   region CYCLES     a region of one iteration
//   head CYCLES       the region that the version in git HEAD has; without it there is none
//   before            a hint with what the request compares with, "the last save 4, git HEAD 6"
//
// A document that is asked for says where, and repeats the text. The only CPU is fake-cpu.
//
// It is a program of its own so that crashing, hanging and being killed are real.
#include "analysis/wire/codec.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>

namespace {

using namespace analysis::wire;

class FakeWorker {
public:
  explicit FakeWorker(int fd) : fd_(fd) {}

  int run() {
    while (const auto message = receive())
      if (const auto *request = std::get_if<AnalyzeRequest>(&*message))
        work(*request);
      else if (const auto *cpus = std::get_if<CpusRequest>(&*message))
        sendBytes(encode(FromWorker(CpusResult{cpus->id, "fake-triple", {{"fake-cpu", CpuModel::Own}}})));
    return 0;
  }

private:
  std::optional<ToWorker> receive() {
    while (true) {
      if (const auto payload = frames_.next())
        return decodeToWorker(*payload);
      char chunk[65536];
      const ssize_t count = read(fd_, chunk, sizeof chunk);
      if (count <= 0)
        return std::nullopt;
      frames_.feed({chunk, static_cast<size_t>(count)});
    }
  }

  void sendBytes(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = write(fd_, bytes.data(), bytes.size());
      if (count <= 0)
        _exit(1);
      bytes.remove_prefix(static_cast<size_t>(count));
    }
  }

  void work(const AnalyzeRequest &request) {
    result_ = {};
    result_.id = request.id;
    result_.target = {"fake-triple", "fake-cpu", "", "set in a test", "fake-cpu's own model", ""};
    if (request.language != Language::Assembly)
      step(Stage::Compiling, request.path, {});
    uint32_t begin = 0;
    while (begin < request.text.size() && result_.status == Status::Finished) {
      const auto end = static_cast<uint32_t>(std::min(request.text.find('\n', begin), request.text.size()));
      command(request, {begin, end});
      begin = end + 1;
    }
    for (const DocumentRequest &document : request.documents)
      result_.documents.push_back({document, "at " + std::to_string(document.offset) + "\n" + request.text, {{0, 0}}});
    sendBytes(encode(FromWorker(result_)));
    if (last_)
      _exit(0);
  }

  void addRegion(const std::string &cycles, ByteRange at) {
    result_.regions.push_back(
        {.name = "region", .at = at, .line = 1, .cyclesPerIteration = std::stod(cycles), .otherCpus = {{}}});
  }

  void addBefore(const AnalyzeRequest &request, ByteRange at) {
    std::string label;
    for (const Baseline &before : request.before)
      for (const RegionNumbers &region : before.regions)
        label += (label.empty() ? "" : ", ") + before.name + " " + std::to_string(static_cast<int>(region.cycles));
    result_.hints.push_back({at.begin, {{label.empty() ? "nothing" : label, {}}}, {}});
  }

  void step(Stage stage, const std::string &what, ByteRange at) {
    sendBytes(encode(FromWorker(Progress{result_.id, stage, what, at, 0, 0})));
  }

  void command(const AnalyzeRequest &request, ByteRange at) {
    const std::string line = request.text.substr(at.begin, at.end - at.begin);
    const size_t space = std::min(line.find(' '), line.size());
    const std::string name = line.substr(0, space);
    const std::string rest = space < line.size() ? line.substr(space + 1) : "";
    if (name == "hint")
      result_.hints.push_back({at.begin, {{rest, {}}}, {{Block::Kind::Paragraph, "about " + rest}}});
    else if (name == "settings")
      result_.hints.push_back({at.begin, {{request.settings.cpu + "/" + request.settings.compiler, {}}}, {}});
    else if (name == (request.version == Version::Head ? "head" : "region"))
      addRegion(rest, at), result_.head = request.version == Version::Head;
    else if (name == "before")
      addBefore(request, at);
    else if (name == "warn")
      result_.findings.push_back({at, Severity::Warning, "fake", rest, {{"", {0, 1}, 0, "the first line"}}});
    else if (name == "hover")
      result_.hovers.push_back({at, {{Block::Kind::Paragraph, rest}}});
    else if (name == "loop")
      loop(rest, {at.begin, static_cast<uint32_t>(request.text.size())});
    else if (name == "op" && !result_.regions.empty())
      operation(rest, at);
    else if (name == "note")
      result_.notes.push_back(rest);
    else if (name == "step")
      step(Stage::Simulating, rest, at);
    else if (name == "compile")
      step(Stage::Compiling, rest, at);
    else
      misbehave(name, rest);
  }

  void loop(const std::string &name, ByteRange at) {
    RegionSummary &region = result_.regions.emplace_back();
    region.name = name;
    region.kind = RegionKind::Loop;
    region.at = at;
    region.cyclesPerIteration = 4;
    region.ipc = 1;
    region.pressure = {{"FakePort0", 2}};
  }

  void operation(const std::string &text, ByteRange at) {
    RegionSummary &region = result_.regions.back();
    const auto position = static_cast<uint32_t>(region.body.size());
    InstructionDetails &added = region.body.emplace_back();
    added = {.at = at, .text = text, .microOps = 1, .latency = 4, .reciprocalThroughput = 1};
    added.pressure = {{"FakePort0", 2}};
    added.loads = text.starts_with("load");
    if (position > 0)
      added.needs = {position - 1};
    region.chain = {position};
  }

  void misbehave(const std::string &name, const std::string &rest) {
    if (name == "crash" || (name == "crash-once" && access(rest.c_str(), F_OK) != 0)) {
      if (name == "crash-once")
        std::ofstream(rest) << "crashed\n";
      raise(SIGKILL);
    } else if (name == "exit") {
      _exit(std::atoi(rest.c_str()));
    } else if (name == "nonsense") {
      sendBytes(std::string("\x04\0\0\0\xff\xff\xff\xff", 8));
      pause();
    } else if (name == "hang") {
      receive();
      result_.status = Status::Cancelled;
    } else if (name == "deaf") {
      pause();
    } else if (name == "spin") {
      const volatile bool forever = true;
      while (forever) {
      }
    } else if (name == "sleep") {
      std::this_thread::sleep_for(std::chrono::milliseconds(std::stoi(rest)));
    } else if (name == "child") {
      startChild(rest);
    } else if (name == "last") {
      last_ = true;
    }
  }

  static void startChild(const std::string &file) {
    const pid_t child = fork();
    if (child == 0) {
      pause();
      _exit(0);
    }
    std::ofstream(file + ".new") << child << "\n";
    std::rename((file + ".new").c_str(), file.c_str());
  }

  int fd_;
  FrameSplitter frames_;
  AnalysisResult result_;
  bool last_ = false; ///< no further request is taken
};

} // namespace

int main(int argc, char **argv) {
  for (int i = 1; i + 1 < argc; ++i)
    if (std::strcmp(argv[i], "--fd") == 0)
      return FakeWorker(std::atoi(argv[i + 1])).run();
  return 2;
}
