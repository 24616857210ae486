#include "analysis/regions/source_markers.h"

#include "analysis/common/comment_syntax.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"

namespace analysis {
namespace {

/// The text of a comment token without its delimiters, and how many bytes the opening one takes.
std::pair<std::string_view, uint32_t> insideOf(std::string_view comment) {
  std::string_view inside = comment.substr(std::min<size_t>(2, comment.size()));
  if (comment.starts_with(comments::kBlockOpening) && inside.ends_with(comments::kBlockClosing))
    inside.remove_suffix(2);
  while (!inside.empty() && (inside.back() == '\r' || inside.back() == '\n'))
    inside.remove_suffix(1);
  return {inside, 2};
}

} // namespace

SourceMarkers findSourceMarkers(std::string_view source, wire::Language language) {
  SourceMarkers found;
  if (source.find(comments::kMarkerPrefix) == std::string_view::npos)
    return found;
  clang::LangOptions options;
  options.LineComment = true;
  if (language == wire::Language::Cxx) {
    options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus14 = true; // raw strings, 1'000
    options.RawStringLiterals = true;
  }
  const clang::SourceLocation start = clang::SourceLocation::getFromRawEncoding(1);
  clang::Lexer lexer(start, options, source.data(), source.data(), source.data() + source.size());
  lexer.SetCommentRetentionState(true);
  mca::RegionMarkers markers;
  clang::Token token;
  do {
    lexer.LexFromRawLexer(token);
    if (!token.is(clang::tok::comment))
      continue;
    const uint32_t offset = token.getLocation().getRawEncoding() - start.getRawEncoding();
    const auto [inside, opening] = insideOf(source.substr(offset, token.getLength()));
    markers.handleComment(offset + opening, inside);
  } while (!token.is(clang::tok::eof));
  found.regions = markers.regions();
  found.diagnostics = markers.takeDiagnostics();
  return found;
}

} // namespace analysis
