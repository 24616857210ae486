#!/usr/bin/env bash
#:   test [CTEST-ARG...]  build and run every test (ctest's own options go through: -R name, -L label)
. "$(dirname "$0")/../.dev/common.sh"

need build test node
tests/editors/emacs/install.sh
configure release -DBUILD_TESTING=ON
build release
say "testing"
ctest --preset release -j "$(nproc)" "$@"
