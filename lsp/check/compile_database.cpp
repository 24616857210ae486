#include "lsp/check/compile_database.h"

#include <filesystem>
#include <nlohmann/json.hpp>

namespace lsp::protocol {
namespace {

using Json = nlohmann::json;

std::string stringOf(const Json &entry, const char *key) {
  const auto found = entry.find(key);
  return found != entry.end() && found->is_string() ? found->get<std::string>() : "";
}

} // namespace

std::optional<std::vector<std::string>> filesOfDatabase(std::string_view json, const std::string &folder) {
  const Json database = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!database.is_array())
    return std::nullopt;
  std::vector<std::string> files;
  for (const Json &entry : database) {
    const std::string file = entry.is_object() ? stringOf(entry, "file") : "";
    if (file.empty())
      return std::nullopt;
    const std::filesystem::path path = std::filesystem::path(folder) / stringOf(entry, "directory") / file;
    files.push_back(path.lexically_normal().string());
  }
  return files;
}

} // namespace lsp::protocol
