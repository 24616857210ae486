// The key of a compiler's output is a hash of the parts of a request that can change it.
#include "analysis/job/compile_cache.h"

#include <algorithm>

namespace analysis {
namespace {

constexpr size_t kEntries = 4;
constexpr size_t kMaxAssemblyBytes = 64u << 20;

void append(std::string &blob, const std::string &text) {
  blob += std::to_string(text.size()) + ':' + text;
}

void append(std::string &blob, const std::vector<std::string> &texts) {
  blob += std::to_string(texts.size()) + '[';
  for (const std::string &text : texts)
    append(blob, text);
}

} // namespace

CompileCache::Key CompileCache::keyOf(const wire::AnalyzeRequest &request, bool variableLocations,
                                      const std::string &fallbackTriple) {
  const wire::Settings &settings = request.settings;
  std::string blob;
  blob.reserve(request.text.size() + 1024);
  // The files of a project do not change while `--check` runs, so the output for a source also serves its headers.
  const bool fromDisk = !request.projectFolder.empty();
  const std::string &compiled = request.compiledThrough.empty() ? request.path : request.compiledThrough;
  for (const std::string *text : {&compiled, &request.command, &settings.compiler, &settings.compileCommandsDir,
                                  &settings.triple, &fallbackTriple})
    append(blob, *text);
  append(blob, fromDisk ? "" : request.text);
  for (const std::vector<std::string> *texts :
       {&settings.extraFlags, &settings.trustedFolders, &settings.allowedCompilers, &settings.projectFolders,
        &settings.readableFolders, &request.openFiles})
    append(blob, *texts);
  blob += static_cast<char>('0' + static_cast<int>(request.language));
  blob += variableLocations ? 'v' : '-';
  return llvm::xxh3_128bits(llvm::ArrayRef(reinterpret_cast<const uint8_t *>(blob.data()), blob.size()));
}

CompileCache::Entry CompileCache::find(const Key &key) {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const auto &entry) {
    return entry.first.low64 == key.low64 && entry.first.high64 == key.high64;
  });
  if (found == entries_.end())
    return nullptr;
  entries_.splice(entries_.begin(), entries_, found);
  return entries_.front().second;
}

void CompileCache::insert(const Key &key, Entry entry) {
  if (find(key))
    entries_.pop_front();
  if (entry->result.assembly.size() > kMaxAssemblyBytes)
    return;
  entries_.emplace_front(key, std::move(entry));
  if (entries_.size() > kEntries)
    entries_.pop_back();
}

} // namespace analysis
