// All places of the pattern that the path read so far can have led to, moved on character by character.
#include "lsp/protocol/glob.h"

#include <cstdint>

namespace lsp::protocol {
namespace {

struct Piece {
  enum class Kind : uint8_t { Character, AnyCharacter, Name, Anything, Folders };
  Kind kind;
  char character = 0;

  bool mayBeEmpty() const { return kind >= Kind::Name; }
  /// True when `c` may be read without leaving the piece.
  bool goesOn(char c) const { return kind >= Kind::Anything || (kind == Kind::Name && c != '/'); }
  /// True when the piece may end with `c`.
  bool endsWith(char c) const {
    return kind == Kind::Character      ? c == character
           : kind == Kind::AnyCharacter ? c != '/'
                                        : kind == Kind::Folders && c == '/';
  }
};

std::vector<Piece> piecesOf(std::string_view glob) {
  std::vector<Piece> pieces;
  for (size_t at = 0; at < glob.size(); ++at) {
    const std::string_view rest = glob.substr(at);
    const bool startsName = at == 0 || glob[at - 1] == '/';
    if (startsName && rest.starts_with("**/"))
      pieces.push_back({Piece::Kind::Folders}), at += 2;
    else if (rest.starts_with("**"))
      pieces.push_back({Piece::Kind::Anything}), at += 1;
    else if (rest.front() == '*')
      pieces.push_back({Piece::Kind::Name});
    else if (rest.front() == '?')
      pieces.push_back({Piece::Kind::AnyCharacter});
    else
      pieces.push_back({Piece::Kind::Character, rest.front()});
  }
  return pieces;
}

/// Marks the place before piece `at`, and those behind it that it takes no character to get to.
void reach(const std::vector<Piece> &pieces, std::vector<bool> &places, size_t at) {
  places[at] = true;
  while (at < pieces.size() && pieces[at].mayBeEmpty())
    places[++at] = true;
}

} // namespace

bool globMatches(std::string_view glob, std::string_view path) {
  const std::vector<Piece> pieces = piecesOf(glob);
  std::vector<bool> places(pieces.size() + 1);
  reach(pieces, places, 0);
  for (char c : path) {
    std::vector<bool> next(places.size());
    for (size_t at = 0; at < pieces.size(); ++at) {
      if (places[at] && pieces[at].goesOn(c))
        next[at] = true;
      if (places[at] && pieces[at].endsWith(c))
        reach(pieces, next, at + 1);
    }
    // A name or anything goes on to what follows it without another character.
    for (size_t at = 0; at < pieces.size(); ++at)
      if (next[at] && (pieces[at].kind == Piece::Kind::Name || pieces[at].kind == Piece::Kind::Anything))
        reach(pieces, next, at);
    places.swap(next);
  }
  return places.back();
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
