#!/usr/bin/env bash
#:   docs                 make the site of README.md and docs in build/docs/site, with search; a dead link is an error
. "$(dirname "$0")/../../.dev/common.sh"

need node
need_modules docs/site
rm -rf build/docs/site
npm --prefix docs/site run --silent build
node docs/site/check.mjs build/docs/site
say "made: build/docs/site"
