#!/bin/sh
# A compiler of the user's own (--compiler), whose name has to be clang-22. The file beside it says what it does; with
# "good" it is clang. The product passes on few variables, so the real program is named by that file as well.
read -r real mode value text <"$0.mode"
case $mode in
good) exec "$real" "$@" ;;
slow) sleep "$value" && exec "$real" "$@" ;;
hang) exec sleep 1000 ;;
spin) while :; do :; done ;;
deaf) exec sleep 1000 >&- 2>&- ;;
children) sleep 1000 & sleep 1000 & exec "$real" "$@" ;;
many) i=0 && while [ $i -lt "$value" ]; do sleep 1000 & i=$((i + 1)); done && wait ;;
flood) exec yes 'addq %rax, %rbx' ;;
flood-errors) exec yes 'dot.c:1:1: error: no' >&2 ;;
errors) yes 'dot.c:1:1: error: no' | head -n "$value" >&2 && exit 1 ;;
exit) printf '%s\n' "$text" && exit "$value" ;;
exit-errors) printf '%s\n' "$text" >&2 && exit "$value" ;;
signal) kill -s "$value" $$ ;;
half) "$real" "$@" | head -c "$value" ;;
twice) "$real" "$@" && "$real" "$@" ;;
text) cat "$0.text" ;;
esac
