// The workers of a run of --check: several files at a time, each worker behind a supervisor and a scheduler of its own
// as behind an editor, all of them on one event loop.
//
// Files are taken in their order and told in their order, however many workers there are and whichever ends first.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/check/check_document.h"
#include "lsp/jobs/worker_supervisor.h"
#include "lsp/workspace/configuration.h"
#include "lsp/workspace/text.h"

#include <boost/asio/io_context.hpp>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace lsp {

struct CheckRunOptions {
  std::vector<std::string> files;
  std::string folder;        ///< absolute: that of the run
  std::string projectFolder; ///< absolute: other files below it are analysed as parts of those that include them; empty
                             ///< for none
  std::function<bool(const std::string &name)> isExcluded; ///< of these
  analysis::wire::Settings settings;                       ///< those of the command line
  unsigned jobs = 1;                                       ///< workers, at least 1
  WorkerOptions worker;
};

/// What becomes of the files. Called on the thread of the event loop.
struct CheckRunEvents {
  /// Work on a file begins: the `number`th, from 1.
  std::function<void(size_t number, const std::string &name)> begun;
  /// A file is done, by one of its commands. What is returned goes to `printed` in its turn.
  std::function<std::string(protocol::CheckFile &file, const Text &text)> render;
  /// A file by each of its commands, each followed by the parts that were compiled with it, in the order of the files.
  /// `pages` are what was rendered, one for each but the parts: others may report of the same file.
  std::function<void(std::vector<protocol::CheckFile> files, std::vector<std::string> pages)> printed;
};

class CheckRun {
public:
  CheckRun(const CheckRunOptions &options, CheckRunEvents events);
  ~CheckRun();

  /// Returns when each file is printed.
  void run();
  /// A configuration file that counts for one of the files has an error.
  bool misconfigured() const { return misconfigured_; }

private:
  class Slot;
  struct Done {
    std::vector<protocol::CheckFile> files;
    std::vector<std::string> pages;
  };

  /// The place of the next file in the list, or its end.
  size_t take();
  void finished(size_t index, Done done);
  protocol::UserSettings settingsFor(const std::string &path);
  void tellConfigFindings(const std::string &path);

  const CheckRunOptions &options_;
  CheckRunEvents events_;
  Configuration configuration_;
  std::set<std::string> toldConfigs_; ///< configuration files whose findings were told
  bool misconfigured_ = false;
  boost::asio::io_context io_{1};
  std::vector<std::unique_ptr<Slot>> slots_;
  size_t taken_ = 0;
  size_t printed_ = 0;
  std::map<size_t, Done> waiting_; ///< done before one that comes before them
};

} // namespace lsp
