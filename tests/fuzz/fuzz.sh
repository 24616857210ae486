#!/usr/bin/env bash
#:   fuzz [TARGET [SECONDS]]  run a fuzzer (default: all of them, 60 s each); engine: the simulator against LLVM's
#:   fuzz --minimise [TARGET]  put the inputs that reach new code into tests/fuzz/corpora, and drop those that add nothing
. "$(dirname "$0")/../../.dev/common.sh"

export LSAN_OPTIONS=suppressions=tests/fuzz/leaks.txt:print_suppressions=0

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
  for name in "${names[@]}"; do mkdir -p "build/fuzz/corpus/fuzz_$name"; done
}

# fuzz NAME SECONDS
fuzz() {
  local options=(-max_total_time="$2" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1
    -artifact_prefix="build/fuzz/fuzz_$1-")
  say "fuzzing $1 for $2 s"
  [ ! -e "tests/fuzz/$1.dict" ] || options+=(-dict="tests/fuzz/$1.dict")
  "build/fuzz/bin/fuzz_$1" "${options[@]}" "build/fuzz/corpus/fuzz_$1" "tests/fuzz/seeds/$1" "build/fuzz/tests/fuzz/corpora/$1"
}

# minimise NAME: the archive holds what reaches code that the seeds do not. The same inputs make the same archive.
minimise() {
  local name=$1 seeds=tests/fuzz/seeds/$1 all=build/fuzz/minimised/$1
  local inputs=("build/fuzz/tests/fuzz/corpora/$1" "build/fuzz/corpus/fuzz_$1")
  say "minimising $name"
  rm -rf "$all"
  mkdir -p "$all"
  cp "$seeds"/* "$all"
  # The first merge looks for few inputs, the second adds those that it missed.
  "build/fuzz/bin/fuzz_$name" -set_cover_merge=1 "$all" "${inputs[@]}" >"$all.log" 2>&1 &&
    "build/fuzz/bin/fuzz_$name" -merge=1 "$all" "${inputs[@]}" >>"$all.log" 2>&1 ||
    { tail "$all.log" >&2; die "merging failed"; }
  (cd "$seeds" && printf '%s\n' *) | (cd "$all" && xargs rm --)
  (cd "$all" && find . -type f -printf '%P\n' | LC_ALL=C sort) |
    tar --format=ustar --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rw,go=r \
      -cf "tests/fuzz/corpora/$name.tar" -C "$all" -T -
  say "$name: $(find "$all" -type f | wc -l) of $(find "${inputs[@]}" -type f | wc -l) inputs reach the same code"
}

case ${1:-} in
--minimise)
  build_fuzzers "${2:-}"
  for name in "${names[@]}"; do minimise "$name"; done
  exit
  ;;
engine)
  fuzz_engine "${2:-60}"
  exit
  ;;
'') fuzz_engine 60 ;;
esac
only=${1:-}
build_fuzzers "${only#fuzz_}"
for name in "${names[@]}"; do fuzz "$name" "${2:-60}"; done
