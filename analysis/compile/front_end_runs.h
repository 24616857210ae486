// One run of clang's front end for all versions of a text that differ in flags of the optimizer or in the CPU.
//
// Most of the time of a C++ file goes into reading headers and instantiating templates, which neither -O3 nor, mostly,
// -march changes. So the front end's module is kept, and only optimized again.
//
// It is used only if it is proven to be the same: the module gives with the flags of the document what its own compile
// gave, in the sense of result_fingerprint.h; for another CPU, the headers have the same text and macros, the text names no
// macro that is another one, and nothing in the module is translated by what the CPU has. All else is compiled as a
// whole. Use it from one thread at a time.
#pragma once

#include "analysis/compile/compile.h"
#include "analysis/compile/header_text.h"
#include "analysis/compile/module_target.h"
#include "analysis/compile/preambles.h"
#include "analysis/compile/private_folder.h"

#include <list>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

namespace analysis {

class FrontEndRuns {
public:
  struct Version {
    const CompileCommand &present; ///< the document's own command
    const CompileCommand &command; ///< the same with other flags
    const std::string &text;
    bool isPresentText = true;            ///< the text is that of the document
    const wire::PresentCode &presentCode; ///< what the document's own text and command gave
  };
  /// What is needed to run the compiler.
  struct Tools {
    Preambles &preambles;
    const std::stop_token &stop;
    PrewarmedCompiler *ready;
    const wire::CompileLimits &limits;
  };
  /// The result of compile() for the version, or no value if it has to be compiled as a whole. What is kept is about one
  /// document's present code.
  std::optional<CompileResult> compile(const Version &version, const Tools &tools);

private:
  enum class Proof : uint8_t { Open, Holds, Fails };

  bool isProven(const Version &version, const std::string &module, const Tools &tools);
  bool hasSameHeaders(const Version &version, const Tools &tools);
  const HeaderText *headerTextOf(const CompileCommand &command, const std::string &text, size_t bytes,
                                 const Tools &tools);
  const std::string *moduleOf(const Version &version, const Tools &tools);
  CompileResult optimize(CompileCommand command, const std::string &module, const Tools &tools);

  struct Known {
    wire::PresentCode presentCode; ///< that all below is about
    Proof proof = Proof::Open;
    bool headersAskForCpu = false; ///< for that of one version at least
    std::list<std::pair<Fingerprint, std::string>> modules; ///< of texts, the last used first; empty: there is none
    std::list<std::pair<Fingerprint, std::optional<HeaderText>>> headers; ///< of arguments and the text of the headers
  };
  Known known_;
  std::optional<PrivateFolder> folder_;
};

} // namespace analysis
