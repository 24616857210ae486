#include "lsp/wording/calibrating_text.h"

#include "lsp/wording/measured_text.h"

namespace lsp::wording {

std::string whyNotCalibrated(const std::string &architecture) {
  return architecture == "x86_64"
             ? ""
             : "only x86-64 CPUs can be calibrated yet; this one is " + architectureName(architecture);
}

std::string calibratedMessage(uint32_t forms, const std::string &file, bool isWhole) {
  const std::string measured = counted(forms, "form") + " of instructions";
  return isWhole
             ? "this CPU is calibrated: " + measured + " in " + file
             : "the calibration was ended early: " + measured + " in " + file + ". Start it again to measure the rest";
}

} // namespace lsp::wording
