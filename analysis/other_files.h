// The other files of a project whose loops a source's code holds: headers, and what is included as a part of it.
#pragma once

#include "analysis/regions/region.h"
#include "analysis/source_map/source_map.h"
#include "analysis/wire/messages.h"

#include <vector>

namespace analysis {

/// Takes those loops that stand in another file below the request's project folder, or were inlined from one, and gives
/// them by the innermost such file. Files with marked regions are among these, with or without loops. By their paths.
std::vector<wire::OtherFile> takeOtherFiles(std::vector<LoopElsewhere> &elsewhere, const SourceMap &map,
                                            const wire::AnalyzeRequest &request);

} // namespace analysis
