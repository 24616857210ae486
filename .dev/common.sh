# What the scripts of ./dev share. A script reads this file first. It then runs in the project's folder, and --help has
# been answered: the lines of the script that begin with "#:" are its part of ./dev help.
# shellcheck shell=bash
set -euo pipefail

case ${1:-} in
-h | --help) sed -nE 's/^#: ?//p' "$0" && exit ;;
esac
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mkdir -p build

say() { printf '\033[1mdev:\033[0m %s\n' "$*" >&2; }
die() { printf 'dev: %s\n' "$*" >&2; exit 1; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
needs_root() { [ "$(id -u)" = 0 ] || die "needs root, for $1"; }

# shellcheck disable=SC2034 # scripts use it
version=$(sed -nE 's|^project\(mca-lsp VERSION ([0-9.]+).*|\1|p' CMakeLists.txt)

# ---- packages ---------------------------------------------------------------------------------------------------------
# The major version of the LLVM that the project is built with.
llvm=$(sed -nE 's/^set\(MCA_LLVM_VERSION ([0-9]+).*/\1/p' CMakeLists.txt)

is_debian() { command -v apt-get >/dev/null && (. /etc/os-release && [[ " ${ID:-} ${ID_LIKE:-} " == *" debian "* ]]); }

# packages_for PURPOSE...: the lines of packages.txt for any of these purposes, as PACKAGE PROBE.
packages_for() {
  awk -v llvm="$llvm" -v purposes="$*" '
    BEGIN { split(purposes, list, " "); for (i in list) known[list[i]] = 0 }
    /^#/ || !NF { next }
    {
      wanted = 0
      split($1, of, ",")
      for (i in of) if (of[i] in known) wanted = known[of[i]] = 1
      gsub(/LLVM/, llvm)
      if (wanted) print $2, $3
    }
    END { for (purpose in known) if (!known[purpose]) { print "no package is for " purpose >"/dev/stderr"; exit 1 } }' \
    .dev/packages.txt
}

# is_there PACKAGE PROBE
is_there() {
  case $2 in
  - | \<*)
    if is_debian; then dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed; return; fi
    [ "$2" = - ] || "${CXX:-c++}" -E -x c++ -include "${2//[<>]/}" /dev/null >/dev/null 2>&1 ;;
  *) command -v "$2" >/dev/null ;;
  esac
}

# need PURPOSE...: installs the packages for these purposes that are missing; where there is no Debian, names them.
need() {
  local packages missing=() package probe log
  packages=$(packages_for "$@")
  while read -r package probe; do
    is_there "$package" "$probe" || missing+=("$package")
  done <<<"$packages"
  [ ${#missing[@]} = 0 ] && return
  is_debian || die "please install what Debian calls ${missing[*]}"
  say "installing ${missing[*]}"
  log=$(mktemp)
  as_root apt-get update -qq >"$log" 2>&1 || { cat "$log" >&2; die "apt-get update failed"; }
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >"$log" 2>&1 ||
    { tail -n 30 "$log" >&2; die "apt-get install failed"; }
  rm -f "$log"
}

# The Debian mirror that this machine uses.
debian_mirror() {
  # shellcheck disable=SC2016 # $(SITE) is apt's
  apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | grep -m 1 debian || echo http://deb.debian.org/debian
}

# need_modules FOLDER: what its package-lock.json names, installed again after that has changed.
need_modules() {
  [ "$1/node_modules/.package-lock.json" -nt "$1/package-lock.json" ] ||
    npm --prefix "$1" ci --no-audit --no-fund --loglevel=error
}

# ---- building ---------------------------------------------------------------------------------------------------------
# configure PRESET [CMAKE-ARG...]
configure() {
  local preset=$1 args=()
  shift
  command -v ccache >/dev/null && args+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  [ -n "${CI:-}" ] && args+=(-DMCA_WARNINGS_AS_ERRORS=ON)
  say "configuring build/$preset"
  cmake --preset "$preset" "${args[@]}" "$@" >"build/$preset.configure.log" 2>&1 ||
    { cat "build/$preset.configure.log" >&2; die "configuring failed"; }
}

# build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  say "building build/$preset"
  cmake --build --preset "$preset" ${1:+--target "$@"}
}

# build_programs: into build/release/bin.
build_programs() {
  need build
  configure release -DBUILD_TESTING=OFF
  build release programs
}
