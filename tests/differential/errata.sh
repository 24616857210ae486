#!/usr/bin/env bash
#:   errata VERSION       compare every row of LLVM's scheduling models with those of another LLVM, such as 23, and
#:                        write what differs to build/errata-VERSION.txt: candidates for mca-core/target/errata.cpp
. "$(dirname "$0")/../../.dev/common.sh"

other=${1:-}
[[ $other =~ ^[0-9]+$ ]] || die "usage: ./dev errata VERSION, a number such as 23"
source=tests/differential/model_rows.cpp
work=build/errata
mkdir -p "$work"

# The flags that a program of the LLVM needs, whose llvm-config is given.
flags_of() { "$@" --cxxflags --ldflags --libs | tr '\n' ' '; }

# rows_of_installed VERSION: with the packages of this system.
rows_of_installed() {
  say "reading the models of LLVM $1"
  # shellcheck disable=SC2046 # words
  "clang++-$llvm" -O1 "$source" -o "$work/rows-$1" $(flags_of "llvm-config-$1") -std=c++20 || die "$source does not compile with LLVM $1"
  "$work/rows-$1" >"$work/rows-$1.txt"
}

# rows_of_unstable VERSION: with those of Debian's unstable suite, in a root of its own.
rows_of_unstable() {
  local root=$work/unstable-$1
  need bare-debian
  needs_root "debootstrap and chroot"
  if [ ! -x "$root/usr/bin/llvm-config-$1" ]; then
    say "fetching LLVM $1 from Debian's unstable suite"
    rm -rf "$root"
    debootstrap --variant=minbase --include="llvm-$1,llvm-$1-dev,g++" unstable "$root" "$(debian_mirror)" \
      >"$work/debootstrap.log" 2>&1 || { tail -n 5 "$work/debootstrap.log" >&2; die "Debian's unstable suite has no LLVM $1"; }
  fi
  say "reading the models of LLVM $1"
  cp "$source" "$root/tmp/"
  # shellcheck disable=SC2046 # words
  chroot "$root" g++ -O1 "/tmp/${source##*/}" -o /tmp/rows $(flags_of chroot "$root" "llvm-config-$1") -std=c++20 ||
    die "$source does not compile with LLVM $1"
  chroot "$root" /tmp/rows >"$work/rows-$1.txt"
}

need llvm node
rows_of_installed "$llvm"
if command -v "llvm-config-$other" >/dev/null; then rows_of_installed "$other"; else rows_of_unstable "$other"; fi
node tests/differential/errata.mjs "$work/rows-$llvm.txt" "$work/rows-$other.txt" >"build/errata-$other.txt"
say "$(grep -c '^  ' "build/errata-$other.txt") differences are in build/errata-$other.txt"
