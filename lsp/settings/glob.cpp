// Matching without backtracking: the pattern is read once, and all places of the path that it can have led to so far
// are moved on together. A configuration file comes with the folder, so a pattern such as `*a*a*a*b` must not take
// exponential time.
#include "lsp/settings/glob.h"

namespace lsp::protocol {
namespace {

/// reached[i]: the pattern read so far matches the first i bytes of the path.
using Places = std::vector<bool>;

/// Moves on by one character of the pattern.
void readCharacter(char c, std::string_view path, Places &reached) {
  for (size_t i = path.size(); i > 0; --i)
    reached[i] = reached[i - 1] && (c == '?' ? path[i - 1] != '/' : path[i - 1] == c);
  reached[0] = false;
}

/// Moves on by `*` or, if `crossesSlashes`, by `**`; `wholeFolders`: the latter ends after a slash or is empty.
void readWildcard(bool crossesSlashes, bool wholeFolders, std::string_view path, Places &reached) {
  bool isInside = false; // the wildcard can have begun before this place
  for (size_t i = 0; i <= path.size(); ++i) {
    const bool afterSlash = i > 0 && path[i - 1] == '/';
    isInside = isInside && (crossesSlashes || !afterSlash);
    const bool begins = reached[i];
    reached[i] = begins || (isInside && (!wholeFolders || afterSlash));
    isInside = isInside || begins;
  }
}

} // namespace

bool globMatches(std::string_view glob, std::string_view path) {
  Places reached(path.size() + 1);
  reached[0] = true;
  for (size_t at = 0; at < glob.size();) {
    const std::string_view rest = glob.substr(at);
    if (rest.front() != '*') {
      readCharacter(rest.front(), path, reached);
      ++at;
      continue;
    }
    const bool crossesSlashes = rest.starts_with("**");
    const bool wholeFolders = rest.starts_with("**/") && (at == 0 || glob[at - 1] == '/');
    readWildcard(crossesSlashes, wholeFolders, path, reached);
    at += 1 + crossesSlashes + wholeFolders;
  }
  return reached.back();
}

bool globsMatch(const std::vector<std::string> &globs, std::string_view folder, std::string_view path) {
  const bool below = path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
  const std::string_view relative = below ? path.substr(folder.size() + 1) : std::string_view();
  bool matches = !globs.empty() && globs.front().starts_with('!');
  for (std::string_view glob : globs) {
    const bool leavesOut = glob.starts_with('!');
    glob.remove_prefix(leavesOut ? 1 : 0);
    const bool absolute = glob.starts_with('/');
    if ((absolute || below) && globMatches(glob, absolute ? path : relative))
      matches = !leavesOut;
  }
  return matches;
}

} // namespace lsp::protocol
