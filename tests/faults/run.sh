#!/usr/bin/env bash
#:   faults [COUNT [SEED]]  inject faults into the real server at every step of a job (default: 2000, seed 1), and look after
#:                        each whether everything is right; other options go through (--only=KIND, --from=N, --verbose)
. "$(dirname "$0")/../../.dev/common.sh"

count=2000 seed=1
if [[ ${1:-} =~ ^[0-9]+$ ]]; then count=$1 && shift; fi
if [[ ${1:-} =~ ^[0-9]+$ ]]; then seed=$1 && shift; fi
need node
need_modules tests/transcripts
build_programs
node tests/faults/faults.mjs build/release/bin --count="$count" --seed="$seed" "$@"
