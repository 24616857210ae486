#include "lsp/advice/text_edits.h"

#include <algorithm>
#include <tuple>

namespace lsp {

using analysis::wire::Candidate;
using analysis::wire::Edit;

std::optional<std::vector<Edit>> mergedEdits(const std::vector<Candidate> &changes) {
  std::vector<Edit> edits;
  for (const Candidate &change : changes)
    edits.insert(edits.end(), change.edits.begin(), change.edits.end());
  std::ranges::stable_sort(edits, {}, [](const Edit &edit) {
    return std::tuple(edit.at.begin, edit.at.end, edit.newText.starts_with("_Pragma"));
  });
  for (size_t i = 1; i < edits.size(); ++i)
    if (edits[i].at.begin < edits[i - 1].at.end)
      return std::nullopt;
  return edits;
}

std::string withEdits(const std::string &text, const std::vector<Edit> &edits) {
  std::string result;
  size_t done = 0;
  for (const Edit &edit : edits) {
    result.append(text, done, edit.at.begin - done);
    result += edit.newText;
    done = edit.at.end;
  }
  return result.append(text, done);
}

} // namespace lsp
