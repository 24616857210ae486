#!/usr/bin/env bash
#:   bench [NAME]         editor: start, time from save to hints, keystroke to hints, requests during a job, memory
#:                        ([--quick]; --profile: what a profile costs alone); headers: saves of 20 sources with large headers, advice on them and the memory
#:                        that they take ([--quick], [--rounds=N]); engine: the simulator against LLVM's pipeline, and
#:                        the calibrated machine ([--quick]); sources: a file of 250,000 instructions from text to
#:                        hints over LLVM's parser alone; branches: loops with branches, their cycles on this CPU and
#:                        along their traces; truth: blocks of Debian's packages, measured on this CPU and predicted
#:                        ([--calibration=FILE], [--seed=N], [--again=FILE], [--truth=FILE]);
#:                        loops: 113 loops of C by their hints and timed ([--calibration=FILE], [--minutes=N],
#:                        [--unaligned], [--again=FILE], [--truth=FILE]);
#:                        profiles: 24 loops by a recording, counts and the time stamp counter;
#:                        advice: the changes that are advised for these loops, made and timed ([--calibration=FILE],
#:                        [--minutes=N], [--most=N], [--kernels=WORD], [--recall], [--check=FILE]);
#:                        fleet: what a file, a start and a merge cost, and 100,000 files on 1 to 1024 cores ([--quick], [--full])
. "$(dirname "$0")/../../.dev/common.sh"

programs=build/release/bin

# What a user of an editor waits for.
bench_editor() {
  need test node
  need_modules tests/transcripts
  build_programs
  node tests/bench/editor.mjs $programs "$@"
}

# Saves of sources with large headers, which the worker compiles in advance (docs/architecture.md).
bench_headers() {
  need test node headers
  need_modules tests/transcripts
  build_programs
  node tests/bench/headers.mjs $programs "$@"
}

# The simulator's time over that of LLVM's pipeline.
bench_engine() {
  need build test
  configure release -DBUILD_TESTING=ON
  build release engine_bench
  build/release/tests/engine_bench "$@"
}

# A large file from its text to its hints. SQLite in one file is the largest C source that npm or Debian has ready.
bench_sources() {
  local folder=build/release/bench/sqlite
  need build test node
  configure release -DBUILD_TESTING=ON
  build release sources_bench
  if [ ! -e "$folder/sqlite3.s" ]; then
    say "fetching and compiling sqlite3.c"
    mkdir -p "$folder"
    (cd "$folder" && npm pack --silent better-sqlite3@12.11.1 >/dev/null && tar xzf better-sqlite3-12.11.1.tgz)
    "clang-$llvm" --target=x86_64-linux-gnu -O3 -w -S -o "$folder/sqlite3.s" "$folder/package/deps/sqlite3/sqlite3.c"
  fi
  build/release/tests/sources_bench "$folder/sqlite3.s" "$@"
}

# Measured and predicted cycles of loops with branches, on this CPU (docs/control-flow.md).
bench_branches() {
  need branches node
  build_programs
  node tests/bench/branches/branches.mjs $programs build/release/bench/branches
}

# Blocks of real programs, measured on this CPU and predicted, with and without a calibration (docs/truth.md).
bench_truth() {
  need build truth node
  configure release -DBUILD_TESTING=OFF
  build release mca mca-measure
  node tests/bench/truth/truth.mjs $programs build/release/bench/truth "$@"
}

# Loops of C: their hints, and the time of calls on this CPU (docs/truth.md).
bench_loops() {
  need build node
  build_programs
  node tests/bench/loops/loops.mjs $programs build/release/bench/loops "$@"
}

# Cycles in the program, by a recording and counts, and by the time stamp counter (docs/features/profile.md).
bench_profiles() {
  need build test node
  build_programs
  node tests/bench/profiles/profiles.mjs $programs build/release/bench/profiles "$@"
}

# Advice on loops of C: each change is made, and both versions are timed (docs/advice.md).
bench_advice() {
  need build node
  build_programs
  node tests/bench/advice/advice.mjs $programs build/release/bench/advice "$@"
}

# What a run over many machines costs (docs/fleet.md).
bench_fleet() {
  need fleet-bench node
  build_programs
  node tests/bench/fleet.mjs $programs "$@"
}

case ${1:-} in
'' | -*) bench_editor "$@" ;;
editor | headers | engine | sources | branches | truth | loops | profiles | advice | fleet) "bench_$1" "${@:2}" ;;
*) die "no such benchmark: $1 (there are: editor headers engine sources branches truth loops profiles advice fleet)" ;;
esac
