// Records between the samples of `perf script`. With --show-mmap-events it prints the program's mappings:
//
//     PERF_RECORD_MMAP2 100/100: [0x401000(0x1000) @ 0x1000 08:01 1 1]: r-xp /path/to/prog
//
// Other fields, such as the command and the time, may stand in front.
#include "analysis/import/perf_text.h"

namespace analysis {

using llvm::StringRef;

std::optional<ImportError> PerfTextReader::readLine(StringRef line, BranchSink &sink) {
  if (line.ltrim(kBlanks).starts_with("#"))
    return {};
  const size_t at = line.find("PERF_RECORD_");
  if (at == StringRef::npos)
    return readSample(line, sink);
  const StringRef record = line.drop_front(at);
  if (record.starts_with("PERF_RECORD_MMAP"))
    return readMapping(record, sink);
  if (record.starts_with("PERF_RECORD_LOST"))
    sink.gap();
  return {};
}

std::optional<ImportError> PerfTextReader::readMapping(StringRef record, BranchSink &sink) const {
  const StringRef range = record.split(": [").second;
  const auto [address, afterAddress] = range.split('(');
  const auto [size, afterSize] = afterAddress.split(") @ ");
  const auto [place, file] = afterSize.split("]: ");
  const StringRef offset = place.split(' ').first;
  const auto addressNumber = parseHex(address), sizeNumber = parseHex(size), offsetNumber = parseHex(offset);
  if (!addressNumber || !sizeNumber || !offsetNumber)
    return errorAt(record, "expected a mapping such as `[0x401000(0x1000) @ 0x1000 08:01 1 1]: r-xp /path`");
  // After the permissions; paths may contain blanks. Others are `[vdso]`, `//anon` and the kernel.
  const StringRef path = file.split(' ').second;
  if (path.starts_with("/") && !path.starts_with("//") && *addressNumber >> 63 == 0)
    sink.map({*addressNumber, *sizeNumber, *offsetNumber, path.str()});
  return {};
}

} // namespace analysis
