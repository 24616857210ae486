// Where calibrated numbers come from, in words, and what LLVM's model says beside them.
#pragma once

#include "lsp/wording/loops_of_line.h"
#include "lsp/wording/rich_text.h"
#include "lsp/wording/words.h"

#include <string>

namespace lsp::wording {

/// "AMD EPYC 7763 of 2026-11-23 (your own)"; empty if there is no calibration.
std::string calibrationInWords(const wire::CalibrationSummary &calibration);

/// "3.20 cycles per iteration, IPC 2.50": the numbers of a calibrated region in LLVM's model.
std::string llvmNumbersInWords(const AnalysedRegion &region);

/// Which calibration the loop's numbers come from, what LLVM's model says, and how much is LLVM's; or why the numbers
/// are LLVM's although there is a calibration. Nothing without one.
void addCalibration(RichText &text, const ShownLoop &loop, const wire::TargetSummary &target);

/// The highest limits of the calibrated machine with the cycles per iteration that each allows at least; nothing for
/// LLVM's numbers.
void addBounds(RichText &text, const AnalysedRegion &region);

} // namespace lsp::wording
