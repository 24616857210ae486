#!/usr/bin/env bash
#:   fmt [--check]        format the C++ sources, or only say which are not
. "$(dirname "$0")/common.sh"

need fmt
options=(-i)
[ "${1:-}" != --check ] || options=(--dry-run -Werror)
git ls-files '*.cpp' '*.h' ':!tests/goldens/assembly' | xargs "clang-format-$llvm" "${options[@]}"
