#!/bin/sh
# Runs the tests of a folder's Elisp file in a batch Emacs that sees and leaves nothing in the user's home.
#
#   run.sh EMACS MCA-LSP
set -eu
emacs=$1
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
HOME=$home XDG_CONFIG_HOME=$home/.config XDG_CACHE_HOME=$home/.cache TMPDIR=$home PATH=$(dirname "$2"):$PATH \
  "$emacs" --batch -Q -l "$(dirname "$0")/eglot_test.el" -f ert-run-tests-batch-and-exit
