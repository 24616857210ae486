#!/usr/bin/env bash
#:   fuzz [TARGET [SECONDS]]  run a fuzzer (default: all of them, 60 s each); engine: the simulator against LLVM's
. "$(dirname "$0")/../../.dev/common.sh"

# Random bodies through the simulator and LLVM's pipeline. Needs no libFuzzer.
fuzz_engine() {
  need build test
  configure release -DBUILD_TESTING=ON
  build release engine_fuzzer
  say "fuzzing engine for $1 s"
  build/release/tests/engine_fuzzer --jobs "$(nproc)" --seconds "$1"
}

# build_fuzzers [NAME]: sets names to the fuzzers that are built. libFuzzer comes with clang's other run-time libraries.
build_fuzzers() {
  need build sanitizers
  configure fuzz
  build fuzz "${1:+fuzz_}${1:-fuzzers}"
  mapfile -t names < <(cd build/fuzz/bin && printf '%s\n' fuzz_* | sed 's/^fuzz_//')
  [ -z "${1:-}" ] || names=("$1")
}

# fuzz NAME SECONDS
fuzz() {
  local options=(-max_total_time="$2" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1
    -artifact_prefix="build/fuzz/fuzz_$1-")
  say "fuzzing $1 for $2 s"
  mkdir -p "build/fuzz/corpus/fuzz_$1"
  [ ! -e "tests/fuzz/$1.dict" ] || options+=(-dict="tests/fuzz/$1.dict")
  LSAN_OPTIONS=suppressions=tests/fuzz/leaks.txt:print_suppressions=0 \
    "build/fuzz/bin/fuzz_$1" "${options[@]}" "build/fuzz/corpus/fuzz_$1" "tests/fuzz/seeds/$1"
}

case ${1:-} in
engine)
  fuzz_engine "${2:-60}"
  exit
  ;;
'') fuzz_engine 60 ;;
esac
only=${1:-}
build_fuzzers "${only#fuzz_}"
for name in "${names[@]}"; do fuzz "$name" "${2:-60}"; done
