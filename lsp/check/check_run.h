// The workers of a run of --check. Each has a supervisor and a scheduler of its own, as in an editor, and analyses one
// file at a time; all of them are on one event loop. Results come in the order of the files, however many workers there
// are and whichever is done first.
#pragma once

#include "lsp/check/check.h"
#include "lsp/protocol/text.h"
#include "lsp/settings/configuration.h"

#include <boost/asio/io_context.hpp>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace lsp {

/// A file by one of its commands, and its text in the result. The text of a part is empty: several files of the run
/// report of it, and it is printed after they are merged.
struct CheckedFile {
  CheckFile file;
  std::string page;
  /// With CheckFiles::listInputs: the files that the analysis read, absolute.
  std::vector<std::string> inputs;
  bool inputsUnknown = false; ///< it read others, too
};

/// Called on the thread of the event loop.
struct CheckRunEvents {
  /// Work on the `number`th of `total` files begins.
  std::function<void(size_t number, size_t total, const std::string &name)> begun;
  /// Returns CheckedFile::page of an analysis that is done, for a file that is no part.
  std::function<std::string(CheckFile &file, const Text &text)> render;
  /// A file of the run by each of its commands, each followed by the parts that were compiled with it.
  std::function<void(std::vector<CheckedFile> files)> done;
};

class CheckRun {
public:
  /// `folder`: the absolute path of the current folder. The options must outlive the run.
  CheckRun(const CheckOptions &options, const WorkerOptions &worker, CheckFiles files, std::string folder,
           CheckRunEvents events);
  ~CheckRun();

  /// Returns when each file is done.
  void run();
  /// A configuration file that applies to one of the files has an error.
  bool misconfigured() const { return misconfigured_; }

private:
  class Slot;

  void finished(size_t index, std::vector<CheckedFile> results);
  void reportConfigFindings(const std::string &path);

  const CheckOptions &options_;
  const WorkerOptions &worker_;
  const CheckFiles files_;
  const std::string folder_;
  CheckRunEvents events_;
  Configuration configuration_;
  std::set<std::string> reportedConfigs_; ///< paths of configuration files
  bool misconfigured_ = false;
  boost::asio::io_context io_{1};
  std::vector<std::unique_ptr<Slot>> slots_;
  // Slots take files from the front of the list, and results leave in its order:
  size_t taken_ = 0; ///< files, from the first one on, that were taken by a slot
  size_t done_ = 0;  ///< files, from the first one on, that were handed to events_.done
  std::map<size_t, std::vector<CheckedFile>> waiting_; ///< results, by index, that a file before them holds up
};

} // namespace lsp
