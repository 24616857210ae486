// Groups the instructions with the same error.
#include "analysis/simulate/model_errors.h"

#include "analysis/text/instruction_text.h"

#include "llvm/ADT/STLExtras.h"

namespace analysis {
namespace {

wire::Caveat::Kind kindOf(mca::Erratum::Kind kind) {
  using Kind = wire::Caveat::Kind;
  switch (kind) {
  case mca::Erratum::Kind::OneAccess:
    return Kind::OneAccess;
  case mca::Erratum::Kind::Placeholder:
    return Kind::Placeholder;
  case mca::Erratum::Kind::NoUnits:
    return Kind::NoUnits;
  case mca::Erratum::Kind::TooFast:
    return Kind::TooFast;
  case mca::Erratum::Kind::TooSlow:
    return Kind::TooSlow;
  case mca::Erratum::Kind::FalseDependency:
    return Kind::FalseDependency;
  case mca::Erratum::Kind::LateOperation:
    break;
  }
  return Kind::LateOperation;
}

} // namespace

ModelErrors modelErrorsOf(const mca::Simulation &simulation) {
  ModelErrors errors;
  for (const mca::FoundErratum &found : simulation.errata) {
    const mca::Erratum &erratum = found.erratum;
    std::vector<wire::Caveat> &all = erratum.isCorrected() ? errors.corrected : errors.uncertain;
    const auto known = llvm::find_if(all, [&](const wire::Caveat &one) { return one.kind == kindOf(erratum.kind); });
    if (known != all.end()) {
      ++known->count;
      continue;
    }
    wire::Caveat &caveat = all.emplace_back(wire::Caveat{.kind = kindOf(erratum.kind)});
    caveat.names = {flatText(simulation.report.instructions[found.instruction].text), erratum.reference.str()};
    if (erratum.lanes)
      caveat.names.push_back(std::to_string(erratum.lanes));
  }
  return errors;
}

} // namespace analysis
