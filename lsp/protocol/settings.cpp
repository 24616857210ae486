// One table of keys: where each lies in the JSON, what it must be and which member holds it.
#include "lsp/protocol/settings.h"

#include <array>
#include <functional>
#include <limits>

namespace lsp::protocol {
namespace {

bool read(const Json &json, std::string &out) {
  if (!json.is_string())
    return false;
  out = json.get<std::string>();
  return true;
}

bool read(const Json &json, bool &out) {
  if (!json.is_boolean())
    return false;
  out = json.get<bool>();
  return true;
}

bool read(const Json &json, uint32_t &out) {
  if (!json.is_number_unsigned() || json.get<uint64_t>() > std::numeric_limits<uint32_t>::max())
    return false;
  out = json.get<uint32_t>();
  return true;
}

bool read(const Json &json, std::vector<std::string> &out) {
  std::vector<std::string> items;
  for (const Json &item : json.is_array() ? json : Json::array())
    if (!read(item, items.emplace_back()))
      return false;
  out = std::move(items);
  return json.is_array();
}

/// When C and C++ are compiled.
bool readCompileOn(const Json &json, bool &onChange) {
  if (json != "save" && json != "change")
    return false;
  onChange = json == "change";
  return true;
}

struct Key {
  std::string name;
  std::string expected;
  bool usersOnly; ///< not for a folder to choose
  std::function<bool(const Json &, UserSettings &)> set;
  std::function<void(const UserSettings &from, UserSettings &to)> copy;
};

template <class Access>
Key key(std::string name, std::string expected, Access access, bool usersOnly = false) {
  return {std::move(name), std::move(expected), usersOnly,
          [access](const Json &json, UserSettings &settings) { return read(json, access(settings)); },
          [access](const UserSettings &from, UserSettings &to) {
            UserSettings source = from;
            access(to) = access(source);
          }};
}

template <class Access>
Key usersKey(std::string name, std::string expected, Access access) {
  return key(std::move(name), std::move(expected), access, true);
}

const std::vector<Key> &keys() {
  using S = UserSettings;
  static const std::vector<Key> table{
      key("cpu", "a string", [](S &s) -> auto & { return s.worker.cpu; }),
      key("cpus", "an array of strings", [](S &s) -> auto & { return s.worker.cpus; }),
      key("triple", "a string", [](S &s) -> auto & { return s.worker.triple; }),
      key("features", "a string", [](S &s) -> auto & { return s.worker.features; }),
      key("iterations", "a natural number", [](S &s) -> auto & { return s.worker.iterations; }),
      usersKey("compiler", "a string", [](S &s) -> auto & { return s.worker.compiler; }),
      usersKey("trustedFolders", "an array of strings", [](S &s) -> auto & { return s.worker.trustedFolders; }),
      usersKey("allowedCompilers", "an array of strings", [](S &s) -> auto & { return s.worker.allowedCompilers; }),
      key("compileCommandsDir", "a string", [](S &s) -> auto & { return s.worker.compileCommandsDir; }),
      key("fallbackFlags", "an array of strings", [](S &s) -> auto & { return s.worker.extraFlags; }),
      {"compileOn", "\"save\" or \"change\"", false,
       [](const Json &json, S &s) { return readCompileOn(json, s.worker.compileOnChange); },
       [](const S &from, S &to) { to.worker.compileOnChange = from.worker.compileOnChange; }},
      key("inlayHints.enabled", "true or false", [](S &s) -> auto & { return s.inlayHints; }),
      key("diagnostics.enabled", "true or false", [](S &s) -> auto & { return s.diagnostics; }),
      key("hover.enabled", "true or false", [](S &s) -> auto & { return s.hover; }),
      key("regions.markers", "true or false", [](S &s) -> auto & { return s.worker.markerRegions; }),
      key("regions.loops", "true or false", [](S &s) -> auto & { return s.worker.loops; }),
      key("regions.snippets", "true or false", [](S &s) -> auto & { return s.worker.wholeSnippets; }),
  };
  return table;
}

/// The value of a key with dots in it, or null. What stands where an object should be has the wrong type for each key
/// below it, so it is answered with a value that none of them takes.
const Json *find(const Json &section, const std::string &name) {
  static const Json wrongForAll = Json::object();
  const size_t dot = name.find('.');
  if (!section.is_null() && !section.is_object())
    return &wrongForAll;
  const auto found = section.find(name.substr(0, dot));
  if (found == section.end() || found->is_null())
    return nullptr;
  return dot == std::string::npos ? &*found : find(*found, name.substr(dot + 1));
}

} // namespace

SettingsUpdate readSettings(const Json &section, SettingsSource source, const UserSettings &base,
                            const UserSettings &current) {
  SettingsUpdate update{base, {}, {}};
  if (!section.is_object() && !section.is_null()) {
    update.settings = current;
    update.wrong.push_back("the setting mca must be an object");
    return update;
  }
  for (const Key &key : keys()) {
    const Json *value = find(section, key.name);
    if (!value)
      continue;
    if (key.usersOnly && source == SettingsSource::Configuration) {
      update.ignored.push_back("mca." + key.name);
    } else if (!key.set(*value, update.settings)) {
      key.copy(current, update.settings);
      update.wrong.push_back("the setting mca." + key.name + " must be " + key.expected);
    }
  }
  return update;
}

} // namespace lsp::protocol
