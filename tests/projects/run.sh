#!/usr/bin/env bash
#:   test projects [--quick] [--files=TEXT] [NAME...]
#:                        fetch real projects (Debian's source packages) and check each loop of mca-lsp --check against
#:                        independent evidence; minutes, and not part of ./dev test; everything is in build/projects
. "$(dirname "$0")/../../.dev/common.sh"

need build test node projects
configure release -DBUILD_TESTING=ON
build release programs project_extents
node tests/projects/run.mjs build/release/bin build/release/tests/project_extents build/projects "$@"
