// The file that a run's result goes to (--output). The result of an earlier run is removed when the file is opened, and
// a JSON, SARIF or markdown has its name only once it is complete: a run that is killed leaves no file, neither half of
// its own result nor one that is out of date, which a merge would take for its own.
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

  /// Removes an earlier result. False if the file cannot be written. `grows`: the file is there from now on, and
  /// a reader sees what was written so far. What is no regular file, such as a pipe, is always written in
  /// place.
  bool open(const std::string &path, bool grows);
  void write(std::string_view text);
  /// Gives the file its name. False if not all of it could be written.
  bool close();

private:
  std::ofstream file_;
  std::string path_;
  std::string partial_; ///< the file's name until it is complete; empty: it is written in place
};

} // namespace lsp
