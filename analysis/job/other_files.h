// The other files of a project whose loops a source's code holds: headers, and what is included as a part of it.
#pragma once

#include "analysis/regions/region.h"
#include "analysis/source_map/source_map.h"
#include "analysis/wire/messages.h"

#include <string>
#include <vector>

namespace analysis {

/// Which files of a source map are of the request's project, and not the document itself.
class ProjectFiles {
public:
  ProjectFiles(const SourceMap &map, const wire::AnalyzeRequest &request);

  /// Absolute and without links; empty for a file that is not of the project. `file`: an index of the map's.
  const std::string &path(uint32_t file) const { return paths_[file]; }

private:
  std::vector<std::string> paths_;
};

/// Takes those loops that stand in another file below the request's project folder, or were inlined from one, and gives
/// them by the innermost such file. Files with marked regions are among these, with or without loops. By their paths.
std::vector<wire::OtherFile> takeOtherFiles(std::vector<LoopElsewhere> &elsewhere, const SourceMap &map,
                                            const ProjectFiles &project, const wire::AnalyzeRequest &request);

} // namespace analysis
