// What mca-lsp and the program mca-measure say to each other: arguments and assembly there, JSON back.
//
// Each path of a loop is a marked region of one text, named by its position, so that the reply's regions are found
// again. The worker has made each one code that can run alone (wire::Region::runnable).
#pragma once

#include "lsp/wording/loops_of_line.h"

#include <string>
#include <variant>
#include <vector>

namespace lsp {

/// argv. `program` is the path of mca-measure.
std::vector<std::string> measureArguments(const std::string &program, const analysis::wire::TargetSummary &target);

/// The standard input. The regions must have their code.
std::string measuredText(const wording::ShownLoop &loop);

/// Of one path.
struct PathMeasured {
  Measurement measurement; ///< without predictedFor and when
  std::string refused;     ///< why it was not measured; empty if it was
};

/// One for each of `paths`, or what is wrong with the reply.
std::variant<std::vector<PathMeasured>, std::string> readMeasurements(const std::string &reply, size_t paths);

} // namespace lsp
