#!/usr/bin/env bash
#:   soak [OPTION...]     500 documents under load for ten minutes, then an hour at a slower pace; samples and plots go to
#:                        build/soak (--load-minutes=N, --minutes=N, --seed=N)
. "$(dirname "$0")/../../.dev/common.sh"

need node
need_modules tests/transcripts
build_programs
node tests/soak/soak.mjs build/release/bin --out=build/soak "$@"
