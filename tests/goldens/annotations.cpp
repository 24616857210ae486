#include "tests/goldens/annotations.h"

#include "analysis/source_map/text_lines.h"

#include <algorithm>
#include <cstdio>

namespace goldens {
namespace {

using analysis::Shown;
using analysis::TextLines;
using nlohmann::json;

struct Place {
  uint32_t line = 0;
  uint32_t column = 0;
};

Place placeOf(const TextLines &lines, uint32_t offset) {
  const uint32_t line = lines.lineOf(offset);
  return {line, offset - lines.range(line).begin};
}

Place placeOf(const json &position) {
  return {position["line"].get<uint32_t>(), position["character"].get<uint32_t>()};
}

const char *severityName(int severity) {
  constexpr const char *kNames[] = {"no severity", "error", "warning", "information", "hint"};
  return kNames[severity];
}

std::string rangeText(Place begin, Place end) {
  std::string text = std::to_string(begin.column + 1) + "-";
  if (end.line != begin.line)
    text += std::to_string(end.line + 1) + ":";
  return text + std::to_string(end.column + 1);
}

std::string findingText(Place begin, Place end, int severity, const std::string &code, const std::string &message) {
  return "| finding " + rangeText(begin, end) + ": " + severityName(severity) + " " + code + ": " + message;
}

std::string relatedText(const std::string &file, uint32_t line, const std::string &message) {
  return "\n|   " + (file.empty() ? "line " : file.substr(file.rfind('/') + 1) + ":") + std::to_string(line + 1) +
         ": " + message;
}

const char *kindName(analysis::wire::RegionKind kind) {
  switch (kind) {
  case analysis::wire::RegionKind::Marker:
    return "marker";
  case analysis::wire::RegionKind::Loop:
    return "loop";
  case analysis::wire::RegionKind::Snippet:
    return "snippet";
  case analysis::wire::RegionKind::Path:
    return "path";
  }
  return "";
}

std::string regionText(const analysis::ShownRegion &region, const TextLines &lines) {
  char numbers[160];
  std::snprintf(numbers, sizeof numbers, "%u instructions, %u iterations in %llu cycles, block rthroughput %.2f",
                region.instructions, region.iterations, static_cast<unsigned long long>(region.cycles),
                region.blockReciprocalThroughput);
  std::string text = "| region " + (region.name.empty() ? std::string("(unnamed)") : region.name) + " (" +
                     kindName(region.kind) + ") to line " + std::to_string(lines.lineOf(region.at.end) + 1) + ": " +
                     numbers;
  for (const std::string &caveat : region.caveats)
    text += "\n|   caveat: " + caveat;
  for (const std::string &correction : region.corrections)
    text += "\n|   model: " + correction;
  for (const std::string &function : region.calls)
    text += "\n|   calls: " + function;
  for (const lsp::wording::BudgetResult &budget : region.budgets) {
    std::snprintf(numbers, sizeof numbers, " %.3f of %.3f on ", budget.value, budget.limit);
    text += "\n|   budget: " + budget.what + numbers + budget.cpu +
            (!budget.checked ? ", not checked"
             : budget.met    ? ", met"
                             : ", not met");
  }
  return text;
}

/// "//" or "#": what the first line starts with.
std::string_view commentOf(std::string_view text) {
  return text.substr(0, text.find(' '));
}

bool isAnnotation(std::string_view line, std::string_view comment) {
  if (!line.starts_with(comment))
    return false;
  line.remove_prefix(comment.size());
  return line.starts_with("  ^ ") || line.starts_with("  | ");
}

bool isSummary(std::string_view line, std::string_view comment) {
  if (!isAnnotation(line, comment))
    return false;
  line.remove_prefix(comment.size());
  return line.starts_with("  | region") || line.starts_with("  |   caveat") || line.starts_with("  |   model") ||
         line.starts_with("  |   calls") || line.starts_with("  |   budget") || line.starts_with("  | target") ||
         line.starts_with("  | note");
}

template <class Drop>
std::string without(std::string_view text, Drop drop) {
  std::string kept;
  const std::string_view comment = commentOf(text);
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    if (!drop(text.substr(0, end), comment))
      kept += text.substr(0, end);
    text.remove_prefix(end);
  }
  return kept;
}

/// A label is a text, or parts of one.
std::string labelOf(const json &hint) {
  if (hint["label"].is_string())
    return hint["label"].get<std::string>();
  std::string label;
  for (const json &part : hint["label"])
    label += part["value"].get<std::string>();
  return label;
}

} // namespace

Annotations annotationsOf(const Shown &result, std::string_view text) {
  const TextLines lines(text);
  Annotations annotations;
  for (const analysis::ShownHint &hint : result.hints)
    annotations.push_back({lines.lineOf(hint.offset), "^ hint: " + hint.label()});
  for (const analysis::wire::Finding &finding : result.findings) {
    const Place begin = placeOf(lines, finding.at.begin);
    std::string line = findingText(begin, placeOf(lines, finding.at.end), static_cast<int>(finding.severity),
                                   finding.code, finding.message);
    for (const analysis::wire::RelatedPlace &related : finding.related)
      line += relatedText(related.path, related.path.empty() ? lines.lineOf(related.at.begin) : related.line - 1,
                          related.message);
    annotations.push_back({begin.line, std::move(line)});
  }
  return annotations;
}

Annotations annotationsOf(const json &hints, const json &diagnostics, const std::string &uri) {
  Annotations annotations;
  for (const json &hint : hints)
    annotations.push_back({hint["position"]["line"].get<uint32_t>(), "^ hint: " + labelOf(hint)});
  for (const json &diagnostic : diagnostics) {
    const Place begin = placeOf(diagnostic["range"]["start"]);
    std::string line = findingText(begin, placeOf(diagnostic["range"]["end"]), diagnostic["severity"].get<int>(),
                                   diagnostic["code"].get<std::string>(), diagnostic["message"].get<std::string>());
    for (const json &related : diagnostic.value("relatedInformation", json::array())) {
      const std::string file = related["location"]["uri"].get<std::string>();
      line += relatedText(file == uri ? "" : file, placeOf(related["location"]["range"]["start"]).line,
                          related["message"].get<std::string>());
    }
    annotations.push_back({begin.line, std::move(line)});
  }
  return annotations;
}

Annotations summariesOf(const Shown &result, std::string_view text) {
  const TextLines lines(text);
  Annotations annotations;
  const analysis::wire::TargetSummary &target = result.target;
  annotations.push_back({0, "| target: " + target.triple + " " + target.cpu + " (" + target.cpuOrigin + "); " +
                                (target.modelOrigin.empty() ? "no model" : target.modelOrigin)});
  for (const std::string &note : result.notes)
    annotations.push_back({0, "| note: " + note});
  for (const analysis::ShownRegion &region : result.regions)
    annotations.push_back({lines.lineOf(region.at.begin), regionText(region, lines)});
  return annotations;
}

std::string sourceOf(std::string_view golden) {
  return without(golden, isAnnotation);
}

std::string editorPartOf(std::string_view golden) {
  return without(golden, isSummary);
}

std::string splice(std::string_view source, Annotations annotations) {
  std::stable_sort(annotations.begin(), annotations.end(),
                   [](const Annotation &a, const Annotation &b) { return a.line < b.line; });
  const std::string prefix = std::string(commentOf(source)) + "  ";
  std::string golden;
  auto next = annotations.begin();
  for (uint32_t line = 0; !source.empty(); ++line) {
    const size_t end = std::min(source.find('\n'), source.size() - 1) + 1;
    golden += source.substr(0, end);
    source.remove_prefix(end);
    for (; next != annotations.end() && (next->line == line || source.empty()); ++next) {
      std::string text = prefix + next->text + "\n";
      for (size_t at = text.find('\n'); at + 1 < text.size(); at = text.find('\n', at + 1))
        text.insert(at + 1, prefix);
      golden += text;
    }
  }
  return golden;
}

} // namespace goldens
