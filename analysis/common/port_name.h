// The ports of Intel's CPUs, as LLVM's models name them: SKLPort5, SPRPort11, LNLPVPort02. Intel's manuals and other
// tools use the number alone ("port 5").
#pragma once

#include <optional>
#include <string_view>

namespace analysis {

struct PortName {
  std::string_view family; ///< what comes before "Port": "SKL"
  std::string_view number; ///< the digits after it: "5", "02"
};

/// The parts of a port's name; none if the name has another form.
inline std::optional<PortName> portNameOf(std::string_view name) {
  constexpr std::string_view kPort = "Port";
  const size_t at = name.rfind(kPort);
  if (at == std::string_view::npos || at == 0)
    return std::nullopt;
  const std::string_view number = name.substr(at + kPort.size());
  if (number.empty() || number.find_first_not_of("0123456789") != std::string_view::npos)
    return std::nullopt;
  return PortName{name.substr(0, at), number};
}

} // namespace analysis
