// Assigns loops that have no line in the analysed source to the header of the project that they come from.
#include "analysis/job/other_files.h"

#include "analysis/regions/loop_place.h"
#include "analysis/text/comment_syntax.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <map>
#include <optional>
#include <string>

namespace analysis {
namespace {

std::string realPath(const std::string &path) {
  llvm::SmallString<256> real;
  return llvm::sys::fs::real_path(path, real) ? "" : real.str().str();
}

bool hasMarkers(const SourceFiles::File &file) {
  return file.text && file.text->getBuffer().contains(comments::kBeginMarker);
}

} // namespace

ProjectFiles::ProjectFiles(const SourceMap &map, const wire::AnalyzeRequest &request) {
  const std::string folder = realPath(request.projectFolder) + "/", document = realPath(request.path);
  for (uint32_t file = 0; file < map.fileCount(); ++file) {
    std::string path = realPath(map.fileName(file));
    paths_.push_back(path.starts_with(folder) && path != document ? std::move(path) : "");
  }
}

std::vector<wire::OtherFile> takeOtherFiles(std::vector<LoopElsewhere> &elsewhere, const SourceMap &map,
                                            const ProjectFiles &project, const wire::AnalyzeRequest &request) {
  std::map<std::string, std::vector<uint32_t>> loops;
  std::erase_if(elsewhere, [&](const LoopElsewhere &loop) {
    for (const uint32_t file : loop.files)
      if (const std::string &path = project.path(file); !path.empty()) {
        loops[path].push_back(loop.loop);
        return true;
      }
    return false;
  });
  SourceFiles files(map, request.language);
  if (request.settings.markerRegions)
    for (uint32_t file = 0; file < map.fileCount(); ++file)
      if (const std::string &path = project.path(file); !path.empty() && hasMarkers(files.file(file)))
        loops.try_emplace(path);
  std::vector<wire::OtherFile> others;
  for (auto &[path, own] : loops)
    others.push_back({path, std::move(own)});
  return others;
}

} // namespace analysis
