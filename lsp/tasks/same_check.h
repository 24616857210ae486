// Whether two versions of a function give the same results: mca-measure runs both on the same random inputs, in a child
// that can do nothing but compute (docs/features/measuring.md). It runs code of a document, so the caller makes sure
// that the user trusts that.
#pragma once

#include "analysis/wire/advice.h"
#include "lsp/system/system.h"
#include "lsp/tasks/side_command.h"
#include "lsp/workspace/advice.h"

#include <boost/asio/io_context.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace lsp {

/// What `mca-measure same --json` printed.
SameResults readSameResults(std::string_view json);

class SameCheck {
public:
  using Done = std::function<void(SameResults results)>;

  /// `program` is the path of mca-measure.
  SameCheck(boost::asio::io_context &io, std::string program) : program_(std::move(program)), command_(io) {}

  /// Compares the functions, neither of which has a refusal. One at a time; `done` is called later.
  void start(const wire::RunnableFunction &now, const wire::RunnableFunction &then, Done done);
  /// Kills what runs; `done` is not called.
  void cancel() { command_.cancel(); }

private:
  std::string program_;
  SideCommand command_;
  std::optional<system::TemporaryFolder> folder_; ///< of the two texts
};

} // namespace lsp
