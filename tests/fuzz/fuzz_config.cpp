// Configuration of any bytes: a file of the user or of a folder, edited from one text to another, and the section of an
// editor. The first byte says whose file it is; a NUL byte separates the text before from the text now.
//
// Places lie inside the text and are those of the keys, a stranger's file sets nothing that says what runs, values are
// good ones, and settings are written and read again as the same.
#include "lsp/settings/config_file.h"
#include "lsp/settings/glob.h"
#include "lsp/settings/located_json.h"
#include "lsp/settings/setting_table.h"
#include "tests/fuzz/property.h"

#include <algorithm>
#include <cstdint>

namespace {

using namespace lsp::protocol;
using analysis::wire::ByteRange;
using fuzz::require;

constexpr std::string_view kPath = "/project/.mca-lsp.json", kDocument = "/project/src/a.cpp";

void requireInside(ByteRange at, std::string_view text) {
  require(at.begin <= at.end && at.end <= text.size());
}

// ---- the located tree ---------------------------------------------------------------------------------------------

/// The levels of objects and arrays.
size_t depthOf(const Json &value) {
  size_t deepest = 0;
  if (value.is_structured())
    for (const Json &element : value)
      deepest = std::max(deepest, depthOf(element));
  return value.is_structured() ? deepest + 1 : 0;
}

const Json *valueAt(const Json &value, const JsonPath &path) {
  const Json *at = &value;
  for (const std::string &step : path) {
    const Json *next = nullptr;
    for (size_t i = 0; at->is_array() && i < at->size(); ++i)
      next = std::to_string(i) == step ? &(*at)[i] : next;
    at = at->is_object() && at->contains(step) ? &(*at)[step] : next;
    if (!at)
      return nullptr;
  }
  return at;
}

/// The place of a member is that of its key, and of a string that of the string.
void checkPlace(const LocatedJson &json, const JsonPath &path, ByteRange at, std::string_view text) {
  requireInside(at, text);
  const Json *value = valueAt(json.value, path);
  if (!value) // below a key that is there again, with another value
    return require(!json.duplicates.empty());
  const Json *parent = valueAt(json.value, {path.begin(), path.end() - 1});
  const Json quoted = Json::parse(text.substr(at.begin, at.end - at.begin), nullptr, /*allow_exceptions=*/false);
  if (parent->is_object())
    require(quoted == path.back());
  else if (value->is_string() && json.duplicates.empty())
    require(quoted == *value);
}

void checkLocated(std::string_view text) {
  const LocatedJson json = parseLocatedJson(text);
  const Json whole = Json::parse(text, nullptr, /*allow_exceptions=*/false, /*ignore_comments=*/true);
  if (json.error) {
    require(json.error->offset <= text.size() && !json.error->message.empty() && json.value.is_null());
    require(whole.is_discarded() || depthOf(whole) > kDeepestJson);
    return;
  }
  require(json.value == whole);
  for (const auto &[path, at] : json.places)
    checkPlace(json, path, at, text);
  for (const ByteRange at : json.duplicates)
    requireInside(at, text);
}

// ---- settings ------------------------------------------------------------------------------------------------------

/// The settings by which a folder could run a program, or say that it is trusted, are the defaults.
void requireHarmless(const UserSettings &settings) {
  const UserSettings defaults;
  require(settings.worker.compiler == defaults.worker.compiler &&
          settings.worker.trustedFolders == defaults.worker.trustedFolders &&
          settings.worker.allowedCompilers == defaults.worker.allowedCompilers);
}

void checkValues(const std::vector<SettingValue> &values) {
  for (const SettingValue &value : values)
    require(value.setting && !value.setting->check(value.value));
}

/// The differences from the defaults, laid over them, are the settings again.
void checkDifferences(const UserSettings &settings) {
  UserSettings again;
  layOver(differences(settings), again);
  require(again == settings);
}

void checkFile(std::string_view before, std::string_view text, ConfigOwner owner) {
  ConfigFile file = readConfigFile(text, kPath, owner);
  for (const analysis::wire::Finding &finding : file.findings) {
    requireInside(finding.at, text);
    require(!finding.message.empty() && !finding.code.empty());
  }
  const ConfigFile earlier = readConfigFile(before, kPath, owner);
  const size_t fragments = file.fragments.size();
  keepLastGood(file, earlier);
  require(file.fragments.size() == (file.readable ? fragments : earlier.fragments.size()));
  for (const ConfigFragment &fragment : file.fragments)
    checkValues(fragment.values);
  UserSettings settings;
  layOver(file, kDocument, settings);
  if (owner == ConfigOwner::Folder)
    requireHarmless(settings);
  checkDifferences(settings);
}

void checkSection(std::string_view before, std::string_view text) {
  const Json section = Json::parse(text, nullptr, false), earlier = Json::parse(before, nullptr, false);
  for (const SettingsSource source : {SettingsSource::InitializationOptions, SettingsSource::Configuration}) {
    const SettingsSection lastGood = readSection(earlier, source, {});
    const SettingsSection now = readSection(section, source, lastGood.values);
    checkValues(now.values);
    UserSettings settings;
    layOver(now.values, settings);
    if (source == SettingsSource::Configuration)
      requireHarmless(settings);
    checkDifferences(settings);
  }
}

// ---- globs ---------------------------------------------------------------------------------------------------------

/// The rules of glob.h by backtracking, which takes exponential time. `before`: the character before the glob's rest.
bool matchesSlowly(std::string_view glob, std::string_view path, char before = '/') {
  if (glob.empty())
    return path.empty();
  const char first = glob.front();
  if (first != '*')
    return !path.empty() && (first == '?' ? path.front() != '/' : path.front() == first) &&
           matchesSlowly(glob.substr(1), path.substr(1), first);
  const bool crosses = glob.starts_with("**"), folders = glob.starts_with("**/") && before == '/';
  const std::string_view rest = glob.substr(folders ? 3 : crosses ? 2 : 1);
  const char last = folders ? '/' : '*';
  for (size_t length = 0;; ++length) {
    const bool mayEnd = !folders || length == 0 || path[length - 1] == '/';
    if (mayEnd && matchesSlowly(rest, path.substr(length), last))
      return true;
    if (length == path.size() || (!crosses && path[length] == '/'))
      return false;
  }
}

/// A glob and a path of a few characters each, separated by a blank.
void checkGlob(std::string_view text) {
  const std::string_view glob = fuzz::takeUntil(text, ' ');
  if (glob.size() <= 12 && text.size() <= 12)
    require(globMatches(glob, text) == matchesSlowly(glob, text));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  std::string_view text = fuzz::textOf(data + 1, size - 1);
  checkGlob(text);
  const std::string_view before = fuzz::takeUntil(text, '\0');
  checkLocated(text);
  checkFile(before, text, data[0] % 2 ? ConfigOwner::Folder : ConfigOwner::User);
  checkSection(before, text);
  return 0;
}
