#!/usr/bin/env bash
#:   demo                 three files with their hints in the margin and their findings below
. "$(dirname "$0")/../../.dev/common.sh"

need build demo
build_programs
# The C and C++ files name their CPU in a comment, so that the numbers are the same everywhere.
build/release/bin/mca-lsp --log=error --check --annotate "$@" docs/demo/dot.s docs/demo/mean.cpp docs/demo/checksum.c
