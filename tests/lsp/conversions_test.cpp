// JSON to structs and back.
#include "lsp/protocol/conversions.h"
#include "lsp/protocol/diagnostics_text.h"

#include <gtest/gtest.h>

namespace lsp::protocol {
namespace {

template <class T>
T read(const char *text) {
  Json json = Json::parse(text);
  T out;
  fromJson(json, out);
  return out;
}

TEST(Conversions, ReadsCapabilities) {
  const auto params = read<InitializeParams>(R"({
    "processId": 42, "clientInfo": {"name": "an editor"},
    "capabilities": {
      "general": {"positionEncodings": ["utf-32", "utf-8", "utf-16"]},
      "window": {"workDoneProgress": true},
      "workspace": {"configuration": true, "inlayHint": {"refreshSupport": true},
                    "didChangeConfiguration": {"dynamicRegistration": true}},
      "textDocument": {"hover": {"contentFormat": ["markdown", "plaintext"]},
                       "publishDiagnostics": {"relatedInformation": true}}},
    "initializationOptions": {"cpu": "znver4"}})");
  EXPECT_EQ(params.processId, 42);
  EXPECT_EQ(params.clientName, "an editor");
  EXPECT_EQ(params.capabilities.encoding, PositionEncoding::Utf8);
  EXPECT_TRUE(params.capabilities.workDoneProgress);
  EXPECT_TRUE(params.capabilities.configuration);
  EXPECT_TRUE(params.capabilities.registersConfiguration);
  EXPECT_TRUE(params.capabilities.refreshesInlayHints);
  EXPECT_TRUE(params.capabilities.markdownHover);
  EXPECT_TRUE(params.capabilities.relatedInformation);
  EXPECT_EQ(params.initializationOptions["cpu"], "znver4");
}

TEST(Conversions, OddCapabilitiesAreAbsent) {
  const auto params = read<InitializeParams>(
      R"({"processId": null, "capabilities": {"general": 5, "window": [], "workspace": {"configuration": "yes"},
          "textDocument": {"hover": {"contentFormat": "markdown"}}}})");
  EXPECT_EQ(params.processId, std::nullopt);
  EXPECT_EQ(params.capabilities.encoding, PositionEncoding::Utf16);
  EXPECT_FALSE(params.capabilities.configuration);
  EXPECT_FALSE(params.capabilities.markdownHover);
  EXPECT_NO_THROW(read<InitializeParams>("{}"));
}

TEST(Conversions, ChoosesTheEncoding) {
  const auto encoding = [](const std::string &offered) {
    return read<InitializeParams>((R"({"capabilities":{"general":{"positionEncodings":)" + offered + "}}}").c_str())
        .capabilities.encoding;
  };
  EXPECT_EQ(encoding(R"(["utf-16"])"), PositionEncoding::Utf16);
  EXPECT_EQ(encoding(R"(["utf-32"])"), PositionEncoding::Utf32);
  EXPECT_EQ(encoding(R"(["utf-32", "utf-16"])"), PositionEncoding::Utf16);
  EXPECT_EQ(encoding("[]"), PositionEncoding::Utf16);
}

TEST(Conversions, ReadsChanges) {
  const auto params = read<DidChangeParams>(R"({"textDocument": {"uri": "file:///a.s", "version": 3},
    "contentChanges": [{"range": {"start": {"line": 1, "character": 2}, "end": {"line": 3, "character": 99999999999}},
                        "rangeLength": 5, "text": "x"}, {"text": "all"}]})");
  EXPECT_EQ(params.version, 3);
  ASSERT_EQ(params.changes.size(), 2u);
  EXPECT_EQ(params.changes[0].range->start, (Position{1, 2}));
  EXPECT_EQ(params.changes[0].range->end, (Position{3, UINT32_MAX}));
  EXPECT_EQ(params.changes[1].range, std::nullopt);
}

TEST(Conversions, RefusesWhatTheProtocolDoesNotAllow) {
  EXPECT_THROW(read<InitializeParams>("[]"), InvalidParams);
  EXPECT_THROW(read<DocumentParams>("null"), InvalidParams);
  EXPECT_THROW(read<DocumentParams>(R"({"textDocument": {"uri": 5}})"), InvalidParams);
  EXPECT_THROW(read<HoverParams>(R"({"textDocument": {"uri": "x"}, "position": {"line": -1, "character": 0}})"),
               InvalidParams);
  EXPECT_THROW(read<HoverParams>(R"({"textDocument": {"uri": "x"}, "position": {"line": 1.5, "character": 0}})"),
               InvalidParams);
  EXPECT_THROW(read<CancelParams>(R"({"id": null})"), InvalidParams);
}

/// Whose they are must be known.
TEST(Conversions, ChangesThatTheProtocolDoesNotAllow) {
  EXPECT_THROW(read<DidChangeParams>(R"({"contentChanges": []})"), InvalidParams);
  const std::pair<const char *, const char *> wrong[] = {
      {R"({})", "contentChanges is not an array"},
      {R"([5])", "contentChanges is not an object"},
      {R"([{"text": "good"}, {"text": 7}])", "contentChanges.text is not a string"},
      {R"([{"text": "", "range": {"start": {"line": 2, "character": 0}, "end": {"line": 1, "character": 0}}}])",
       "contentChanges.range ends before it starts"}};
  for (const auto &[changes, why] : wrong) {
    const std::string params =
        R"({"textDocument": {"uri": "x", "version": 3}, "contentChanges": )" + std::string(changes) + "}";
    const auto change = read<DidChangeParams>(params.c_str());
    EXPECT_EQ(change.uri, "x");
    EXPECT_TRUE(change.changes.empty());
    EXPECT_EQ(change.unreadable, why);
  }
  EXPECT_EQ(read<DidChangeParams>(R"({"textDocument": {"uri": "x"}, "contentChanges": []})").unreadable, "");
}

TEST(Conversions, ComplaintsNameThePlace) {
  try {
    read<DocumentParams>(R"({"textDocument": {}})");
    FAIL();
  } catch (const InvalidParams &error) {
    EXPECT_STREQ(error.what(), "textDocument.uri is missing");
  }
}

TEST(Conversions, WritesResults) {
  EXPECT_EQ(Json(InlayHint{{1, 2}, {{"I", {}}, {"PC", {}}}, MarkupContent{true, "*x*"}, ""}), Json::parse(R"({
    "position": {"line": 1, "character": 2}, "label": "IPC", "paddingLeft": true,
    "tooltip": {"kind": "markdown", "value": "*x*"}})"));
  EXPECT_EQ(Json(InlayHint{{}, {{"IPC", {}}}, MarkupContent{false, "x"}, ""})["tooltip"], "x");
  EXPECT_EQ(Json(std::optional<Hover>()), nullptr);
  Diagnostic diagnostic{{{0, 1}, {0, 2}}, 2, "code", "text", {{"file:///b", {}, "there"}}};
  EXPECT_EQ(Json::parse(toText({"file:///a", 7, {diagnostic}})), Json::parse(R"({
    "uri": "file:///a", "version": 7, "diagnostics": [{
      "range": {"start": {"line": 0, "character": 1}, "end": {"line": 0, "character": 2}},
      "severity": 2, "code": "code", "source": "mca", "message": "text",
      "relatedInformation": [{"location": {"uri": "file:///b", "range": {"start": {"line": 0, "character": 0},
                              "end": {"line": 0, "character": 0}}}, "message": "there"}]}]})"));
  diagnostic.codeLink = "https://x/y.md";
  diagnostic.unnecessary = true;
  diagnostic.message = "quote \" backslash \\ tab \t euro \xE2\x82\xAC";
  diagnostic.related.push_back({"file:///c%20d", {{1, 2}, {3, 4}}, "no UTF-8: \xff"});
  const Json both = Json::parse(toText({"file:///a", 7, {diagnostic, diagnostic}}));
  Json one(diagnostic);
  one["relatedInformation"][1]["message"] = "no UTF-8: \xEF\xBF\xBD";
  EXPECT_EQ(both["diagnostics"], Json::array({one, one}));
  diagnostic.message = "a\x1b\u202E";
  diagnostic.related.front().message = "\x7f";
  const Json shown = Json::parse(toText({"file:///\u202E", {}, {diagnostic}}));
  EXPECT_EQ(shown["diagnostics"][0]["message"], "a\uFFFD\uFFFD");
  EXPECT_EQ(shown["diagnostics"][0]["relatedInformation"][0]["message"], "\uFFFD");
  EXPECT_EQ(shown["uri"], "file:///\u202E") << "a place stays as it is";
  EXPECT_EQ(Json::parse(toText({"file:///a", {}, {}})), Json::parse(R"({"uri": "file:///a", "diagnostics": []})"));
  const Json initialized(InitializeResult{PositionEncoding::Utf8});
  EXPECT_EQ(initialized["capabilities"]["positionEncoding"], "utf-8");
  EXPECT_EQ(initialized["capabilities"]["textDocumentSync"]["change"], 2);
  EXPECT_EQ(initialized["serverInfo"]["name"], "mca-lsp");
}

} // namespace
} // namespace lsp::protocol
