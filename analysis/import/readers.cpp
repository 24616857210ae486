#include "analysis/import/bolt_reader.h"
#include "analysis/import/branch_records.h"
#include "analysis/import/callgrind_reader.h"
#include "analysis/import/gcov_reader.h"
#include "analysis/import/perf_reader.h"
#include "analysis/import/perf_trace_reader.h"
#include "analysis/import/qemu_reader.h"

#include "llvm/ADT/StringSwitch.h"

namespace analysis {

std::unique_ptr<RecordingReader> createReader(std::string_view kind) {
  using Create = std::unique_ptr<RecordingReader> (*)();
  const auto create = llvm::StringSwitch<Create>(kind)
                          .Case("qemu", createQemuReader)
                          .Case("perf", createPerfReader)
                          .Case("perf-trace", createPerfTraceReader)
                          .Case("callgrind", createCallgrindReader)
                          .Case("bolt", createBoltReader)
                          .Case("gcov", createGcovReader)
                          .Default(nullptr);
  return create ? create() : nullptr;
}

} // namespace analysis
