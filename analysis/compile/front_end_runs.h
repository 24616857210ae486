// One run of clang's front end for all versions of a text that differ in flags of the optimizer or in the CPU.
//
// Most of the time of a C++ file goes into reading headers and instantiating templates, which neither -O3 nor, mostly,
// -march changes. So the front end's module is kept, and only optimized again: maybe in another process, which then
// needs no headers.
//
// Of the module only the part is kept that decides what code the loop's functions get (module_part.h). It has to be
// proven: with the flags of the document these functions are what the document's own compile made of them, in the sense
// of result_fingerprint.h. For another CPU, the headers must have the same text and macros, the text name no macro that
// is another one, and the part have nothing that is translated by what the CPU has. All else is compiled as a whole.
// Use it from one thread at a time.
#pragma once

#include "analysis/compile/compile.h"
#include "analysis/compile/header_text.h"
#include "analysis/compile/module_part.h"
#include "analysis/compile/preambles.h"
#include "analysis/compile/private_folder.h"

#include <list>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace analysis {

class FrontEndRuns {
public:
  /// What is needed to run the compiler.
  struct Tools {
    Preambles &preambles;
    const std::stop_token &stop;
    PrewarmedCompiler *ready;
    const wire::CompileLimits &limits;
  };
  struct Wanted {
    const std::vector<std::string> &functions; ///< symbols
    Copies copies = Copies::Wanted;
    wire::LentPreamble preamble = {};
  };
  struct Made {
    CompileResult result; ///< of the part
    std::string part;
  };
  struct Version {
    const CompileCommand &present; ///< that the module was made with
    const CompileCommand &command; ///< the same with other flags
    const std::string &text;
    const wire::FrontEndModule &module; ///< of the text
  };

  /// Whether versions of what was compiled gain from sharing a run of the front end.
  static bool isWorthwhile(const CompileResult &whole);
  /// Runs the front end for all, and the rest for the part of what is wanted. No value if it has to be compiled as a
  /// whole.
  std::optional<Made> compileInSteps(const CompileCommand &command, const std::string &text, const Wanted &wanted,
                                     const Tools &tools);
  /// The version's result for the functions of its part, or no value if it has to be compiled as a whole.
  std::optional<CompileResult> compile(const Version &version, const Tools &tools);

private:
  bool hasSameHeaders(const Version &version, const Tools &tools);
  const HeaderText *headerTextOf(const CompileCommand &command, const std::string &text, size_t bytes,
                                 const Tools &tools);
  std::optional<CompileResult> optimize(CompileCommand command, const std::string &module, const Tools &tools);

  uint64_t search_ = 0;                                                  ///< that the rest is about
  bool headersAskForCpu_ = false;                                        ///< of at least one version
  std::list<std::pair<Fingerprint, std::optional<HeaderText>>> headers_; ///< of arguments and the text of the headers
  std::optional<PrivateFolder> folder_;
};

} // namespace analysis
