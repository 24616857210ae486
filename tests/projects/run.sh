#!/usr/bin/env bash
#:   test projects [--quick] [--files=TEXT] [NAME...]
#:                        fetch real projects (Debian's source packages) and check each loop of mca-lsp --check against
#:                        independent evidence; minutes, and not part of ./dev test; everything is in build/projects
#:   test projects --why-not [--loops=N] [--compiler=clang|gcc] [NAME...]
#:                        the reasons why their loops were not vectorized against the compilers' own records
#:   test projects --profiles [NAME...]
#:                        the shares of the loops of five real programs, recorded, against an attribution by objdump, and
#:                        the example of docs/features/profile.md
. "$(dirname "$0")/../../.dev/common.sh"

need build test node projects
configure release -DBUILD_TESTING=ON
if [ "${1:-}" = --why-not ]; then
  build release programs
  exec node tests/projects/why_not.mjs build/release/bin build/projects "${@:2}"
fi
if [ "${1:-}" = --profiles ]; then
  build release programs
  exec node tests/projects/hot_programs.mjs build/release/bin build/projects "${@:2}"
fi
build release programs project_extents
node tests/projects/run.mjs build/release/bin build/release/tests/project_extents build/projects "$@"
