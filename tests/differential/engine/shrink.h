// Makes a failing case small: fewer options, instructions and iterations, as long as it fails.
#pragma once

#include "tests/differential/engine/engine_case.h"

#include <functional>

namespace differential {

/// `fails` says whether a case still does; it is asked at most `tries` times.
EngineCase shrinkCase(EngineCase engineCase, const std::function<bool(const EngineCase &)> &fails,
                      unsigned tries = 400);

} // namespace differential
