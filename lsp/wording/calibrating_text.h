// What the user reads about calibrating this CPU: why it is not possible, and what came of it.
#pragma once

#include <cstdint>
#include <string>

namespace lsp::wording {

/// Why a CPU of this architecture, as uname(2) names it, cannot be calibrated: "only x86-64 CPUs can be calibrated yet;
/// this one is AArch64". Empty if it can.
std::string whyNotCalibrated(const std::string &architecture);

/// `forms` of instructions are in `file`: all that were to be measured if the run is whole.
std::string calibratedMessage(uint32_t forms, const std::string &file, bool isWhole);

} // namespace lsp::wording
