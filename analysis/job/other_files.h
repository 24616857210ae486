// The other files of a project whose loops are in a source's code: headers and included parts. `--check` analyses them
// too, as a part of the source.
#pragma once

#include "analysis/regions/region.h"
#include "analysis/source_map/source_map.h"
#include "analysis/wire/messages.h"

#include <string>
#include <vector>

namespace analysis {

/// The files of a source map that belong to the request's project, except the document itself.
class ProjectFiles {
public:
  ProjectFiles(const SourceMap &map, const wire::AnalyzeRequest &request);

  /// The absolute path without symbolic links; empty for a file outside of the project. `file`: index in the map.
  const std::string &path(uint32_t file) const { return paths_[file]; }

private:
  std::vector<std::string> paths_;
};

/// Removes from `elsewhere` the loops that are in another file below the request's project folder, or were inlined from
/// one, and returns them by the innermost such file, sorted by path. Files with marked regions are included even if
/// they have no loops.
std::vector<wire::OtherFile> takeOtherFiles(std::vector<LoopElsewhere> &elsewhere, const SourceMap &map,
                                            const ProjectFiles &project, const wire::AnalyzeRequest &request);

} // namespace analysis
