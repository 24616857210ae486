// Trace files as they were read last, kept between jobs: a file is read again when its FileStamp has changed.
#pragma once

#include "analysis/files/regular_file.h"
#include "analysis/wire/messages.h"
#include "mca-core/trace/trace_text.h"

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace analysis {

struct TraceFile {
  std::string path;      ///< absolute
  uint64_t modified = 0; ///< when it was last written, in seconds since 1970
  uint64_t digest = 0;   ///< of its bytes; 0 if it could not be read
  /// An error without a place (line 0) means that the file could not be read.
  std::variant<mca::TraceText, mca::TraceError> text;
};

class TraceFiles {
public:
  using Entry = std::shared_ptr<const TraceFile>;
  /// In bytes; a larger file is not read. The files that are kept have no more together.
  static constexpr uint64_t kMaxBytes = mca::kMaxTraceBytes;

  /// Reads Settings::trace, if it is not empty, which is an error if it is no regular file. Otherwise the file beside
  /// the document: `kern.s.mcatrace`, or else `kern.mcatrace`; null if there is none. One that the user did not name
  /// himself must lie in the project, links followed.
  Entry find(const wire::Settings &settings, const std::string &document);
  /// Has each file read again.
  void forget() { kept_.clear(); }

private:
  struct Kept {
    FileStamp stamp;
    Entry file;
  };

  Entry readOfProject(const std::string &path, bool isWanted, const wire::Settings &settings,
                      const std::string &document);
  Entry read(const std::string &path, bool isWanted);

  std::list<Kept> kept_; ///< the most recently used first
};

} // namespace analysis
