// The numbers of one instruction, and of one line of C or C++, in words: for hovers and for hints in the margin.
#pragma once

#include "lsp/wording/rich_text.h"
#include "lsp/workspace/instruction_places.h"

namespace lsp::wording {

/// Micro-ops, latency, throughput and units; the instructions that it waits for and those that wait for it, with
/// 1-based lines, as editors show them; its place in the loop-carried chain; of a branch how often it is taken and what
/// its mispredictions cost.
RichText instructionText(const InstructionPlace &place, const Text &text);

/// "lat 4 · rthr 0.50 · p01": latency and reciprocal throughput in cycles, and the units that it uses, as hints name
/// them.
std::string instructionLabel(const wire::InstructionDetails &instruction);

/// The share of a source line in the micro-ops of its region, in the pressure on the region's busiest units and in its
/// loop-carried chain, and its branches; then its instructions. `line` must have some.
RichText lineText(const LineInstructions &line, const Text &text);

} // namespace lsp::wording
