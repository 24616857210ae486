// The format is a protocol buffer, mostly packed by gzip: github.com/google/pprof, proto/profile.proto. Its messages
// refer to each other by number and come in any order, so it is walked three times: what samples refer to last comes
// first.
//
// protozero throws an exception for bytes that are no protocol buffer; read() alone catches it.
#include "analysis/profile/pprof_reader.h"

#include "analysis/import/record_text.h"
#include "analysis/profile/binary_recording.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <map>
#include <protozero/pbf_reader.hpp>
#include <unordered_map>

namespace analysis {
namespace {

using llvm::StringRef;
using protozero::data_view;
using protozero::pbf_reader;
using protozero::pbf_wire_type;

/// Numbers of fields.
namespace field {
enum Profile : uint32_t { SampleType = 1, Sample, Mapping, Location, Function, StringTable, DefaultSampleType = 14 };
enum ValueType : uint32_t { Type = 1, Unit };
enum OfSample : uint32_t { LocationId = 1, Value };
enum OfMapping : uint32_t { MappingId = 1, MemoryStart, MemoryLimit, FileOffset, Filename, BuildId };
enum OfLocation : uint32_t { Id = 1, OfMappingId, Address, Line };
enum OfLine : uint32_t { FunctionId = 1, LineNumber };
enum OfFunction : uint32_t { OwnId = 1, Name, SystemName, SourceFile };
} // namespace field

struct ValueType {
  uint64_t type = 0, unit = 0; ///< indices of strings, as all names below
};
struct Mapping {
  uint64_t start = 0, limit = 0, fileOffset = 0, file = 0, buildId = 0;
};
struct Function {
  uint64_t name = 0, systemName = 0, file = 0;
};
struct Location {
  uint64_t mapping = 0, address = 0;
  uint64_t function = 0; ///< the one that was not inlined; 0: unknown
  int64_t line = 0;      ///< in it
};

constexpr uint32_t varint(uint32_t tag) {
  return protozero::tag_and_type(tag, pbf_wire_type::varint);
}
constexpr uint32_t bytes(uint32_t tag) {
  return protozero::tag_and_type(tag, pbf_wire_type::length_delimited);
}

/// Calls `visit` with each field of a message; what it does not take, as it returns false, is skipped.
template <typename Visitor>
void forEachField(pbf_reader message, Visitor visit) {
  while (message.next())
    if (!visit(message))
      message.skip();
}

/// Takes a number if the field is the wanted one.
bool take(pbf_reader &message, uint32_t tag, uint64_t &number) {
  if (message.tag_and_type() != varint(tag))
    return false;
  number = message.get_uint64();
  return true;
}

class PprofReader final : public ProfileReader {
public:
  std::optional<ImportError> read(int descriptor, ProfileSink &sink,
                                  const std::function<bool(uint64_t bytes)> &onChunk) override;

private:
  std::optional<ImportError> readProfile(ProfileSink &sink);
  std::optional<ImportError> readTables();
  std::optional<ImportError> chooseValue();
  std::optional<ImportError> readSamples();
  std::optional<ImportError> addSample(pbf_reader sample);
  void readLocations();
  std::optional<ImportError> emit(ProfileSink &sink) const;
  RecordedPlace placeOf(const Location &location) const;
  const Mapping *mappingOf(const Location &location) const;

  template <typename Visitor>
  void forEachMessage(uint32_t tag, Visitor visit) {
    forEachField({all_.data(), all_.size()}, [&](pbf_reader &profile) {
      at_ = all_.size() - profile.length();
      if (profile.tag_and_type() != bytes(tag))
        return false;
      visit(profile.get_message());
      return true;
    });
  }
  ImportError errorHere(const llvm::Twine &message) const {
    return errorInFile("at byte " + llvm::Twine(at_) + ": " + message);
  }
  StringRef text(uint64_t index) const {
    return index < strings_.size() ? StringRef(strings_[index].data(), strings_[index].size()) : StringRef();
  }

  std::string all_; ///< unpacked
  size_t at_ = 0;   ///< where the field begins that is being read, after its number, in bytes
  std::vector<data_view> strings_;
  std::vector<ValueType> types_;
  uint64_t defaultType_ = 0;
  std::map<uint64_t, Mapping> mappings_; ///< by their numbers, as all below
  std::unordered_map<uint64_t, Function> functions_;
  std::map<uint64_t, RecordedWeight> weights_;       ///< of locations
  std::unordered_map<uint64_t, Location> locations_; ///< those that have weight
  size_t value_ = 0;                                 ///< which of a sample's values counts
  std::optional<size_t> sampleCount_;                ///< which of them is how often it was sampled
  ProfileUnit unit_ = ProfileUnit::Events;
  uint64_t scale_ = 1; ///< of a value to its unit
};

std::optional<ImportError> PprofReader::read(int descriptor, ProfileSink &sink,
                                             const std::function<bool(uint64_t bytes)> &onChunk) {
  auto packed = readBytes(descriptor, onChunk);
  if (!packed)
    return errorInFile(packed.message());
  auto all = unpacked(std::move(*packed));
  if (!all)
    return errorInFile(all.message());
  all_ = std::move(*all);
  try {
    return readProfile(sink);
  } catch (const protozero::exception &) {
    return errorHere("this is no profile of pprof, or not a whole one");
  }
}

std::optional<ImportError> PprofReader::readProfile(ProfileSink &sink) {
  if (auto error = readTables())
    return error;
  if (auto error = chooseValue())
    return error;
  if (auto error = readSamples())
    return error;
  readLocations();
  return emit(sink);
}

/// Strings, kinds of values, mappings and functions.
std::optional<ImportError> PprofReader::readTables() {
  bool isTooLarge = false;
  forEachField({all_.data(), all_.size()}, [&](pbf_reader &profile) {
    at_ = all_.size() - profile.length();
    isTooLarge |= std::max({strings_.size(), types_.size(), mappings_.size(), functions_.size()}) > kMaxProfiledPlaces;
    if (isTooLarge)
      return false;
    switch (profile.tag_and_type()) {
    case bytes(field::StringTable):
      strings_.push_back(profile.get_view());
      return true;
    case bytes(field::SampleType): {
      ValueType &type = types_.emplace_back();
      forEachField(profile.get_message(), [&](pbf_reader &message) {
        return take(message, field::Type, type.type) || take(message, field::Unit, type.unit);
      });
      return true;
    }
    case bytes(field::Mapping): {
      Mapping mapping;
      uint64_t id = 0;
      forEachField(profile.get_message(), [&](pbf_reader &message) {
        return take(message, field::MappingId, id) || take(message, field::MemoryStart, mapping.start) ||
               take(message, field::MemoryLimit, mapping.limit) ||
               take(message, field::FileOffset, mapping.fileOffset) || take(message, field::Filename, mapping.file) ||
               take(message, field::BuildId, mapping.buildId);
      });
      mappings_.emplace(id, mapping);
      return true;
    }
    case bytes(field::Function): {
      Function function;
      uint64_t id = 0;
      forEachField(profile.get_message(), [&](pbf_reader &message) {
        return take(message, field::OwnId, id) || take(message, field::Name, function.name) ||
               take(message, field::SystemName, function.systemName) || take(message, field::SourceFile, function.file);
      });
      functions_.emplace(id, function);
      return true;
    }
    default:
      return take(profile, field::DefaultSampleType, defaultType_);
    }
  });
  if (isTooLarge)
    return errorInFile("there are too many names, mappings or functions");
  return {};
}

std::optional<ImportError> PprofReader::chooseValue() {
  if (types_.empty())
    return errorInFile("this is no profile of pprof: it says nothing of its values");
  value_ = types_.size() - 1;
  for (size_t i = 0; i < types_.size(); ++i) {
    if (defaultType_ && text(types_[i].type) == text(defaultType_))
      value_ = i;
    if (text(types_[i].type) == "samples" && text(types_[i].unit) == "count")
      sampleCount_ = i;
  }
  const StringRef type = text(types_[value_].type);
  const uint64_t nanoseconds = llvm::StringSwitch<uint64_t>(text(types_[value_].unit))
                                   .Case("nanoseconds", 1)
                                   .Case("microseconds", 1'000)
                                   .Case("milliseconds", 1'000'000)
                                   .Case("seconds", 1'000'000'000)
                                   .Default(0);
  if (type == "cpu" && nanoseconds) { // others, such as "wall" or "delay", are no processor time
    unit_ = ProfileUnit::Nanoseconds;
    scale_ = nanoseconds;
  } else if (type == "cycles" || type == "cycles_event") {
    unit_ = ProfileUnit::Cycles;
  } else if (type == "instructions" || type == "instructions_event") {
    unit_ = ProfileUnit::Instructions;
  }
  return {};
}

std::optional<ImportError> PprofReader::readSamples() {
  std::optional<ImportError> error;
  forEachMessage(field::Sample, [&](const pbf_reader &sample) {
    if (!error)
      error = addSample(sample);
  });
  if (!error && weights_.empty())
    return errorInFile("no samples");
  return error;
}

/// Lists of numbers are packed or not.
std::optional<ImportError> PprofReader::addSample(pbf_reader sample) {
  std::optional<uint64_t> innermost;
  std::vector<int64_t> values;
  const auto addValue = [&](int64_t value) {
    if (values.size() < types_.size())
      values.push_back(value);
  };
  forEachField(sample, [&](pbf_reader &message) {
    switch (message.tag_and_type()) {
    case varint(field::LocationId): {
      const uint64_t location = message.get_uint64();
      innermost = innermost.value_or(location);
      return true;
    }
    case bytes(field::LocationId): {
      const auto chain = message.get_packed_uint64();
      if (!innermost && !chain.empty())
        innermost = chain.front();
      return true;
    }
    case varint(field::Value):
      addValue(message.get_int64());
      return true;
    case bytes(field::Value):
      for (const int64_t value : message.get_packed_int64())
        addValue(value);
      return true;
    default:
      return false;
    }
  });
  if (values.size() != types_.size())
    return errorHere("a sample has fewer values than the profile has kinds of them");
  if (values[value_] < 0)
    return errorHere("a sample has a negative value: the difference of two profiles is no profile");
  const auto value = static_cast<uint64_t>(values[value_]);
  if (value == 0)
    return {};
  RecordedWeight &sum = weights_[innermost.value_or(0)];
  if (weights_.size() > kMaxProfiledPlaces)
    return errorHere("there are too many different locations");
  if (value > (Profile::kMaxWeight - sum.weight) / scale_)
    return errorHere("the values add up to too much");
  sum.weight += value * scale_;
  const int64_t count = sampleCount_ ? values[*sampleCount_] : 1;
  if (count > 0 && static_cast<uint64_t>(count) < Profile::kMaxWeight - sum.samples)
    sum.samples += static_cast<uint64_t>(count);
  return {};
}

void PprofReader::readLocations() {
  forEachMessage(field::Location, [&](const pbf_reader &message) {
    Location location;
    uint64_t id = 0;
    forEachField(message, [&](pbf_reader &one) {
      if (one.tag_and_type() != bytes(field::Line))
        return take(one, field::Id, id) || take(one, field::OfMappingId, location.mapping) ||
               take(one, field::Address, location.address);
      // Each line's function was inlined into the next one's: the last one stays.
      uint64_t number = location.function = 0;
      forEachField(one.get_message(), [&](pbf_reader &line) {
        return take(line, field::FunctionId, location.function) || take(line, field::LineNumber, number);
      });
      location.line = static_cast<int64_t>(number);
      return true;
    });
    if (weights_.contains(id))
      locations_.emplace(id, location);
  });
}

const Mapping *PprofReader::mappingOf(const Location &location) const {
  if (const auto found = mappings_.find(location.mapping); found != mappings_.end())
    return &found->second;
  for (const auto &[id, mapping] : mappings_)
    if (location.address >= mapping.start && location.address < mapping.limit)
      return &mapping;
  return nullptr;
}

RecordedPlace PprofReader::placeOf(const Location &location) const {
  using By = RecordedPlace::By;
  RecordedPlace place;
  const Mapping *const mapping = mappingOf(location);
  const StringRef module = mapping ? text(mapping->file) : StringRef();
  if (module.starts_with("[kernel") || location.address >> 63)
    return place.by = By::Kernel, place;
  if (module.starts_with("[") || module.starts_with("//")) // [vdso], //anon
    return place;
  place.module = module;
  const auto function = functions_.find(location.function);
  if (function != functions_.end()) {
    const StringRef system = text(function->second.systemName);
    place.symbol = system.empty() ? text(function->second.name) : system;
    place.source = text(function->second.file);
    place.line = location.line > 0 && location.line <= UINT32_MAX ? static_cast<uint32_t>(location.line) : 0;
  }
  if (mapping && location.address >= mapping->start && location.address < mapping->limit) {
    place.by = By::FileOffset;
    place.address = location.address - mapping->start + mapping->fileOffset;
  } else if (!place.symbol.empty()) {
    place.by = By::Line;
  } else if (!module.empty()) {
    place.by = By::Module;
  }
  return place;
}

std::optional<ImportError> PprofReader::emit(ProfileSink &sink) const {
  const StringRef type = text(types_[value_].type);
  sink.event(type.empty() ? std::string_view("samples") : std::string_view(type), unit_);
  for (const auto &[id, mapping] : mappings_)
    sink.build(text(mapping.file), text(mapping.buildId));
  for (const auto &[id, weight] : weights_) {
    const auto location = locations_.find(id);
    if (location == locations_.end() && id != 0)
      return errorInFile("a sample's location, number " + llvm::Twine(id) + ", is missing");
    sink.sampled(location == locations_.end() ? RecordedPlace() : placeOf(location->second), weight);
  }
  return {};
}

} // namespace

std::unique_ptr<ProfileReader> createPprofReader() {
  return std::make_unique<PprofReader>();
}

} // namespace analysis
