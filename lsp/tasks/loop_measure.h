// How many cycles two versions of a loop take on this machine: mca-measure runs the one and then the other
// (docs/features/measuring.md). It runs code of a document, so the caller makes sure that the user trusts that.
#pragma once

#include "lsp/tasks/side_command.h"
#include "lsp/workspace/advice.h"

#include <boost/asio/io_context.hpp>
#include <functional>
#include <string>

namespace lsp {

class LoopMeasure {
public:
  using Done = std::function<void(MeasuredGain gain)>;

  /// `program` is the path of mca-measure.
  LoopMeasure(boost::asio::io_context &io, std::string program) : program_(std::move(program)), command_(io) {}

  /// Measures both. One pair at a time; `done` is called later.
  void start(const LoopCode &now, const LoopCode &then, Done done);
  /// Kills what runs; `done` is not called.
  void cancel() { command_.cancel(); }

private:
  void run(const LoopCode &code, const std::function<void(double cycles, std::string refused)> &done);

  std::string program_;
  SideCommand command_;
};

} // namespace lsp
