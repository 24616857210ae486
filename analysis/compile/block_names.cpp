// The first comment of a block is on the line of its label, further ones, about loops, on lines of their own in the
// same column. What says which registers end there ("kill:") looks alike, but always has its own line.
#include "analysis/compile/block_names.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace analysis {
namespace {

using llvm::StringRef;

/// Where clang's comments begin, unless what is before them is longer.
constexpr size_t kCommentColumn = 40;

struct LabelLine {
  StringRef label;   ///< ".LBB0_4:" or "# %bb.3:"
  StringRef comment; ///< "# %for.body"; empty: the line has no name of a block
};

/// An empty label if the line begins no block.
LabelLine labelLineOf(StringRef line) {
  const bool isComment = line.starts_with("# %bb.") || line.starts_with("// %bb.");
  if (!isComment && !line.starts_with(".LBB"))
    return {};
  const size_t colon = line.find(':');
  if (colon == StringRef::npos)
    return {};
  const StringRef comment = line.drop_front(colon + 1).ltrim(' ');
  const bool isName = comment.starts_with("# %") || comment.starts_with("// %");
  return {line.take_front(colon + 1), isName ? comment : ""};
}

/// Whether the line has a comment about the block's loop and nothing else, in the column of comments.
bool continuesComments(StringRef line, StringRef comment) {
  StringRef text = line.ltrim(' ');
  const bool isInColumn = line.size() - text.size() == kCommentColumn;
  return isInColumn && text.consume_front(comment.take_front(comment.find(' '))) &&
         (text.starts_with(" =>") || text.starts_with("   "));
}

} // namespace

std::string withoutBlockNames(const std::string &assembly) {
  std::string result;
  result.reserve(assembly.size());
  StringRef rest = assembly;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
    const StringRef line = rest.take_front(end);
    rest = rest.drop_front(end);
    const LabelLine block = labelLineOf(line);
    if (block.comment.empty()) {
      result += line;
      continue;
    }
    result += block.label;
    if (!continuesComments(rest, block.comment)) {
      result += '\n';
      continue;
    }
    const size_t used = block.label.size();
    result.append(used < kCommentColumn ? kCommentColumn - used : 1, ' ');
    rest = rest.drop_front(kCommentColumn);
  }
  return result;
}

} // namespace analysis
