#include "analysis/compile/includers.h"

#include "analysis/files/regular_file.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>

namespace analysis {
namespace {

namespace path = llvm::sys::path;
using llvm::StringRef;

/// The limits of what is read for one file.
constexpr size_t kMaxSources = 2000;
constexpr size_t kMaxNeighbours = 1000;
constexpr uint64_t kMaxFileBytes = 2u << 20;
constexpr uint64_t kMaxBytes = 64u << 20;
/// Files between a source and the file that it includes.
constexpr size_t kMaxSteps = 4;

/// The number of leading characters that both have.
size_t commonLength(StringRef a, StringRef b) {
  return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

void keepClosest(const std::string &file, std::vector<std::string> &sources) {
  const StringRef folder = path::parent_path(file);
  const auto isCloser = [&](const std::string &a, const std::string &b) {
    return std::pair(commonLength(b, folder), StringRef(a)) < std::pair(commonLength(a, folder), StringRef(b));
  };
  const size_t kept = std::min(sources.size(), kMaxSources);
  std::partial_sort(sources.begin(), sources.begin() + static_cast<ptrdiff_t>(kept), sources.end(), isCloser);
  sources.resize(kept);
}

std::vector<std::string> neighboursOf(const std::string &file) {
  std::vector<std::string> neighbours;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator one(path::parent_path(file), error), end;
       !error && one != end && neighbours.size() < kMaxNeighbours; one.increment(error))
    neighbours.push_back(one->path());
  return neighbours;
}

/// The last parts of the names in quotes or angle brackets in the text's directives. A macro may hold the name of an
/// included file, so every directive counts.
void addNamedFiles(StringRef text, llvm::StringSet<> &names) {
  for (size_t at = text.find('#'); at != StringRef::npos; at = text.find('#', at + 1)) {
    const StringRef before = text.take_front(at).rtrim(" \t");
    if (!before.empty() && before.back() != '\n')
      continue;
    const StringRef line = text.drop_front(at).split('\n').first;
    const size_t open = line.find_first_of("\"<");
    if (open == StringRef::npos)
      continue;
    const StringRef name = line.drop_front(open + 1).take_until([](char c) { return c == '"' || c == '>'; });
    if (!name.empty())
      names.insert(path::filename(name));
  }
}

/// The files that name others, by the last parts of the others' names.
class NamingFiles {
public:
  void read(const std::string &file) {
    if (bytes_ > kMaxBytes || !known_.insert(file).second)
      return;
    const RegularFile text = readRegularFile(file, kMaxFileBytes);
    bytes_ += text.text.size();
    llvm::StringSet<> names;
    addNamedFiles(text.text, names);
    for (const auto &name : names)
      byName_[name.first()].push_back(file);
  }

  std::vector<std::string> naming(StringRef name) const { return byName_.lookup(name); }

private:
  uint64_t bytes_ = 0;
  llvm::StringSet<> known_;
  llvm::StringMap<std::vector<std::string>> byName_;
};

} // namespace

std::vector<std::string> likelyIncluders(const std::string &file, std::vector<std::string> sources) {
  std::erase(sources, file);
  keepClosest(file, sources);
  NamingFiles files;
  llvm::for_each(sources, [&](const std::string &source) { files.read(source); });
  llvm::for_each(neighboursOf(file), [&](const std::string &other) { files.read(other); });
  const llvm::StringSet<> isSource = [&] {
    llvm::StringSet<> set;
    set.insert(sources.begin(), sources.end());
    return set;
  }();
  std::vector<std::string> found;
  llvm::StringSet<> seen; // last parts of names
  std::vector<std::string> names{path::filename(file).str()};
  for (size_t step = 0; step < kMaxSteps && !names.empty(); ++step) {
    std::vector<std::string> next;
    for (const std::string &name : names) {
      if (!seen.insert(name).second)
        continue;
      for (const std::string &naming : files.naming(name))
        if (!isSource.contains(naming))
          next.push_back(path::filename(naming).str());
        else if (!llvm::is_contained(found, naming))
          found.push_back(naming);
    }
    names = std::move(next);
  }
  return found;
}

} // namespace analysis
