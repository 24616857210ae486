#!/usr/bin/env bash
#:   test fleet           docs/fleet.md's script on a Slurm of two nodes that it starts here, and its workflow step by step: shards
#:                        that are killed, and a merge byte for byte like one run; needs root; minutes
. "$(dirname "$0")/../../.dev/common.sh"

needs_root "its own Slurm"
need fleet node
need_modules tests/fleet
build_programs
say "testing"
MCA_PROGRAMS=build/release/bin node --test --test-concurrency=1 tests/fleet/*.test.mjs
