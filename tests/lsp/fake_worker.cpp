// A worker for tests: it speaks the wire and does what the text of a request tells it to, line by line.
//
//   hint NAME         a marked region on this line, in 4 cycles or, where the name is a number, in so many: the hint of
//                     "hint 5" is "IPC 1.00 · 5.0 cyc"
//   warn MESSAGE      a finding on this line, and a related place on the first line
//   note TEXT         a note for the user
//   idle              notes whether it may work while it is idle
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
//   settings          a finding on this line, "CPU/COMPILER" of the settings
//   region CYCLES     a region of one iteration, whose name is "region"
//   head CYCLES       the region that the version in git HEAD has instead; without it nothing is compared with HEAD
//
// A simulation that the server has is not sent again. A document that is asked for says where, and repeats the text:
// the report of the first region, the rows of a listing, the instructions of a timeline. The only CPU is fake-cpu.
//
// It is a program of its own so that crashing, hanging and being killed are real.
#include "analysis/wire/codec.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

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
  /// The next message but those about idle work, which are heeded at once as they may come at any moment.
  std::optional<ToWorker> receive() {
    while (true) {
      if (const auto payload = frames_.next()) {
        const auto message = decodeToWorker(*payload);
        const auto *idle = message ? std::get_if<IdleWorkRequest>(&*message) : nullptr;
        if (!idle)
          return message;
        mayWorkIdly_ = idle->allowed;
        continue;
      }
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

  /// A region and what is simulated of it.
  struct Made {
    Region region;
    Simulation simulation;
  };

  void work(const AnalyzeRequest &request) {
    result_ = {};
    made_.clear();
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
    takeRegions(request.knownSimulations);
    for (const DocumentRequest &document : request.documents)
      result_.views.push_back(viewOf(document, request.text));
    sendBytes(encode(FromWorker(result_)));
    if (last_)
      _exit(0);
  }

  void takeRegions(std::vector<uint64_t> known) {
    for (auto &[region, simulation] : made_) {
      simulation.instructions = static_cast<uint32_t>(simulation.body.size());
      region.simulation = simulation.id = idOf(simulation);
      result_.regions.push_back(std::move(region));
      if (std::find(known.begin(), known.end(), simulation.id) != known.end())
        continue;
      known.push_back(simulation.id);
      result_.simulations.push_back(std::move(simulation));
    }
  }

  /// Another one for another content.
  static uint64_t idOf(const Simulation &simulation) {
    AnalysisResult content;
    content.simulations = {simulation};
    return std::hash<std::string>()(encode(FromWorker(content)));
  }

  /// Of a listing and a timeline the first row says where, and is no line of the text.
  static View viewOf(const DocumentRequest &document, const std::string &text) {
    const std::string content = "at " + std::to_string(document.offset) + "\n" + text;
    View view{.request = document};
    if (document.kind == DocumentKind::Report)
      view.reports = {{.region = 0, .text = content}};
    for (size_t begin = 0; document.kind != DocumentKind::Report && begin < content.size();) {
      const size_t end = std::min(content.find('\n', begin), content.size());
      const auto line = static_cast<uint32_t>(view.timeline.lines.size());
      view.timeline.instructions.push_back(content.substr(begin, end - begin));
      view.timeline.lines.push_back(line);
      view.timeline.rows.push_back({.instruction = line});
      view.listing.rows.push_back({.text = view.timeline.instructions.back(), .isLabel = true, .line = line});
      begin = end + 1;
    }
    return view;
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
      add(RegionKind::Marker, rest, at,
          !rest.empty() && std::isdigit(static_cast<unsigned char>(rest[0])) ? std::stod(rest) : 4);
    else if (name == "settings")
      result_.findings.push_back(
          {at, Severity::Information, "fake", request.settings.cpu + "/" + request.settings.compiler, {}});
    else if (name == (request.version == Version::Head ? "head" : "region"))
      addNumbers(rest, at), result_.head = request.version == Version::Head;
    else if (name == "warn")
      result_.findings.push_back({at, Severity::Warning, "fake", rest, {{"", {0, 1}, 0, "the first line"}}});
    else if (name == "loop")
      addLoop(rest, {at.begin, static_cast<uint32_t>(request.text.size())});
    else if (name == "op" && !made_.empty())
      addOperation(rest, at);
    else if (name == "note")
      result_.notes.push_back(rest);
    else if (name == "idle")
      result_.notes.emplace_back(mayWorkIdly_ ? "may" : "may not");
    else if (name == "step")
      step(Stage::Simulating, rest, at);
    else if (name == "compile")
      step(Stage::Compiling, rest, at);
    else
      misbehave(name, rest);
  }

  Simulation &add(RegionKind kind, const std::string &name, ByteRange at, double cycles) {
    const auto loop = static_cast<uint32_t>(made_.size());
    made_.push_back({{.name = name, .kind = kind, .at = at, .anchor = at.begin, .loop = loop},
                     {.cyclesPerIteration = cycles, .ipc = 1}});
    return made_.back().simulation;
  }

  void addNumbers(const std::string &cycles, ByteRange at) {
    add(RegionKind::Snippet, "region", at, std::stod(cycles)).otherCpus = {{}};
  }

  void addLoop(const std::string &name, ByteRange at) {
    add(RegionKind::Loop, name, at, 4).pressure = {{"FakePort0", 2}};
  }

  void addOperation(const std::string &text, ByteRange at) {
    auto &[region, simulation] = made_.back();
    const auto position = static_cast<uint32_t>(simulation.body.size());
    InstructionDetails &added = simulation.body.emplace_back();
    added = {.text = text, .microOps = 1, .latency = 4, .reciprocalThroughput = 1};
    added.pressure = {{"FakePort0", 2}};
    added.loads = text.starts_with("load");
    if (position > 0)
      added.needs = {position - 1};
    simulation.chain = {{.instruction = position, .reg = "r0", .cycles = 4, .iterations = 1}};
    simulation.chainCycles = 4;
    region.places.push_back(at);
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
  std::vector<Made> made_; ///< the regions of the result
  bool mayWorkIdly_ = true;
  bool last_ = false; ///< no further request is taken
};

} // namespace

int main(int argc, char **argv) {
  for (int i = 1; i + 1 < argc; ++i)
    if (std::strcmp(argv[i], "--fd") == 0)
      return FakeWorker(std::atoi(argv[i + 1])).run();
  return 2;
}
