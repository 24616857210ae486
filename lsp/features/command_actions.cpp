// Code actions about a file that its build compiles several times: which of the commands is analysed. The choice is the
// server's, for as long as the document is open; no file changes.
#include "lsp/features/code_action_builder.h"

namespace lsp::features {

/// On the lines where numbers are, and on the first one: the code of another command may have loops where this one's
/// has none.
void addCommandActions(CodeActionBuilder &actions) {
  const analysis::wire::TargetSummary &target = actions.document().analysis().target;
  if (!actions.touches(0) && !actions.touchesHint())
    return;
  for (const std::string &command : target.commands)
    if (command != target.command)
      actions.call("Use the command " + command + " (now: " + target.command + ")",
                   {"mca.setCommand", {{"uri", actions.document().uri()}, {"command", command}}});
}

} // namespace lsp::features
