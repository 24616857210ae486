#include "mca-core/measure/cli/same_command.h"

#include "mca-core/measure/cli/reading_limits.h"
#include "mca-core/measure/same/same_results.h"
#include "mca-core/target/input_file.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/WithColor.h"

namespace mca::measure {
namespace {

constexpr uint64_t kMaxInputBytes = 64u << 20;

int fail(const llvm::Twine &message) {
  llvm::WithColor::error() << message << '\n';
  return 1;
}

Result<Signature> readSignature(const SameCommandOptions &options) {
  const auto unknown = [](const std::string &text) {
    return Failure{"'" + text +
                   "' is no type: it is int8, uint8, int16, uint16, int32, uint32, int64, uint64, float or "
                   "double, with * for a pointer to an array of such"};
  };
  Signature signature{.function = options.function};
  if (!options.returns.empty()) {
    signature.returns = parseValueType(options.returns);
    if (!signature.returns)
      return unknown(options.returns);
  }
  for (const std::string &argument : options.arguments) {
    const auto type = parseValueType(argument);
    if (!type)
      return unknown(argument);
    signature.arguments.push_back(*type);
  }
  return signature;
}

llvm::json::Object toJson(const ResultDifference &difference) {
  llvm::json::Object object{{"run", difference.run},
                            {"overlap", difference.isOverlapping},
                            {"onlyNaN", difference.isOnlyNaN},
                            {"what", difference.what}};
  if (difference.count)
    object["n"] = *difference.count;
  return object;
}

llvm::json::Object toJson(const SameReport &report) {
  llvm::json::Object object{{"same", report.isSame()},
                            {"runs", report.runs},
                            {"overlapping", report.overlapping},
                            {"discarded", report.discarded}};
  if (report.separate)
    object["differs"] = toJson(*report.separate);
  if (report.overlapped)
    object[report.separate ? "overlapDiffers" : "differs"] = toJson(*report.overlapped);
  return object;
}

void print(const ResultDifference &difference, llvm::raw_ostream &out) {
  out << (difference.isOverlapping ? "they differ where arrays overlap" : "they differ");
  if (difference.isOnlyNaN)
    out << ", only in the bits of NaN";
  out << ": " << difference.what << " (input " << difference.run;
  if (difference.count)
    out << ", n = " << *difference.count;
  out << ")\n";
}

void print(const SameReport &report, llvm::raw_ostream &out) {
  if (report.separate)
    print(*report.separate, out);
  if (report.overlapped)
    print(*report.overlapped, out);
  out << (report.isSame() ? "the same results" : "compared") << " with " << report.runs << " random inputs";
  if (report.overlapping)
    out << ", and " << report.overlapping << " whose arrays overlap";
  if (report.discarded)
    out << "; with " << report.discarded << " others the first version fails";
  out << '\n';
}

} // namespace

int runSame(const SameCommandOptions &options, llvm::raw_ostream &out) {
  const auto signature = readSignature(options);
  if (!signature)
    return fail(signature.message());
  auto one = readInputFile(options.one, kMaxInputBytes);
  if (!one)
    return fail(one.message());
  auto other = readInputFile(options.other, kMaxInputBytes);
  if (!other)
    return fail(other.message());
  const auto target = Target::create({});
  if (!target)
    return fail(target.message());
  const auto read = [&](const llvm::MemoryBuffer &text) {
    const ReadingLimits limits;
    return linkText(**target, text.getBuffer(), options.function);
  };
  const auto report =
      compareResults(read(**one), read(**other), *signature, {.seed = options.seed, .anyOverlap = options.anyOverlap});
  if (options.json) {
    llvm::json::Object object = report ? toJson(*report) : llvm::json::Object{{"refused", report.message()}};
    out << llvm::formatv("{0:2}", llvm::json::Value(std::move(object))) << '\n';
  } else if (report) {
    print(*report, out);
  } else {
    out << "not compared: " << report.message() << '\n';
  }
  return 0;
}

} // namespace mca::measure
