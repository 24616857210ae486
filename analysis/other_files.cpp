#include "analysis/other_files.h"

#include "analysis/regions/loop_place.h"

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

/// Which of the map's files are of the project, and not the document itself.
class ProjectFiles {
public:
  ProjectFiles(const SourceMap &map, const wire::AnalyzeRequest &request)
      : folder_(realPath(request.projectFolder) + "/"), document_(realPath(request.path)) {
    for (uint32_t file = 0; file < map.fileCount(); ++file)
      paths_.push_back(ownPath(map.fileName(file)));
  }

  /// Without links; empty for a file that is not.
  const std::string &path(uint32_t file) const { return paths_[file]; }

private:
  std::string ownPath(const std::string &name) const {
    std::string path = realPath(name);
    return path.starts_with(folder_) && path != document_ ? path : "";
  }

  std::string folder_;
  std::string document_;
  std::vector<std::string> paths_;
};

bool hasMarkers(const SourceFiles::File &file) {
  return file.text && file.text->getBuffer().contains("LLVM-MCA-BEGIN");
}

} // namespace

std::vector<wire::OtherFile> takeOtherFiles(std::vector<LoopElsewhere> &elsewhere, const SourceMap &map,
                                            const wire::AnalyzeRequest &request) {
  const ProjectFiles project(map, request);
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
