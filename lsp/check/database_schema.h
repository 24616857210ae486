// The members of JSON that holds entries of a compile database: the database itself, and a unit (check_unit.h).
#pragma once

#include "lsp/check/check_unit.h"
#include "lsp/check/json_structs.h"

namespace lsp {

struct DatabaseSchema {
  static void members(Is<CompileEntry> auto &v, const auto &visit) {
    visit("directory", v.directory);
    visit("file", v.file);
    visit("arguments", v.arguments, unlessDefault);
    visit("command", v.command, unlessDefault);
    visit("output", v.output, unlessDefault);
  }
  static void members(Is<CheckUnit> auto &v, const auto &visit) {
    visit("file", v.file);
    visit("databaseFolder", v.databaseFolder);
    visit("projectFolder", v.projectFolder);
    visit("commands", v.commands);
    visit("path", v.path, unlessDefault);
  }
};

} // namespace lsp
