// Comments come from clang's lexer, and what they mean from mca-core, as for assembly.
#include "analysis/regions/source_markers.h"

#include "analysis/regions/source_tokens.h"
#include "analysis/text/comment_syntax.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"

namespace analysis {
namespace {

constexpr uint32_t kOpeningLength = 2; // of both C comments

/// The text of a comment token without its delimiters.
std::string_view insideOf(std::string_view comment) {
  std::string_view inside = comment.substr(kOpeningLength);
  if (comment.starts_with(comments::kBlockOpening) && inside.ends_with(comments::kBlockClosing))
    inside.remove_suffix(comments::kBlockClosing.size());
  return inside.substr(0, inside.find_last_not_of("\r\n") + 1);
}

} // namespace

SourceMarkers findSourceMarkers(std::string_view source, wire::Language language) {
  if (source.find(comments::kMarkerPrefix) == std::string_view::npos)
    return {};
  const clang::LangOptions options = lexingOptions(language); // the lexer keeps a reference
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
    markers.handleComment(offset + kOpeningLength, insideOf(source.substr(offset, token.getLength())));
  } while (!token.is(clang::tok::eof));
  return {markers.regions(), markers.takeDiagnostics()};
}

} // namespace analysis
