// The headers at the top of a source, compiled in advance: clang's precompiled header of its preamble.
//
// A save then costs what the rest of the file costs. The text that is compiled with it has empty lines in place of the
// preamble, so that every line and column is where it was.
//
// Nothing is loaded but what this process made, or another worker for the same search for advice. The compiler prints
// the precompiled header, as it may write no file, and we write it into a private folder.
#pragma once

#include "analysis/compile/compile.h"
#include "analysis/compile/included_files.h"
#include "analysis/compile/private_folder.h"
#include "analysis/files/regular_file.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace analysis {

class Preamble {
public:
  /// Whether files of this command may have one: clang compiles them, itself, without modules.
  static bool isPossible(const CompileCommand &command);

  enum class Failure : uint8_t {
    Cancelled,
    Changed, ///< a file changed meanwhile: another attempt may succeed
    Refused, ///< another attempt would fail, too: an error, a crash or a limit of the compiler, a full disk
  };
  /// When the templates are instantiated that the headers use: by the preamble, once, or by each compile with it. The
  /// code may be the same in either case or only in the second.
  enum class Templates : uint8_t { InPreamble, InEachCompile };
  struct Made;
  /// Compiles the first `bytes` of the text. `limits` are those of one run of the compiler.
  static Made make(const CompileCommand &command, std::string_view text, size_t bytes, Templates templates,
                   const std::stop_token &stop, const wire::CompileLimits &limits);

  /// Whether it was made with this command, which may ask for other remarks, and the text begins with it. Of the text,
  /// preambleBytes() is the length.
  bool fits(const CompileCommand &command, std::string_view text, size_t bytes) const;
  /// Whether the compiler and what it read are still the same.
  bool isCurrent() const;
  /// The result of compile() for the text, which fits with the command. A failure may be due to the preamble.
  CompileResult compile(CompileCommand command, const std::string &text, const std::stop_token &stop,
                        PrewarmedCompiler *ready, const wire::CompileLimits &limits) const;
  uint64_t bytesOnDisk() const { return size_; }
  /// How long the compile took that it is made for.
  void setPlainMicros(uint64_t micros) { plainMicros_ = micros; }
  /// For another process: compileWith() does what compile() does. Valid as long as the preamble is.
  wire::LentPreamble lend() const { return {folder_.path(), text_.size()}; }
  static CompileResult compileWith(const wire::LentPreamble &preamble, CompileCommand command, const std::string &text,
                                   const std::stop_token &stop, PrewarmedCompiler *ready,
                                   const wire::CompileLimits &limits);

private:
  Preamble(CompileCommand command, std::string_view text, PrivateFolder folder);
  bool writeSources() const;
  std::vector<std::string> makingArguments(Templates templates) const;

  CompileCommand command_; ///< without remarks: nothing is optimized
  std::string text_;       ///< of the preamble
  PrivateFolder folder_;
  std::optional<FileStamp> compiler_;
  std::optional<IncludedFiles> included_;
  uint64_t size_ = 0;
  uint64_t plainMicros_ = 0;
};

struct Preamble::Made {
  std::optional<Preamble> preamble;
  Failure failure = Failure::Refused; ///< without one
};

} // namespace analysis
