#!/usr/bin/env bash
#:   package [ARCH...]    make the packages in build/package: an archive for any Linux with glibc 2.36, a Debian package, the
#:                        VS Code extension, and their checksums; for this machine or, cross-built, for arm64
#:                        (./dev package amd64 arm64); --out=FOLDER: there, not in build/package/files
. "$(dirname "$0")/../../.dev/common.sh"

out=build/package/files
case ${1:-} in --out=*) out=${1#--out=} && shift ;; esac
need package # dpkg names architectures
own=$(dpkg --print-architecture)
[ $# -gt 0 ] || set -- "$own"

# Of an architecture by Debian's name: the preset that builds its programs, and the system that has their libraries.
preset_for() { [ "$1" = "$own" ] && echo release || echo "release-$1"; }
system_for() { [ "$1" = "$own" ] && echo / || echo "$PWD/build/package/sysroot-$1"; }

# Debian 12's libraries and headers for arm64, from the packages that this machine builds with: 1.6 GB.
need_sysroot() {
  local folder=build/package/sysroot-arm64 made_for linked
  made_for="$PWD $(dpkg-query -W -f '${Version}' "llvm-$llvm-dev")"
  [ "$(cat "$folder/.made-for" 2>/dev/null)" = "$made_for" ] && return
  say "unpacking Debian's libraries for arm64"
  mapfile -t linked < <(packages_for linked | cut -d ' ' -f 1)
  editors/package/sysroot.sh arm64 bookworm "$(debian_mirror)" "$folder" "${linked[@]}"
  echo "$made_for" >"$folder/.made-for"
}

make_package() {
  local programs system
  local -A machine=([amd64]=x86_64 [arm64]=aarch64)
  programs=$PWD/build/$(preset_for "$1")/bin
  system=$(system_for "$1")
  node editors/package/package.mjs "$programs" "$system" "$version" "$out"
  (cd editors/vscode && node package.mjs "$programs" "$system" "$out/mca-lsp-${machine[$1]}.vsix")
}

for architecture in "$@"; do
  case $architecture in "$own" | arm64) ;; *) die "no packages for $architecture can be made here" ;; esac
done
need build node
for architecture in "$@"; do
  if [ "$architecture" != "$own" ]; then
    need package-arm64
    need_sysroot
  fi
  configure "$(preset_for "$architecture")"
  build "$(preset_for "$architecture")" programs
done
rm -rf "$out"
mkdir -p "$out"
out=$(realpath "$out")
need_modules editors/vscode
for architecture in "$@"; do make_package "$architecture"; done
(cd "$out" && sha256sum -- mca-lsp* >SHA256SUMS)
say "made: $(printf '%s ' "${out#"$PWD/"}"/*)"
