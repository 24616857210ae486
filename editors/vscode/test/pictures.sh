#!/usr/bin/env bash
#:   pictures             make the pictures of docs again, in a real VS Code, with the texts that a test compares
. "$(dirname "$0")/../../../.dev/common.sh"

# draw NAME FILE...: docs/NAME.svg, what --check says of these files of docs/demo.
draw() {
  local name=$1
  shift
  { build/release/bin/mca-lsp --log=error --calibration=off --check --annotate --color=always "${@/#/docs/demo/}" || true; } |
    node docs/demo/picture.mjs >"docs/$name.svg"
}

editors/vscode/test/prepare.sh
say "taking pictures"
VSCODE_HOST=$PWD/build/vscode/host MCA_VSIX=$PWD/build/vscode/mca-lsp.vsix node editors/vscode/test/pictures.mjs
draw demo dot.s mean.cpp checksum.c
draw images/control-flow positive.s
