// Sections of the editor's configuration, and laying layers over each other (settings.h). If a section has a key both
// nested and with dots, the one with dots counts.
#include "lsp/settings/settings.h"

#include "lsp/settings/setting_table.h"

#include <algorithm>
#include <iterator>

namespace lsp::protocol {
namespace {

/// The value of a key with dots in it, or null. If there is something else in place of an object, each key below it has
/// the wrong type: the result is then a value that no setting accepts.
const Json *find(const Json &section, const std::string &name) {
  static const Json wrongForAll = Json::array({Json::array()});
  if (!section.is_null() && !section.is_object())
    return &wrongForAll;
  if (const auto whole = section.find(name); whole != section.end())
    return whole->is_null() ? nullptr : &*whole;
  const size_t dot = name.find('.');
  const auto found = section.find(name.substr(0, dot));
  if (found == section.end() || found->is_null() || dot == std::string::npos)
    return nullptr;
  return find(*found, name.substr(dot + 1));
}

} // namespace

void layOver(const std::vector<SettingValue> &layer, UserSettings &settings) {
  for (const SettingValue &value : layer)
    value.setting->set(value.value, settings);
}

std::vector<SettingValue> differences(const UserSettings &changed) {
  std::vector<SettingValue> values;
  for (const Setting &setting : settingTable())
    if (Json value = setting.get(changed); value != setting.get(UserSettings()))
      values.push_back({&setting, std::move(value)});
  return values;
}

SettingsSection readSection(const Json &section, SettingsSource source, const std::vector<SettingValue> &lastGood) {
  SettingsSection result;
  if (!section.is_object() && !section.is_null()) {
    result.values = lastGood;
    result.wrong.push_back("the setting mca must be an object");
    return result;
  }
  for (const Setting &setting : settingTable()) {
    const Json *value = find(section, setting.name);
    if (!value)
      continue;
    if (setting.usersOnly && source == SettingsSource::Configuration) {
      result.ignored.push_back("mca." + setting.name);
    } else if (const auto problem = setting.check(*value)) {
      std::ranges::copy_if(lastGood, std::back_inserter(result.values),
                           [&](const SettingValue &value) { return value.setting == &setting; });
      result.wrong.push_back("the setting mca." + setting.name + " " + problem->what);
    } else {
      result.values.push_back({&setting, *value});
    }
  }
  return result;
}

} // namespace lsp::protocol
