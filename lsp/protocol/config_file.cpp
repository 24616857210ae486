// From JSON to fragments of checked values.
#include "lsp/protocol/config_file.h"

#include "analysis/wire/finding_codes.h"
#include "lsp/protocol/glob.h"
#include "lsp/protocol/located_json.h"
#include "lsp/protocol/near_miss.h"
#include "lsp/protocol/setting_table.h"

#include <algorithm>
#include <filesystem>

namespace lsp::protocol {
namespace {

using analysis::wire::ByteRange;
using analysis::wire::Finding;
using analysis::wire::Severity;
namespace codes = analysis::wire::codes;

/// A document asks each glob of a file whether it matches: together they must not take long.
constexpr size_t kMostGlobs = 1000;
constexpr size_t kLongestGlob = 500;

Finding unreadable(ByteRange at, std::string why) {
  return {.at = at, .severity = Severity::Error, .code = codes::kConfigUnreadable, .message = std::move(why)};
}

class Reader {
public:
  Reader(const LocatedJson &json, ConfigOwner owner, ConfigFile &file) : json_(json), owner_(owner), file_(file) {}

  void readRoot() {
    file_.fragments.emplace_back();
    if (!json_.value.is_object())
      return bad(ByteRange{}, "the configuration must be an object");
    for (const auto &[key, value] : json_.value.items())
      if (key == "fragments")
        readFragments(value);
      else if (key != "$schema")
        readMember(file_.fragments.front(), {key}, key, value);
    for (const ByteRange &at : json_.duplicates)
      bad(at, "this key is there twice: the last one counts");
  }

private:
  void add(ByteRange at, Severity severity, const char *code, std::string message) {
    file_.findings.push_back({.at = at, .severity = severity, .code = code, .message = std::move(message)});
  }

  void bad(ByteRange at, std::string message) { add(at, Severity::Error, codes::kConfigBadValue, std::move(message)); }
  void bad(const JsonPath &path, std::string message) { bad(json_.placeOf(path), std::move(message)); }

  void readFragments(const Json &fragments) {
    if (!fragments.is_array())
      return bad({"fragments"}, "fragments must be an array of objects");
    for (size_t i = 0; i < fragments.size(); ++i)
      readFragment({"fragments", std::to_string(i)}, fragments[i]);
  }

  void readFragment(const JsonPath &path, const Json &json) {
    ConfigFragment fragment;
    if (!json.is_object())
      return bad(path, "a fragment must be an object");
    for (const auto &[key, value] : json.items()) {
      JsonPath place = path;
      place.push_back(key);
      if (key == "paths")
        readPaths(fragment, place, value);
      else
        readMember(fragment, place, key, value);
    }
    if (!json.contains("paths"))
      bad(path, "a fragment needs paths, an array of globs");
    if (!fragment.paths.empty())
      file_.fragments.push_back(std::move(fragment));
  }

  void readPaths(ConfigFragment &fragment, const JsonPath &path, const Json &value) {
    bool good = value.is_array() && !value.empty();
    for (const Json &glob : good ? value : Json::array())
      good = good && glob.is_string() && glob.get_ref<const std::string &>().size() <= kLongestGlob;
    globs_ += good ? value.size() : 0;
    if (!good)
      return bad(path, "paths must be an array of globs, each of at most " + std::to_string(kLongestGlob) + " bytes");
    if (globs_ > kMostGlobs)
      return bad(path, "a configuration has at most " + std::to_string(kMostGlobs) + " globs");
    value.get_to(fragment.paths);
  }

  /// `name` is the setting's as far as it is known: the key, with those of the objects around it.
  void readMember(ConfigFragment &fragment, const JsonPath &path, const std::string &name, const Json &value) {
    if (const Setting *setting = findSetting(name))
      return readSetting(fragment, path, *setting, value);
    if (!isGroup(name))
      return add(json_.placeOf(path), Severity::Warning, codes::kConfigUnknownKey,
                 "unknown key '" + name + "'" + didYouMean(name, knownNames(path)));
    if (!value.is_object())
      return bad(path, name + " must be an object");
    for (const auto &[key, member] : value.items()) {
      JsonPath place = path;
      place.push_back(key);
      readMember(fragment, place, name + "." + key, member);
    }
  }

  void readSetting(ConfigFragment &fragment, const JsonPath &path, const Setting &setting, const Json &value) {
    if (setting.usersOnly && owner_ == ConfigOwner::Folder)
      return add(json_.placeOf(path), Severity::Warning, codes::kConfigNotAllowed,
                 setting.name + " is ignored here, as it says what may run: set it in your own configuration file, on "
                                "the command line or in initializationOptions");
    if (value.is_null())
      return;
    if (const auto problem = setting.check(value)) {
      JsonPath place = path;
      place.insert(place.end(), problem->where.begin(), problem->where.end());
      fragment.bad.push_back(&setting);
      return bad(place, setting.name + " " + problem->what);
    }
    fragment.values.push_back({&setting, setting.kind == Setting::Kind::Folder ? fromFolder(value) : value});
  }

  /// A folder is written relative to that of the file.
  Json fromFolder(const Json &value) const {
    const auto relative = value.get<std::string>();
    return relative.empty() ? value : Json((std::filesystem::path(file_.folder + "/") / relative).lexically_normal());
  }

  static bool isGroup(const std::string &name) {
    return std::any_of(settingTable().begin(), settingTable().end(),
                       [&](const Setting &setting) { return setting.name.starts_with(name + "."); });
  }

  /// What may stand where `path` leads to.
  static std::vector<std::string> knownNames(const JsonPath &path) {
    std::vector<std::string> names;
    for (const Setting &setting : settingTable())
      names.push_back(setting.name);
    if (path.size() == 1)
      names.emplace_back("fragments");
    if (path.front() == "fragments")
      names.emplace_back("paths");
    return names;
  }

  const LocatedJson &json_;
  ConfigOwner owner_;
  ConfigFile &file_;
  size_t globs_ = 0;
};

ConfigFile emptyFile(std::string_view path) {
  ConfigFile file;
  file.folder = path.substr(0, path.rfind('/'));
  return file;
}

} // namespace

ConfigFile readConfigFile(std::string_view text, std::string_view path, ConfigOwner owner) {
  if (text.size() > kLongestConfig)
    return unreadableConfigFile(path, "a configuration has at most 1 MiB: this one is not read");
  const LocatedJson json = parseLocatedJson(text);
  ConfigFile file = emptyFile(path);
  if (json.error) {
    file.readable = false;
    file.findings.push_back(unreadable({json.error->offset, json.error->offset}, "not JSON: " + json.error->message));
    return file;
  }
  Reader(json, owner, file).readRoot();
  std::stable_sort(file.findings.begin(), file.findings.end(),
                   [](const Finding &a, const Finding &b) { return a.at.begin < b.at.begin; });
  return file;
}

ConfigFile unreadableConfigFile(std::string_view path, std::string why) {
  ConfigFile file = emptyFile(path);
  file.readable = false;
  file.findings.push_back(unreadable({}, std::move(why)));
  return file;
}

void keepLastGood(ConfigFile &now, const ConfigFile &before) {
  if (!now.readable) {
    now.fragments = before.fragments;
    return;
  }
  for (size_t i = 0; i < std::min(now.fragments.size(), before.fragments.size()); ++i) {
    ConfigFragment &fragment = now.fragments[i];
    if (fragment.paths != before.fragments[i].paths)
      continue;
    for (const SettingValue &value : before.fragments[i].values)
      if (std::find(fragment.bad.begin(), fragment.bad.end(), value.setting) != fragment.bad.end())
        fragment.values.push_back(value);
  }
}

void layOver(const ConfigFile &file, std::string_view path, UserSettings &settings) {
  for (const ConfigFragment &fragment : file.fragments)
    if (fragment.paths.empty() || globsMatch(fragment.paths, file.folder, path))
      layOver(fragment.values, settings);
}

} // namespace lsp::protocol
