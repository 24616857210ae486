#!/usr/bin/env bash
#:   test sanitized [address|thread]
#:                        the unit tests and the fuzzers' seeds with assertions under AddressSanitizer and
#:                        UndefinedBehaviorSanitizer; the tests of the server, the worker and threads under ThreadSanitizer
. "$(dirname "$0")/../.dev/common.sh"

# run SANITIZER: its build preset has the targets, its test preset the tests.
run() {
  build "sanitized-$1"
  say "testing with the $1 sanitizer"
  ctest --preset "sanitized-$1" -j "$(nproc)"
}

case ${1:-} in '' | address | thread) ;; *) die "unknown sanitizer: $1 (address or thread)" ;; esac
need build test node sanitizers
if [ "${1:-address}" = address ]; then
  configure debug -DBUILD_TESTING=ON -DMCA_FUZZERS=ON
  run address
fi
if [ "${1:-thread}" = thread ]; then
  configure tsan -DBUILD_TESTING=ON
  run thread
fi
