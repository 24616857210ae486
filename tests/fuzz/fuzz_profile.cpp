// Profiles of any bytes. A file is refused or holds together: its weights add up, and it is read again as it was
// written. Recordings of any bytes go through each reader, over a small program; what is made of them is a profile.
#include "analysis/import/assembled_text.h"
#include "analysis/process/process.h"
#include "analysis/profile/function_match.h"
#include "analysis/profile/profile_builder.h"
#include "analysis/profile/profile_file.h"
#include "tests/fuzz/property.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <pthread.h>
#ifdef MCA_SANITIZED
#include <sanitizer/common_interface_defs.h>
#endif

namespace {

using fuzz::require;

constexpr const char *kProgram = R"(
  .type f, @function
f:
  xorl %eax, %eax
.L3:
  addl (%rdi), %eax
  jne .L5
  callq g
  .p2align 4
.L5:
  decl %ecx
  jne .L3
  ret
  .size f, .-f
)";

struct Code {
  std::unique_ptr<mca::Target> target;
  std::unique_ptr<mca::Program> program;
  std::unique_ptr<mca::ProgramBranches> branches;
  std::string path; ///< of the program's file
};

/// A child in which LLVM reads a damaged recording may crash (analysis/profile/separate_reader.h). libFuzzer would keep
/// its input as one that crashes this process.
void leaveCrashesOfChildren() {
#ifdef MCA_SANITIZED
  pthread_atfork(nullptr, nullptr, [] { __sanitizer_set_death_callback(nullptr); });
#endif
}

Code prepare() {
  leaveCrashesOfChildren();
  Code code;
  code.target = std::move(*mca::Target::create({.triple = "x86_64-unknown-linux-gnu", .cpu = "skylake"}));
  code.program = mca::Program::parse(kProgram, *code.target, {});
  code.branches = std::make_unique<mca::ProgramBranches>(*code.target, *code.program);
  const auto text = analysis::AssembledText::assemble(*code.target, *code.program);
  require(static_cast<bool>(text));
  std::string bytes = (*text)->object().getData().str();
  bytes[16] = llvm::ELF::ET_DYN; // an object file has symbols and code, which is all that is read
  llvm::SmallString<64> path;
  int descriptor = -1;
  require(!llvm::sys::fs::createTemporaryFile("fuzz-profile", "", descriptor, path));
  llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << bytes;
  code.path = path.str().str();
  return code;
}

const Code &code() {
  static const Code made = prepare();
  return made;
}

std::string written(const analysis::Profile &profile) {
  std::string text;
  llvm::raw_string_ostream out(text);
  analysis::writeProfile(profile, out);
  return text;
}

/// What holds for each profile, wherever it comes from.
void check(const analysis::Profile &profile) {
  require(profile.total() <= analysis::Profile::kMaxWeight);
  const auto again = analysis::readProfile(written(profile), "again");
  require(static_cast<bool>(again));
  require((*again).total() == profile.total() && written(*again) == written(profile));
  analysis::Profile twice = profile;
  if (analysis::merge(twice, profile).empty() && profile.runs)
    require(twice.total() == 2 * profile.total());
  const analysis::FunctionMatcher matcher(*code().branches);
  for (const analysis::ProfiledFunction &function : profile.functions) {
    const auto match = matcher.match(code().branches->placeOf("f"), function);
    require(match.difference.empty() == !match.instructions.empty());
    require(match.instructions.size() == match.offsets.size());
  }
}

} // namespace

/// The first byte chooses the format.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static constexpr const char *kKinds[] = {"mcaprofile", "perf", "callgrind", "pprof", "autofdo", "profdata", "gcov"};
  if (size == 0)
    return 0;
  const std::string kind = kKinds[data[0] % std::size(kKinds)];
  const std::string_view text(reinterpret_cast<const char *>(data) + 1, size - 1);
  if (kind == "mcaprofile") {
    const auto profile = analysis::readProfile(text, "f");
    require(profile || profile.message().starts_with("f:"));
    if (profile)
      check(*profile);
    return 0;
  }
  std::vector<std::unique_ptr<analysis::ProgramImage>> programs;
  programs.push_back(std::move(*analysis::ProgramImage::open(code().path)));
  analysis::ProfileBuilder builder(std::move(programs));
  const analysis::FileDescriptor file = analysis::inputFile(text);
  const auto error =
      analysis::createProfileReader(kind, {code().path})->read(file.get(), builder, [](uint64_t) { return true; });
  require(!error || (!error->message.empty() && error->line <= text.size() + 1));
  if (error)
    return 0;
  if (const auto profile = builder.finish())
    check(*profile);
  return 0;
}
