// Reads the statements of a calibration's text. The first error ends the reading: a calibration is used whole or not.
#include "mca-core/calibration/calibration_file.h"

#include "mca-core/calibration/calibration_lines.h"
#include "mca-core/calibration/cpu_identity.h"
#include "mca-core/calibration/form.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <charconv>
#include <cmath>

namespace mca {
namespace {

using calibration::LineReader;
using calibration::quoted;
using calibration::splitAt;
using calibration::splitList;
using calibration::textOf;
using calibration::Word;

constexpr std::string_view kMagic = "mca-calibration";
constexpr size_t kMaxForms = 100'000, kMaxResources = 256, kMaxUses = 64, kMaxLatencies = 128, kMaxText = 200;
constexpr double kLeastCapacity = 0.01, kMaxAmount = 10'000, kMaxSpread = 100;
constexpr uint32_t kMaxNumber = 1'000'000;

std::string describe(const CpuIdentity &cpu) {
  return cpu.vendor + " family " + std::to_string(cpu.family) + " model " + std::to_string(cpu.model);
}

/// NAME=VALUE.
struct Item {
  Word name, value;
  bool isTaken = false;
};

class Reader {
public:
  Reader(std::string_view text, const std::string &file, const WantedCpu &wanted)
      : lines_(text), file_(file), wanted_(wanted), size_(text.size()) {}

  Result<Calibration> read();
  Result<Calibration> readCpusOnly();

private:
  struct Statement {
    std::string_view keyword;
    std::string_view usage; ///< of the names after the keyword
    size_t leastNames, mostNames;
    size_t identifying; ///< how many of the names, the first ones, no two statements share
    bool (Reader::*read)();
  };
  static const Statement kStatements[];

  bool readHead();
  bool readLine();
  bool readRest();
  bool splitLine(const Statement &statement);
  bool isNew(const Statement &statement);

  bool readCpu();
  bool readProfile();
  bool readSource();
  bool readMade();
  bool readCheck();
  bool readFact();
  bool readResource();
  bool readRule();
  bool readForm();
  bool readEnd();
  bool isWanted(const Word &vendor, const Word &llvmName);
  bool readUses(const Word &list, CalibratedForm &form);
  bool readLatencies(const Word &list, CalibratedForm &form);
  bool readTreatment(const Word &value, CalibratedForm &form);

  const Word *find(std::string_view name);
  const Word *require(std::string_view name);
  bool readValue(const ValueRow &row, const Word &name, const Word &value);
  bool readFinite(const Word &word, double &number);
  bool readNumber(const Word &word, double least, double most, double &number);
  bool readNumber(std::string_view item, double least, double most, double &number);
  bool readCount(const Word &word, uint32_t most, uint32_t &count);
  bool readCount(std::string_view item, uint32_t &count);
  bool readText(const Word &word, std::string &text);
  bool readText(std::string_view item, std::string &text);
  bool readName(const Word &word, std::string &name);
  bool readOperand(const Word &word, uint16_t &number);
  bool readProvenance(Provenance &from);
  bool fail(const Word &place, const std::string &message) { return fail(lines_.line(), place.column, message); }
  bool fail(uint32_t line, uint32_t column, const std::string &message);

  LineReader lines_;
  const std::string &file_;
  const WantedCpu &wanted_;
  size_t size_;
  Calibration calibration_;
  std::string error_;
  llvm::StringSet<> seen_; ///< keywords with their identifying names
  llvm::StringMap<uint32_t> resources_;
  bool isComplete_ = false;
  // Of the line that is being read.
  Word keyword_;
  std::vector<Word> names_;
  std::vector<Item> items_;
};

const Reader::Statement Reader::kStatements[] = {
    {"cpu", "", 0, 0, 0, &Reader::readCpu},
    {"profile", "", 0, 0, 0, &Reader::readProfile},
    {"source", " NAME", 1, 1, 1, &Reader::readSource},
    {"made", "", 0, 0, 0, &Reader::readMade},
    {"check", " BLOCKS", 1, 1, 1, &Reader::readCheck},
    {"fact", " NAME VALUE", 2, 2, 1, &Reader::readFact},
    {"resource", " NAME CAPACITY", 2, 2, 1, &Reader::readResource},
    {"rule", " NAME", 1, 1, 1, &Reader::readRule},
    {"form", " OPCODE [SHAPE]", 1, 2, 2, &Reader::readForm},
    {"end", "", 0, 0, 0, &Reader::readEnd},
};

bool Reader::fail(uint32_t line, uint32_t column, const std::string &message) {
  error_ = file_ + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " + message;
  return false;
}

Result<Calibration> Reader::read() {
  if (readHead() && readLine() && readRest())
    return std::move(calibration_);
  return Failure{error_};
}

Result<Calibration> Reader::readCpusOnly() {
  if (readHead() && readLine())
    return std::move(calibration_);
  return Failure{error_};
}

/// The first line and nothing else: a text of another kind or version is not looked at any further.
bool Reader::readHead() {
  if (size_ > kMaxCalibrationSize)
    return fail(1, 1, "the text is longer than 16 MiB");
  const bool isRead = lines_.next();
  if (!isRead || lines_.words()[0].text != kMagic || lines_.words().size() < 2)
    return fail(1, 1, "this is no calibration: it does not begin with `mca-calibration 1`");
  const Word &version = lines_.words()[1];
  uint32_t number = 0;
  if (!readCount(version, kMaxNumber, number))
    return false;
  if (number > kCalibrationVersion)
    return fail(version, "version " + std::to_string(number) + " is newer than this program, which reads version 1");
  if (number < kCalibrationVersion)
    return fail(version, "there is no version " + std::to_string(number));
  if (lines_.words().size() > 2)
    return fail(lines_.words()[2], "nothing may follow the version");
  return true;
}

bool Reader::readRest() {
  while (!isComplete_)
    if (!readLine())
      return false;
  if (lines_.next())
    return fail(lines_.words()[0], "nothing may follow `end`");
  return !lines_.error() || fail(lines_.error()->line, lines_.error()->column, lines_.error()->message);
}

/// The next statement.
bool Reader::readLine() {
  if (!lines_.next()) {
    if (lines_.error())
      return fail(lines_.error()->line, lines_.error()->column, lines_.error()->message);
    return fail(lines_.line(), 1, "the text ends without `end`: a part of it is missing");
  }
  keyword_ = lines_.words()[0];
  const auto *const statement =
      llvm::find_if(kStatements, [&](const Statement &known) { return known.keyword == keyword_.text; });
  if (statement == std::end(kStatements))
    return fail(keyword_, "no statement begins with " + quoted(keyword_.text));
  if (seen_.empty() != (keyword_.text == "cpu" || keyword_.text == "profile"))
    return fail(keyword_, "the first statement, and no other, has to be `cpu` or `profile`");
  if (!splitLine(*statement) || !isNew(*statement) || !(this->*statement->read)())
    return false;
  for (const Item &item : items_)
    if (!item.isTaken)
      return fail(item.name, quoted(keyword_.text) + " has no " + quoted(item.name.text));
  return true;
}

bool Reader::splitLine(const Statement &statement) {
  names_.clear();
  items_.clear();
  for (const Word &word : llvm::drop_begin(lines_.words())) {
    const auto sides = splitAt(word, '=');
    if (!sides && !items_.empty())
      return fail(word, quoted(word.text) + " is not of the form NAME=VALUE");
    if (!sides) {
      names_.push_back(word);
      continue;
    }
    if (llvm::any_of(items_, [&](const Item &item) { return item.name.text == sides->first.text; }))
      return fail(word, "a second " + quoted(sides->first.text));
    items_.push_back({sides->first, sides->second});
  }
  if (names_.size() < statement.leastNames || names_.size() > statement.mostNames)
    return fail(names_.size() > statement.mostNames ? names_[statement.mostNames] : keyword_,
                "the statement has to begin with `" + std::string(statement.keyword) + std::string(statement.usage) +
                    "`, and NAME=VALUE may follow");
  return true;
}

bool Reader::isNew(const Statement &statement) {
  std::string key(statement.keyword);
  for (const Word &name : llvm::ArrayRef(names_).take_front(statement.identifying))
    key.append(" ").append(name.text);
  return seen_.insert(key).second || fail(keyword_, "a second " + quoted(key));
}

// Statements.

bool Reader::readCpu() {
  CpuIdentity &cpu = calibration_.cpu;
  const Word *const vendor = require("vendor");
  const Word *const llvmName = vendor ? require("llvm") : nullptr;
  return llvmName && readName(*vendor, cpu.vendor) && readCount("family", cpu.family) &&
         readCount("model", cpu.model) && readCount("stepping", cpu.stepping) && readName(*llvmName, cpu.llvmName) &&
         readText("microcode", cpu.microcode) && readText("brand", cpu.brand) && isWanted(*vendor, *llvmName);
}

/// The names are LLVM's.
bool Reader::readProfile() {
  const Word *const brand = require("brand");
  const Word *const names = brand ? require("llvm") : nullptr;
  if (!names || !readText(*brand, calibration_.cpu.brand))
    return false;
  for (const Word &name : splitList(*names)) {
    if (!readName(name, calibration_.profiled.emplace_back()))
      return false;
    if (llvm::is_contained(llvm::ArrayRef(calibration_.profiled).drop_back(), name.text))
      return fail(name, "a second " + quoted(name.text));
  }
  if (wanted_.machine)
    return fail(*brand, "this is a documented profile, and no calibration of " + describe(*wanted_.machine));
  if (!wanted_.llvmName.empty() && !speaksOf(calibration_, wanted_.llvmName))
    return fail(*names, "this is the profile of " + calibration_.cpu.brand + ", not of " + wanted_.llvmName);
  return true;
}

bool Reader::readSource() {
  if (!calibration_.isProfile())
    return fail(keyword_, "only a profile has sources");
  DocumentedSource &source = calibration_.sources.emplace_back();
  return readName(names_[0], source.name) && require("text") && readText("text", source.text);
}

bool Reader::isWanted(const Word &vendor, const Word &llvmName) {
  if (wanted_.machine && !isSameCpu(*wanted_.machine, calibration_.cpu))
    return fail(vendor,
                "this is the calibration of " + describe(calibration_.cpu) + ", not of " + describe(*wanted_.machine));
  if (!wanted_.llvmName.empty() && !speaksOf(calibration_, wanted_.llvmName))
    return fail(llvmName, "this is the calibration of " + calibration_.cpu.llvmName + ", not of " + wanted_.llvmName);
  return true;
}

bool Reader::readMade() {
  const Word *const date = require("date");
  if (!date)
    return false;
  const auto isDigitOrDash = [&](size_t i) {
    return i == 4 || i == 7 ? date->text[i] == '-' : llvm::isDigit(date->text[i]);
  };
  if (date->text.size() != 10 || !llvm::all_of(llvm::seq<size_t>(0, 10), isDigitOrDash))
    return fail(*date, quoted(date->text) + " is no date of the form YYYY-MM-DD");
  calibration_.date = date->text;
  return require("by") && readText("by", calibration_.madeBy);
}

bool Reader::readCheck() {
  CalibrationCheck check;
  const auto readErrors = [&](const std::string &prefix, CalibrationCheck::Errors &errors) {
    return readNumber(prefix + "mean", 0, kMaxNumber, errors.mean) &&
           readNumber(prefix + "median", 0, kMaxNumber, errors.median) && readNumber(prefix + "tau", -1, 1, errors.tau);
  };
  if (!readName(names_[0], check.blocks) || !readCount("count", check.count) || !readErrors("", check.calibrated) ||
      !readErrors("llvm-", check.llvm))
    return false;
  calibration_.checks.push_back(std::move(check));
  return true;
}

bool Reader::readFact() {
  const FactRow *const row = findFact(names_[0].text);
  if (!row)
    return fail(names_[0], "there is no fact " + quoted(names_[0].text));
  return readValue(row->value, names_[0], names_[1]) && readProvenance(row->editFrom(calibration_));
}

/// A number of the table of values.
bool Reader::readValue(const ValueRow &row, const Word &name, const Word &value) {
  double number = 0;
  if (!readFinite(value, number))
    return false;
  if (const std::string refusal = row.refusalOf(number); !refusal.empty())
    return fail(value, quoted(value.text) + " " + refusal);
  row.set(calibration_, name.text, number);
  return true;
}

bool Reader::readResource() {
  if (calibration_.resources.size() == kMaxResources)
    return fail(keyword_, "there are more than 256 resources");
  CalibratedResource resource;
  if (!readName(names_[0], resource.name) ||
      !readNumber(names_[1], kLeastCapacity, kMaxUnitsPerCycle, resource.capacity) || !readProvenance(resource.from))
    return false;
  if (resource.name == "from")
    return fail(names_[0], "a resource cannot have this name");
  resources_.try_emplace(resource.name, static_cast<uint32_t>(calibration_.resources.size()));
  calibration_.resources.push_back(std::move(resource));
  return true;
}

bool Reader::readRule() {
  const RuleRow *const row = findRule(names_[0].text);
  if (!row)
    return fail(names_[0], "there is no rule " + quoted(names_[0].text));
  CalibratedRule &rule = row->edit(calibration_);
  rule.isOn = true;
  if (!readProvenance(rule.from))
    return false;
  for (Item &item : items_) {
    if (item.isTaken)
      continue;
    const ValueRow *const value = findValue(*row, item.name.text, resources_.contains(item.name.text));
    if (!value)
      return fail(item.name, "rule " + quoted(row->name) + " has no " + quoted(item.name.text));
    if (!readValue(*value, item.name, item.value))
      return false;
    item.isTaken = true;
  }
  return true;
}

bool Reader::readForm() {
  if (calibration_.forms.size() == kMaxForms)
    return fail(keyword_, "there are more than 100,000 forms");
  CalibratedForm form;
  if (!readName(names_[0], form.opcode))
    return false;
  if (names_.size() > 1 && !isShape(names_[1].text))
    return fail(names_[1], quoted(names_[1].text) + " is no shape");
  form.shape = names_.size() > 1 ? names_[1].text : "";
  const Word *const uses = find("uses");
  const Word *const latencies = find("latencies");
  const Word *const treatment = find("rename");
  if (find("slots") && !readNumber("slots", 0, kMaxAmount, form.slots.emplace()))
    return false;
  if ((uses && !readUses(*uses, form)) || (latencies && !readLatencies(*latencies, form)) ||
      (treatment && !readTreatment(*treatment, form)) || !readProvenance(form.from))
    return false;
  calibration_.forms.push_back(std::move(form));
  return true;
}

/// RESOURCE:AMOUNT,…
bool Reader::readUses(const Word &list, CalibratedForm &form) {
  for (const Word &part : splitList(list)) {
    const auto sides = splitAt(part, ':');
    if (!sides)
      return fail(part, quoted(part.text) + " is not of the form RESOURCE:AMOUNT");
    const auto resource = resources_.find(sides->first.text);
    if (resource == resources_.end())
      return fail(part, "there is no resource " + quoted(sides->first.text) + " before this line");
    CalibratedForm::Use use{.resource = resource->second};
    if (!readNumber(sides->second, 0, kMaxAmount, use.amount))
      return false;
    if (use.amount > kMaxAmount * calibration_.resources[use.resource].capacity)
      return fail(part, "it takes the resource for more than 10,000 cycles");
    if (llvm::any_of(form.uses, [&](const CalibratedForm::Use &other) { return other.resource == use.resource; }))
      return fail(part, "a second " + quoted(sides->first.text));
    if (form.uses.size() == kMaxUses)
      return fail(part, "there are more than 64 uses");
    form.uses.push_back(use);
  }
  return true;
}

/// SOURCE>DESTINATION:CYCLES,…
bool Reader::readLatencies(const Word &list, CalibratedForm &form) {
  for (const Word &part : splitList(list)) {
    const auto sides = splitAt(part, ':');
    const auto operands = sides ? splitAt(sides->first, '>') : std::nullopt;
    if (!operands)
      return fail(part, quoted(part.text) + " is not of the form SOURCE>DESTINATION:CYCLES");
    CalibratedForm::Latency latency;
    if (!readOperand(operands->first, latency.source) || !readOperand(operands->second, latency.destination) ||
        !readNumber(sides->second, 0, kMaxAmount, latency.cycles))
      return false;
    if (llvm::any_of(form.latencies, [&](const CalibratedForm::Latency &other) {
          return other.source == latency.source && other.destination == latency.destination;
        }))
      return fail(part, "a second " + quoted(sides->first.text));
    if (form.latencies.size() == kMaxLatencies)
      return fail(part, "there are more than 128 latencies");
    form.latencies.push_back(latency);
  }
  return true;
}

bool Reader::readTreatment(const Word &value, CalibratedForm &form) {
  const auto *const known = llvm::find(calibration::kTreatmentNames, value.text);
  if (known == std::end(calibration::kTreatmentNames) || value.text.empty())
    return fail(value, "renaming has no treatment " + quoted(value.text));
  form.treatment = static_cast<RenameTreatment>(known - std::begin(calibration::kTreatmentNames));
  return true;
}

bool Reader::readEnd() {
  isComplete_ = true;
  return seen_.contains("made") || fail(keyword_, "there is no statement `made`");
}

// Items and their values.

const Word *Reader::find(std::string_view name) {
  const auto item = llvm::find_if(items_, [&](const Item &known) { return known.name.text == name; });
  if (item == items_.end())
    return nullptr;
  item->isTaken = true;
  return &item->value;
}

const Word *Reader::require(std::string_view name) {
  const Word *const value = find(name);
  if (!value)
    fail(keyword_, quoted(keyword_.text) + " needs `" + std::string(name) + "=`");
  return value;
}

bool Reader::readFinite(const Word &word, double &number) {
  const char *const end = word.text.data() + word.text.size();
  const auto read = std::from_chars(word.text.data(), end, number);
  return (read.ec == std::errc() && read.ptr == end && std::isfinite(number)) ||
         fail(word, quoted(word.text) + " is no number");
}

bool Reader::readNumber(const Word &word, double least, double most, double &number) {
  if (!readFinite(word, number))
    return false;
  return (number >= least && number <= most) ||
         fail(word, quoted(word.text) + " is not within " + textOf(least) + " to " + textOf(most));
}

bool Reader::readNumber(std::string_view item, double least, double most, double &number) {
  const Word *const value = require(item);
  return value && readNumber(*value, least, most, number);
}

bool Reader::readCount(const Word &word, uint32_t most, uint32_t &count) {
  const char *const end = word.text.data() + word.text.size();
  const auto read = std::from_chars(word.text.data(), end, count);
  if (read.ec != std::errc() || read.ptr != end || count > most)
    return fail(word, quoted(word.text) + " is no whole number up to " + std::to_string(most));
  return true;
}

bool Reader::readCount(std::string_view item, uint32_t &count) {
  const Word *const value = require(item);
  return value && readCount(*value, kMaxNumber, count);
}

/// A word, or any text in double quotes.
bool Reader::readText(const Word &word, std::string &text) {
  std::string_view content = word.text;
  const bool isQuoted = content.size() > 1 && content.starts_with('"') && content.ends_with('"');
  if (isQuoted)
    content = content.substr(1, content.size() - 2);
  if (content.find('"') != std::string_view::npos)
    return fail(word, "a text cannot contain quotes");
  if (content.empty() || content.size() > kMaxText)
    return fail(word, "a text has 1 to 200 characters");
  text = content;
  return true;
}

/// Leaves `text` as it is if there is no such item.
bool Reader::readText(std::string_view item, std::string &text) {
  const Word *const value = find(item);
  return !value || readText(*value, text);
}

bool Reader::readName(const Word &word, std::string &name) {
  if (word.text.empty() || word.text.size() > kMaxText || !llvm::all_of(word.text, calibration::isNameCharacter))
    return fail(word, quoted(word.text) + " is no name: it needs 1 to 200 letters, digits, and -_.+/");
  name = word.text;
  return true;
}

/// N for an operand, iN for an implicit register.
bool Reader::readOperand(const Word &word, uint16_t &number) {
  const bool isImplicit = word.text.starts_with('i');
  uint32_t index = 0;
  if (!readCount(isImplicit ? word.part(1) : word, kFirstImplicit - 1, index))
    return false;
  number = formOperandNumber(isImplicit ? ~static_cast<int>(index) : static_cast<int>(index));
  return true;
}

/// from=PROBE:SPREAD:PASSES, which may be missing; in a profile from=SOURCE, which may not.
bool Reader::readProvenance(Provenance &from) {
  const Word *const value = calibration_.isProfile() ? require("from") : find("from");
  if (!value)
    return !calibration_.isProfile();
  if (calibration_.isProfile()) {
    from.probe = value->text;
    return llvm::any_of(calibration_.sources, [&](const auto &source) { return source.name == from.probe; }) ||
           fail(*value, "there is no source " + quoted(value->text) + " before this line");
  }
  const auto probe = splitAt(*value, ':');
  const auto rest = probe ? splitAt(probe->second, ':') : std::nullopt;
  if (!rest)
    return fail(*value, quoted(value->text) + " is not of the form PROBE:SPREAD:PASSES");
  return readName(probe->first, from.probe) && readNumber(rest->first, 0, kMaxSpread, from.spread) &&
         readCount(rest->second, kMaxNumber, from.passes);
}

} // namespace

Result<Calibration> readCalibration(std::string_view text, const std::string &file, const WantedCpu &wanted) {
  return Reader(text, file, wanted).read();
}

Result<Calibration> readCalibratedCpus(std::string_view text, const std::string &file) {
  return Reader(text, file, {}).readCpusOnly();
}

} // namespace mca
