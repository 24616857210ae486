// From JSON to fragments of checked values. Reading goes on after an error, so that each one is reported at once and
// the good values count.
#include "lsp/settings/config_file.h"

#include "analysis/wire/finding_codes.h"
#include "lsp/settings/glob.h"
#include "lsp/settings/located_json.h"
#include "lsp/settings/near_miss.h"
#include "lsp/settings/setting_table.h"

#include <algorithm>
#include <filesystem>

namespace lsp::protocol {
namespace {

using analysis::wire::ByteRange;
using analysis::wire::Finding;
namespace codes = analysis::wire::codes;

// Each job of a document matches all globs of the file, which may be a stranger's, against its path: together they must
// not take long.
constexpr size_t kMostGlobs = 1000;
constexpr size_t kLongestGlob = 500; // in bytes

JsonPath below(JsonPath path, const std::string &key) {
  path.push_back(key);
  return path;
}

std::string folderOf(std::string_view path) {
  return std::string(path.substr(0, path.rfind('/')));
}

/// A file with one finding and nothing else.
ConfigFile unreadable(std::string_view path, ByteRange at, std::string why) {
  return {.folder = folderOf(path),
          .readable = false,
          .findings = {analysis::wire::makeFinding(at, codes::kConfigUnreadable, std::move(why))}};
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
  void add(ByteRange at, const char *code, std::string message) {
    file_.findings.push_back(analysis::wire::makeFinding(at, code, std::move(message)));
  }

  void bad(ByteRange at, std::string message) { add(at, codes::kConfigBadValue, std::move(message)); }
  void bad(const JsonPath &path, std::string message) { bad(json_.placeOf(path), std::move(message)); }

  void readFragments(const Json &fragments) {
    if (!fragments.is_array())
      return bad({"fragments"}, "fragments must be an array of objects");
    for (size_t i = 0; i < fragments.size(); ++i)
      readFragment({"fragments", std::to_string(i)}, fragments[i]);
  }

  /// A fragment without usable paths is left out: for every file its values would be wrong.
  void readFragment(const JsonPath &path, const Json &json) {
    ConfigFragment fragment;
    if (!json.is_object())
      return bad(path, "a fragment must be an object");
    for (const auto &[key, value] : json.items())
      if (key == "paths")
        readPaths(fragment, below(path, key), value);
      else
        readMember(fragment, below(path, key), key, value);
    if (!json.contains("paths"))
      bad(path, "a fragment needs paths, an array of globs");
    if (!fragment.paths.empty())
      file_.fragments.push_back(std::move(fragment));
  }

  void readPaths(ConfigFragment &fragment, const JsonPath &path, const Json &value) {
    const auto isGlob = [](const Json &glob) {
      return glob.is_string() && glob.get_ref<const std::string &>().size() <= kLongestGlob;
    };
    if (!value.is_array() || value.empty() || !std::all_of(value.begin(), value.end(), isGlob))
      return bad(path, "paths must be an array of globs, each of at most " + std::to_string(kLongestGlob) + " bytes");
    globs_ += value.size();
    if (globs_ > kMostGlobs)
      return bad(path, "a configuration has at most " + std::to_string(kMostGlobs) + " globs");
    value.get_to(fragment.paths);
  }

  /// `name` is that of a setting or the beginning of one: the key, after those of the objects around it.
  void readMember(ConfigFragment &fragment, const JsonPath &path, const std::string &name, const Json &value) {
    if (const Setting *setting = findSetting(name))
      return readSetting(fragment, path, *setting, value);
    if (!isGroup(name))
      return add(json_.placeOf(path), codes::kConfigUnknownKey,
                 "unknown key '" + name + "'" + didYouMean(name, knownNames(path)));
    if (!value.is_object())
      return bad(path, name + " must be an object");
    for (const auto &[key, member] : value.items())
      readMember(fragment, below(path, key), name + "." + key, member);
  }

  /// A setting with a bad value is remembered for keepLastGood().
  void readSetting(ConfigFragment &fragment, const JsonPath &path, const Setting &setting, const Json &value) {
    if (setting.usersOnly && owner_ == ConfigOwner::Folder)
      return add(json_.placeOf(path), codes::kConfigNotAllowed,
                 setting.name + " is ignored here, as it says what may run: set it in your own configuration file, on "
                                "the command line or in initializationOptions");
    if (value.is_null()) // as if the key were missing: the layers below count
      return;
    if (const auto problem = setting.check(value)) {
      JsonPath place = path;
      place.insert(place.end(), problem->where.begin(), problem->where.end());
      fragment.bad.push_back(&setting);
      return bad(place, setting.name + " " + problem->what);
    }
    const bool isPath = setting.kind == Setting::Kind::Folder || setting.kind == Setting::Kind::File;
    fragment.values.push_back({&setting, isPath ? fromFolder(value, setting.choices) : value});
  }

  /// A path is written relative to the file's folder. `words` are no paths.
  Json fromFolder(const Json &value, const std::vector<std::string> &words) const {
    const auto relative = value.get<std::string>();
    const bool isWord = std::ranges::find(words, relative) != words.end();
    return relative.empty() || isWord ? value
                                      : Json((std::filesystem::path(file_.folder + "/") / relative).lexically_normal());
  }

  /// True for "hover", as there is a setting "hover.enabled".
  static bool isGroup(const std::string &name) {
    return std::ranges::any_of(settingTable(),
                               [&](const Setting &setting) { return setting.name.starts_with(name + "."); });
  }

  /// The keys that are allowed at `path`, for suggestions.
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

} // namespace

ConfigFile readConfigFile(std::string_view text, std::string_view path, ConfigOwner owner) {
  if (text.size() > kLongestConfig)
    return unreadableConfigFile(path, "a configuration has at most 1 MiB: this one is not read");
  const LocatedJson json = parseLocatedJson(text);
  if (json.error)
    return unreadable(path, {json.error->offset, json.error->offset}, "not JSON: " + json.error->message);
  ConfigFile file{.folder = folderOf(path)};
  Reader(json, owner, file).readRoot();
  std::ranges::stable_sort(file.findings, {}, [](const Finding &finding) { return finding.at.begin; });
  return file;
}

ConfigFile unreadableConfigFile(std::string_view path, std::string why) {
  return unreadable(path, {}, std::move(why));
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
      if (std::ranges::find(fragment.bad, value.setting) != fragment.bad.end())
        fragment.values.push_back(value);
  }
}

void layOver(const ConfigFile &file, std::string_view path, UserSettings &settings) {
  for (const ConfigFragment &fragment : file.fragments)
    if (fragment.paths.empty() || globsMatch(fragment.paths, file.folder, path))
      layOver(fragment.values, settings);
}

} // namespace lsp::protocol
