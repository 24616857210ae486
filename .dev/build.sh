#!/usr/bin/env bash
#:   build [PRESET]       build the programs into build/PRESET/bin (release, debug, tsan; default release)
. "$(dirname "$0")/common.sh"

preset=${1:-release}
need build
[ "$preset" = release ] || need sanitizers
configure "$preset" -DBUILD_TESTING=OFF
build "$preset" programs
say "built: $(printf "%s " "build/$preset"/bin/mca*)"
