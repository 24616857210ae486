#include "analysis/profile/profile_builder.h"

#include "analysis/profile/source_lines.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

#include <algorithm>

namespace analysis {
namespace {

using By = RecordedPlace::By;
using Rest = UnattributedWeight::Kind;

constexpr size_t kMaxModules = 256;
constexpr size_t kMaxCodeBytes = 1u << 20; ///< of a function; longer ones are tables or lack their size
constexpr size_t kMaxAliases = 16;
constexpr uint32_t kPageMask = 0xfff;

/// Adds the weights of a function's places up by source line. Returns the path of the source.
std::string addLines(ProfiledFunction &function, SourceLines &lines) {
  std::string source;
  std::map<uint32_t, ProfiledLine> byLine;
  for (const ProfiledPlace &place : function.places) {
    const SourceLine at = place.weight ? lines.at(function.address + place.offset) : SourceLine();
    if (at.line == 0 || (!source.empty() && source != at.path))
      continue;
    source = at.path;
    ProfiledLine &sum = byLine[at.line];
    sum.line = at.line;
    sum.weight += place.weight;
    sum.digest = at.digest;
  }
  for (const auto &[number, line] : byLine)
    function.lines.push_back(line);
  return source;
}

/// Whether a symbol may be what a profiler names so: it may lack parameters, template arguments and the compiler's
/// marks.
bool mayBe(llvm::StringRef symbol, llvm::StringRef named) {
  named = named.take_front(named.find_first_of("(<"));
  const size_t scope = named.find_last_of(":. ");
  return symbol.contains(scope == llvm::StringRef::npos ? named : named.drop_front(scope + 1));
}

} // namespace

/// A program of the recording.
class ProfileBuilder::Module {
public:
  Module(uint32_t index, std::unique_ptr<ProgramImage> image)
      : index(index), image(std::move(image)), lines(std::make_unique<SourceLines>(*this->image)) {
    for (const auto &named : this->image->functions())
      for (const ProgramFunction &function : named.getValue())
        byAddress_.push_back(&function);
    llvm::stable_sort(byAddress_, [](const ProgramFunction *a, const ProgramFunction *b) {
      // Of several names of an address, the first without marks of a compiler: `f` before `f.cold`.
      return std::pair(a->address, a->name) < std::pair(b->address, b->name);
    });
  }

  /// The end of a function: that of its symbol, or else where the next one begins.
  uint64_t endOf(const ProgramFunction &function) const {
    const uint64_t end = function.address + function.bytes.size();
    if (function.hasSize)
      return end;
    const auto next = std::ranges::upper_bound(byAddress_, function.address, {}, &ProgramFunction::address);
    return next == byAddress_.end() ? end : std::min(end, (*next)->address);
  }

  /// The function that holds an address, by the first of its names; null if there is none.
  const ProgramFunction *functionAt(uint64_t address) const {
    const auto next = std::ranges::upper_bound(byAddress_, address, {}, &ProgramFunction::address);
    if (next == byAddress_.begin())
      return nullptr;
    const ProgramFunction *const found = firstAt((*std::prev(next))->address);
    return address < endOf(*found) ? found : nullptr;
  }

  /// The functions of a name as the linker or perf writes it, or of the number that LLVM hashes the linker's name to.
  std::vector<const ProgramFunction *> functionsNamed(llvm::StringRef name) {
    std::vector<const ProgramFunction *> found;
    for (const ProgramFunction &one : image->functionsNamed(name))
      found.push_back(&one);
    if (!found.empty())
      return found;
    if (otherNames_.empty())
      for (const ProgramFunction *function : byAddress_) {
        if (std::string readable = llvm::demangle(function->name); readable != function->name)
          otherNames_[readable].push_back(function);
        otherNames_[std::to_string(llvm::MD5Hash(function->name))].push_back(function);
      }
    const auto known = otherNames_.find(name);
    return known == otherNames_.end() ? found : known->second;
  }

  /// All names of an address, the first one first.
  std::vector<std::string> namesAt(uint64_t address) const {
    std::vector<std::string> names;
    for (auto at = std::ranges::lower_bound(byAddress_, address, {}, &ProgramFunction::address);
         at != byAddress_.end() && (*at)->address == address && names.size() <= kMaxAliases; ++at)
      if (names.empty() || names.back() != (*at)->name)
        names.push_back((*at)->name.str());
    return names;
  }
  const ProgramFunction *firstAt(uint64_t address) const {
    return *std::ranges::lower_bound(byAddress_, address, {}, &ProgramFunction::address);
  }

  const uint32_t index;
  const std::unique_ptr<ProgramImage> image;
  const std::unique_ptr<SourceLines> lines;
  uint64_t moved = 0; ///< samples whose place in the page is not that of their symbol
  uint64_t found = 0;

private:
  std::vector<const ProgramFunction *> byAddress_;
  llvm::StringMap<std::vector<const ProgramFunction *>> otherNames_; ///< made when one is looked up
};

ProfileBuilder::ProfileBuilder(std::vector<std::unique_ptr<ProgramImage>> programs) : opensModules_(programs.empty()) {
  for (std::unique_ptr<ProgramImage> &image : programs)
    modules_.push_back(std::make_unique<Module>(static_cast<uint32_t>(modules_.size()), std::move(image)));
}
ProfileBuilder::~ProfileBuilder() = default;

void ProfileBuilder::event(std::string_view name, ProfileUnit unit) {
  profile_.event = name.empty() ? "samples" : name; // a name in a file is never empty
  profile_.unit = unit;
}

/// The program of a path; null if it is not among the programs, or cannot be read. A file that was copied since is
/// found by its name.
ProfileBuilder::Module *ProfileBuilder::moduleOf(std::string_view path) {
  if (path.empty())
    return modules_.empty() ? nullptr : modules_.front().get();
  if (const auto known = byPath_.find(path); known != byPath_.end())
    return known->second;
  Module *&module = byPath_.try_emplace(std::string(path), nullptr).first->second;
  if (opensModules_) {
    if (modules_.size() >= kMaxModules)
      return nullptr;
    auto image = ProgramImage::open(std::string(path));
    if (!image || (*image)->functions().empty())
      return nullptr;
    modules_.push_back(std::make_unique<Module>(static_cast<uint32_t>(modules_.size()), std::move(*image)));
    return module = modules_.back().get();
  }
  for (const auto &one : modules_)
    if (bool isSame = false; !llvm::sys::fs::equivalent(one->image->path(), path, isSame) && isSame)
      return module = one.get();
  for (const auto &one : modules_)
    if (llvm::sys::path::filename(one->image->path()) == llvm::sys::path::filename(path))
      return module = one.get();
  return nullptr;
}

void ProfileBuilder::build(std::string_view module, std::string_view buildId) {
  // Go's identities are no numbers.
  if (buildId.empty() || !llvm::all_of(buildId, llvm::isHexDigit))
    return;
  Module *const known = moduleOf(module);
  if (!known || known->image->buildId().empty() || llvm::StringRef(known->image->buildId()).equals_insensitive(buildId))
    return;
  note(known->image->path() + ": this is another build than the one that was recorded, and is left out");
  byPath_[std::string(module)] = nullptr;
}

void ProfileBuilder::addRest(Rest kind, std::string_view module, uint64_t weight) {
  uint64_t &sum = rest_[{kind, std::string(module)}];
  sum = llvm::SaturatingAdd(sum, weight);
}

void ProfileBuilder::sampled(const RecordedPlace &place, const RecordedWeight &weight) {
  profile_.samples += weight.samples;
  isCounted_ |= weight.executions != 0;
  if (place.by == By::Kernel)
    return addRest(Rest::Kernel, "", weight.weight);
  if (place.by == By::Unknown)
    return addRest(Rest::Unknown, "", weight.weight);
  Module *const module = moduleOf(place.module);
  if (module && (place.by == By::Line ? addToLine(*module, place, weight) : addToFunction(*module, place, weight)))
    return;
  lacksProgram_ |= !module && place.by == By::Line;
  if (place.by == By::Line && weight.executions)
    incompleteLines_.emplace(llvm::sys::path::filename(place.source), place.line);
  if (weight.weight == 0)
    return;
  const std::string_view path = module ? std::string_view(module->image->path()) : place.module;
  addRest(path.empty() ? Rest::Unknown : Rest::Module, path, weight.weight);
}

/// False if no function has the place.
bool ProfileBuilder::addToFunction(Module &module, const RecordedPlace &place, const RecordedWeight &weight) {
  const ProgramFunction *found = nullptr;
  uint64_t address = place.address;
  if (place.by == By::Symbol) {
    const auto candidates = module.functionsNamed(place.symbol);
    size_t fitting = 0;
    for (const ProgramFunction *one : candidates)
      if (place.address < module.endOf(*one) - one->address &&
          (!place.inPage || ((one->address + place.address) & kPageMask) == *place.inPage) &&
          (!found || found->address != one->address)) {
        found = one;
        ++fitting;
      }
    if (fitting == 0 && !candidates.empty())
      module.moved += std::max<uint64_t>(weight.samples, 1);
    if (fitting != 1)
      return false;
    address = found->address + place.address;
    found = module.firstAt(found->address);
  } else if (place.by == By::Address || place.by == By::FileOffset) {
    if (place.by == By::FileOffset) {
      const auto loaded = module.image->addressOf(place.address);
      if (!loaded)
        return false;
      address = *loaded;
    }
    found = module.functionAt(address);
    if (found && !place.symbol.empty() &&
        llvm::none_of(module.namesAt(found->address), [&](const auto &name) { return mayBe(name, place.symbol); })) {
      module.moved += std::max<uint64_t>(weight.samples, 1);
      return false;
    }
  }
  if (!found || address - found->address > UINT32_MAX)
    return false;
  module.found += std::max<uint64_t>(weight.samples, 1);
  const auto offset = static_cast<uint32_t>(address - found->address);
  RecordedWeight &sum = functions_[{module.index, found}][offset];
  sum.weight = llvm::SaturatingAdd(sum.weight, weight.weight);
  sum.executions = llvm::SaturatingAdd(sum.executions, weight.executions);
  return true;
}

/// False if no function has the name, or several have it.
bool ProfileBuilder::addToLine(Module &module, const RecordedPlace &place, const RecordedWeight &weight) {
  const auto candidates = module.functionsNamed(place.symbol);
  if (candidates.empty() ||
      llvm::any_of(candidates, [&](const ProgramFunction *one) { return one->address != candidates.front()->address; }))
    return false;
  module.found += std::max<uint64_t>(weight.samples, 1);
  FunctionLines &function = functionLines_[{module.index, module.firstAt(candidates.front()->address)}];
  function.weight = llvm::SaturatingAdd(function.weight, weight.weight);
  if (function.source.empty())
    function.source = place.source;
  function.isFromDeclaration = place.isFromDeclaration;
  if ((place.line || place.isFromDeclaration) && function.source == place.source) {
    ProfiledLine &sum = function.lines[place.line];
    sum.weight = llvm::SaturatingAdd(sum.weight, weight.weight);
    sum.iterations = std::min(llvm::SaturatingAdd(sum.iterations, weight.executions), Profile::kMaxWeight);
    sum.ends = std::min(llvm::SaturatingAdd(sum.ends, weight.ends), Profile::kMaxWeight);
  }
  return true;
}

ProfiledFunction ProfileBuilder::describeLines(const Function &key, const FunctionLines &lines) {
  const Module &module = *modules_[key.first];
  std::vector<std::string> names = module.namesAt(key.second->address);
  ProfiledFunction result{.name = std::move(names.front()), .address = key.second->address};
  result.aliases.assign(std::make_move_iterator(names.begin() + 1), std::make_move_iterator(names.end()));
  result.places.push_back({.offset = 0, .weight = lines.weight});
  // The debug information has the whole path.
  const SourceLine declaration = module.lines->declarationAt(key.second->address);
  const bool isSame = llvm::sys::path::filename(declaration.path) == llvm::sys::path::filename(lines.source);
  const std::string &source = isSame || lines.source.empty() ? declaration.path : lines.source;
  result.source = sources_.indexOf(source);
  if (source.empty() || (lines.isFromDeclaration && !declaration.line))
    return result;
  const std::string file = llvm::sys::path::filename(lines.source).str();
  for (const auto &[number, sum] : lines.lines) {
    if (incompleteLines_.contains({file, number}))
      continue;
    ProfiledLine &line = result.lines.emplace_back(sum);
    line.line = lines.isFromDeclaration ? declaration.line + number : number;
    line.digest = module.lines->digestOfLine(source, line.line);
  }
  return result;
}

ProfiledFunction ProfileBuilder::describe(const Function &key, const std::map<uint32_t, RecordedWeight> &places) {
  const Module &module = *modules_[key.first];
  const ProgramFunction &function = *key.second;
  const uint64_t size = module.endOf(function) - function.address;
  std::vector<std::string> names = module.namesAt(function.address);
  ProfiledFunction result{.name = std::move(names.front()), .address = function.address};
  result.aliases.assign(std::make_move_iterator(names.begin() + 1), std::make_move_iterator(names.end()));
  if (size <= kMaxCodeBytes)
    result.code = function.bytes.take_front(size).str();
  for (const auto &[offset, sum] : places)
    result.addPlace({.offset = offset, .weight = sum.weight}, sum.executions);
  result.source = sources_.indexOf(addLines(result, *module.lines));
  return result;
}

mca::Result<Profile> ProfileBuilder::finish() {
  for (const auto &module : modules_)
    if (module->moved > module->found)
      return mca::Failure{module->image->path() +
                          ": this is another build than the one that was recorded: addresses do not fit its symbols"};
  if (lacksProgram_)
    note("the recording has no addresses, and no --program says where its functions are");
  std::map<uint32_t, uint32_t> programs; // modules without functions are left out
  const auto add = [&](uint32_t module, ProfiledFunction function) {
    const auto [known, isNew] = programs.try_emplace(module, static_cast<uint32_t>(profile_.programs.size()));
    if (isNew) {
      const ProgramImage &image = *modules_[module]->image;
      profile_.programs.push_back({image.path(), image.triple(), image.buildId()});
    }
    function.program = known->second;
    profile_.functions.push_back(std::move(function));
  };
  for (auto &[key, places] : functions_)
    add(key.first, describe(key, places));
  for (const auto &[key, lines] : functionLines_)
    add(key.first, describeLines(key, lines));
  llvm::stable_sort(profile_.functions, [](const ProfiledFunction &a, const ProfiledFunction &b) {
    return std::pair(a.program, a.address) < std::pair(b.program, b.address);
  });
  uint64_t total = 0;
  for (const ProfiledFunction &function : profile_.functions)
    for (const ProfiledPlace &place : function.places)
      total = llvm::SaturatingAdd(total, place.weight);
  for (const auto &[key, weight] : rest_) {
    profile_.rest.push_back({key.first, key.second, weight});
    total = llvm::SaturatingAdd(total, weight);
  }
  if (total == 0 && !isCounted_)
    return mca::Failure{"nothing was recorded"};
  if (total > Profile::kMaxWeight)
    return mca::Failure{"the counts add up to too much"};
  profile_.runs = total ? 1 : 0;
  profile_.countedRuns = isCounted_ ? countedRuns_ : 0;
  return std::move(profile_);
}

} // namespace analysis
