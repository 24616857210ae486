#!/usr/bin/env bash
#:   lint                 clang-tidy over the C++ sources, shellcheck over the scripts
. "$(dirname "$0")/common.sh"

need build lint
git ls-files '*.sh' dev .ci/run | xargs shellcheck
[ -e build/release/build.ninja ] || configure release -DBUILD_TESTING=OFF
build release mca_llvm_headers mca_server_headers # precompiled: the compile commands name them
git ls-files 'lsp/*.cpp' 'analysis/*.cpp' 'mca-core/*.cpp' |
  xargs -P "$(nproc)" -n 4 "clang-tidy-$llvm" -p build/release --quiet --warnings-as-errors='*' \
    --extra-arg=-Wno-unknown-warning-option --extra-arg=-fno-profile-use
