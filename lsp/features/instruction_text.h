// What there is to say about one instruction of a region: in a hover, and in the margin.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/features/instruction_places.h"
#include "lsp/wording/rich_text.h"

#include <string>

namespace lsp::features {

/// Micro-ops, latency, throughput and units; what it waits for and who waits for it, with lines; its place in the
/// loop-carried chain.
wording::RichText instructionText(const InstructionPlace &place, const Text &text);

/// The first of its sentences: "2 micro-ops · latency 5 · reciprocal throughput 0.50 cycles".
std::string instructionNumbers(const analysis::wire::InstructionDetails &instruction);

/// "lat 4 · rthr 0.50 · p01"
std::string instructionLabel(const analysis::wire::InstructionDetails &instruction);

} // namespace lsp::features
