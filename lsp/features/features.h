// What the server answers about a document, a pure function each. The file of each one's name has it; findings are in
// diagnostics.h.
#pragma once

#include "lsp/protocol/json_rpc.h"
#include "lsp/protocol/types_features.h"
#include "lsp/settings/settings.h"
#include "lsp/workspace/document.h"
#include "lsp/workspace/virtual_documents.h"

namespace lsp::features {

// ---- numbers -------------------------------------------------------------------------------------------------------

/// textDocument/inlayHint: the numbers of each region at the end of its line, and on request those of each instruction.
///
/// The hints whose lines lie in `requested`, in the order of their lines: first the region's, then the instruction's.
/// Properties that the client resolves later are left out.
std::vector<protocol::InlayHint> inlayHints(const Document &document, const protocol::Range &requested,
                                            const protocol::UserSettings &settings,
                                            const protocol::ClientCapabilities &client);

/// inlayHint/resolve: the hint with the same position and label, and with its tooltips. Empty if it is no longer there.
std::optional<protocol::InlayHint> resolveInlayHint(const Document &document,
                                                    const protocol::InlayHintResolveParams &params,
                                                    const protocol::UserSettings &settings,
                                                    const protocol::ClientCapabilities &client);

/// textDocument/codeLens: lines above loops, to look at one path or with another predictor, to measure, and for users
/// who want no hints inside the text, the numbers.
///
/// In the order of the lines. A click runs the lens's command with the place: `mca.showReport` on the numbers, of which
/// each hint has one if `withNumbers`; `mca.nextPath` on the paths of a loop that has several; `mca.nextPredictor` on
/// the predictor of a loop with a trace; `mca.measureRegion` on "Measure this loop".
std::vector<protocol::CodeLens> codeLenses(const Document &document, bool withNumbers,
                                           const protocol::ClientCapabilities &client);

/// textDocument/hover: the numbers of the instruction, source line or region under the cursor.
///
/// On a region's first line and on the line of its hint, the region's numbers. Elsewhere those of the instruction in
/// assembly and of the line in C and C++, or, without any, of the region around it.
///
/// Of several regions the smallest that contains the position. A region also contains the position after its last
/// character, where the cursor stands at the end of a line, unless another region contains that place.
///
/// `now`: seconds since 1970, for the age of a trace; 0 if it is not known.
std::optional<protocol::Hover> hover(const Document &document, const protocol::Position &position,
                                     const protocol::ClientCapabilities &client, uint64_t now = 0);

/// textDocument/semanticTokens: for how much of its loop's time each instruction or line keeps the busiest unit busy.
/// The tokens that begin in `requested`.
///
/// A token's type is one of protocol::kTokenTypes. High: at least half of the cycles of an iteration; medium: at least
/// a quarter; low: less, but some. The steps are for the eye; the simulation has no such limits. The modifier marks the
/// links of the loop-carried chain. If a place belongs to several regions, the highest share counts.
protocol::SemanticTokens semanticTokens(const Document &document, const protocol::Range &requested,
                                        const protocol::ClientCapabilities &client);

/// A timeline as the reply to mca/timeline: docs/commands.md says what each member means. `uri` is the name by which
/// the client requests it again. Lines and cycles count from 0.
protocol::Json timelineJson(const VirtualText &document, const std::string &uri);

// ---- places --------------------------------------------------------------------------------------------------------

/// textDocument/definition in an assembly buffer: from an instruction to those whose results it reads, in the order of
/// the text.
protocol::Definition producers(const Document &document, const protocol::Position &position,
                               const protocol::ClientCapabilities &client);

/// textDocument/definition from a line of the buffer to the lines of the document `listingUri` that stand for it, one
/// place for each run of lines. `links` are those of the listing, in any order.
protocol::Definition linesInListing(const Document &document, const protocol::Position &position,
                                    const std::vector<LineLink> &links, const std::string &listingUri,
                                    const protocol::ClientCapabilities &client);

/// The same from a line of a listing to that of the buffer `bufferUri` that it stands for.
protocol::Definition lineInBuffer(uint32_t line, const std::vector<LineLink> &links, const std::string &bufferUri,
                                  const protocol::ClientCapabilities &client);

/// textDocument/documentHighlight: the instructions that exchange values with the one under the cursor. Assembly only:
/// in C and C++ the same request shows the uses of a name, which other servers answer.
///
/// The instruction itself; those whose results it reads, as writes; those that read its result, as reads; and if it is
/// a link of the loop-carried chain, the other links as text. In the order of the text, each place once.
std::vector<protocol::DocumentHighlight> documentHighlights(const Document &document,
                                                            const protocol::Position &position,
                                                            const protocol::ClientCapabilities &client);

/// textDocument/documentSymbol: the regions and loops of an assembly buffer, which has no other structure that an
/// editor would know. C and C++ are left to the servers for these languages. Regions inside of others are their
/// children. The paths through a loop are one symbol.
protocol::DocumentSymbols documentSymbols(const Document &document, const protocol::ClientCapabilities &client);

/// textDocument/foldingRange: the marked regions and loops of more than one line. If the client limits their number,
/// the longest ones.
std::vector<protocol::FoldingRange> foldingRanges(const Document &document, const protocol::ClientCapabilities &client);

// ---- edits ---------------------------------------------------------------------------------------------------------

/// textDocument/completion: only inside the comments that address the analysis. Other servers complete the rest.
///
/// After the beginning of `LLVM-MCA-` the markers and the target's instruments; after END the names of open regions;
/// after a RISC-V instrument its values; after `mca:` its keys and, after `cpu=`, `cpus`. Each item replaces the word
/// before the position.
std::vector<protocol::CompletionItem> completions(const Document &document, const protocol::Position &position,
                                                  const std::vector<std::string> &cpus,
                                                  const protocol::ClientCapabilities &client);

/// What code actions can offer beyond the contents of the document.
struct ActionChoices {
  std::vector<std::string> cpus; ///< CPUs to analyse for
  std::string newConfigUri;      ///< of the `.mca-lsp.json` beside the document; empty if it exists already
};

/// textDocument/codeAction: edits after which the analysis shows more, or something else.
///
/// The actions for the requested range that have a requested kind. Empty for a client that takes commands only, and for
/// a document in a language that is not analysed.
std::vector<protocol::CodeAction> codeActions(const Document &document, const protocol::CodeActionParams &params,
                                              const ActionChoices &choices, const protocol::ClientCapabilities &client);

} // namespace lsp::features
