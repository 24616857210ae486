// What the editor can say of each instruction of a region: what it costs, what it waits for and whose results it reads.
#pragma once

#include "analysis/source_map/text_lines.h"
#include "analysis/verdict/present.h"

#include <string>

namespace analysis {

/// The instructions of the report. `instruction.at` is for the caller to fill, who knows the buffer.
std::vector<wire::InstructionDetails> detailsOf(const AnalysedRegion &analysed);

/// The instructions of the longest loop-carried chain, in its order; positions in the report.
std::vector<uint32_t> chainOf(const mca::DataflowLimit &limit);

/// The instruction's text in the assembly, without what else stands on its line; of a macro's the call.
wire::ByteRange textRangeOf(const mca::Program &program, const mca::Target &target, uint32_t instruction);

} // namespace analysis
