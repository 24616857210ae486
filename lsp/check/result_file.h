// A file that a run writes (--output, --depfile, --ninja).
//
// It has its name only once it is complete: a run that fails or is killed leaves no half of a result. What the name
// held before stays until then, because it may be something else than a result, and the run may even read it. An
// earlier result of this program, which a merge would take for this one, is removed at once.
#pragma once

#include <fstream>
#include <string>
#include <string_view>

namespace lsp {

class ResultFile {
public:
  ResultFile() = default;
  ResultFile(const ResultFile &) = delete;
  ResultFile &operator=(const ResultFile &) = delete;
  /// Removes what is not complete.
  ~ResultFile();

  /// False if the file cannot be written. `grows`: the file has its name from now on, and a reader sees what was
  /// written so far, unless it replaces something else than an earlier result. What is no regular file, such as a pipe,
  /// is always written in place.
  bool open(const std::string &path, bool grows);
  /// Whether close() replaces a file that is no earlier result.
  bool replaces() const { return replaces_; }
  void write(std::string_view text);
  /// Gives the file its name. False if not all of it could be written.
  bool close();

private:
  std::ofstream file_;
  std::string path_;
  std::string partial_; ///< the file's name until it is complete; empty: it is written in place
  bool replaces_ = false;
};

/// Writes a whole file. False if that is impossible; what it held before is then still there.
bool writeWholeFile(const std::string &path, std::string_view text);

} // namespace lsp
