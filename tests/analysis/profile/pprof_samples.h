// Writes small profiles in pprof's format.
#pragma once

#include <initializer_list>
#include <memory>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <vector>
#include <zlib.h>

namespace analysis {

class PprofText {
public:
  /// The kinds of values, with their units.
  explicit PprofText(std::initializer_list<std::pair<const char *, const char *>> types) {
    string("");
    for (const auto &[type, unit] : types) {
      std::string message;
      protozero::pbf_writer writer(message);
      writer.add_int64(1, static_cast<int64_t>(string(type)));
      writer.add_int64(2, static_cast<int64_t>(string(unit)));
      all_.add_message(1, message);
    }
  }

  PprofText &sample(std::vector<uint64_t> locations, std::vector<int64_t> values, bool isPacked = true) {
    std::string message;
    protozero::pbf_writer writer(message);
    if (isPacked) {
      writer.add_packed_uint64(1, locations.begin(), locations.end());
      writer.add_packed_int64(2, values.begin(), values.end());
    } else {
      for (const uint64_t location : locations)
        writer.add_uint64(1, location);
      for (const int64_t value : values)
        writer.add_int64(2, value);
    }
    all_.add_message(2, message);
    return *this;
  }
  PprofText &mapping(uint64_t id, uint64_t start, uint64_t limit, uint64_t fileOffset, const std::string &file,
                     const std::string &buildId = "") {
    std::string message;
    protozero::pbf_writer writer(message);
    writer.add_uint64(1, id);
    writer.add_uint64(2, start);
    writer.add_uint64(3, limit);
    writer.add_uint64(4, fileOffset);
    writer.add_int64(5, static_cast<int64_t>(string(file)));
    writer.add_int64(6, static_cast<int64_t>(string(buildId)));
    all_.add_message(3, message);
    return *this;
  }
  /// `lines`: functions, each inlined into the next one, and lines in them.
  PprofText &location(uint64_t id, uint64_t mapping, uint64_t address,
                      std::initializer_list<std::pair<uint64_t, int64_t>> lines = {}) {
    std::string message;
    protozero::pbf_writer writer(message);
    writer.add_uint64(1, id);
    writer.add_uint64(2, mapping);
    writer.add_uint64(3, address);
    for (const auto &[function, line] : lines) {
      protozero::pbf_writer inner(writer, 4);
      inner.add_uint64(1, function);
      inner.add_int64(2, line);
    }
    all_.add_message(4, message);
    return *this;
  }
  PprofText &function(uint64_t id, const std::string &name, const std::string &file) {
    std::string message;
    protozero::pbf_writer writer(message);
    writer.add_uint64(1, id);
    writer.add_int64(2, static_cast<int64_t>(string(name)));
    writer.add_int64(4, static_cast<int64_t>(string(file)));
    all_.add_message(5, message);
    return *this;
  }
  PprofText &defaultType(const std::string &type) {
    all_.add_int64(14, static_cast<int64_t>(string(type)));
    return *this;
  }

  const std::string &bytes() const { return *bytes_; }

private:
  size_t string(const std::string &text) {
    all_.add_string(6, text);
    return strings_++;
  }

  std::unique_ptr<std::string> bytes_ = std::make_unique<std::string>(); ///< the writer points to it
  protozero::pbf_writer all_{*bytes_};
  size_t strings_ = 0;
};

/// What gzip makes of bytes.
inline std::string gzipped(std::string bytes) {
  z_stream stream = {};
  deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef *>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef *>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

} // namespace analysis
