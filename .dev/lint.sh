#!/usr/bin/env bash
#:   lint [REVISION]      clang-tidy over the C++ sources, or those that differ from a revision of git, or whose header
#:                        does; shellcheck over the scripts
. "$(dirname "$0")/common.sh"

need build lint
git ls-files '*.sh' dev .ci/run | xargs shellcheck
[ -e build/release/build.ninja ] || configure release -DBUILD_TESTING=OFF
build release mca_llvm_headers mca_server_headers # precompiled: the compile commands name them
folders=(lsp analysis mca-core)
if [ $# = 0 ]; then
  git ls-files -- "${folders[@]/%//*.cpp}"
else
  git rev-parse --quiet --verify "$1^{commit}" >/dev/null || die "there is no revision $1"
  # A header is seen with the source of its name.
  git diff --name-only --diff-filter=d "$1" -- "${folders[@]/%//*.cpp}" "${folders[@]/%//*.h}" |
    sed 's/\.h$/.cpp/' | sort -u | while read -r source; do [ ! -f "$source" ] || echo "$source"; done
fi | xargs -r -P "$(nproc)" -n 4 "clang-tidy-$llvm" -p build/release --quiet --warnings-as-errors='*' \
  --extra-arg=-Wno-unknown-warning-option --extra-arg=-fno-profile-use
