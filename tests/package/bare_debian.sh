#!/usr/bin/env bash
#: bare_debian.sh FOLDER CODENAME ARCH [PACKAGE...]: makes a Debian of its smallest size in FOLDER if there is none, and
#: installs in it those of the packages that are missing. Needs root.
. "$(dirname "$0")/../../.dev/common.sh"

folder=$1 codename=$2 architecture=$3
shift 3
need bare-debian
if [ ! -e "$folder/.ready" ]; then
  say "making a bare Debian $codename for $architecture"
  rm -rf "$folder"
  mkdir -p "${folder%/*}"
  # A debootstrap that is older than the release has no script with its name.
  script=
  [ -e "/usr/share/debootstrap/scripts/$codename" ] || script=sid
  mirror=$(debian_mirror)
  debootstrap --variant=minbase --arch="$architecture" "$codename" "$folder" "$mirror" $script >"$folder.log" 2>&1 ||
    { tail "$folder.log" >&2; die "debootstrap failed"; }
  printf 'deb %s %s main\ndeb %s %s-security main\n' "$mirror" "$codename" "${mirror%/}-security" "$codename" \
    >"$folder/etc/apt/sources.list"
  touch "$folder/.ready"
fi

missing=()
for package in "$@"; do
  dpkg-query --admindir="$folder/var/lib/dpkg" -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
    missing+=("$package")
done
[ ${#missing[@]} != 0 ] || exit 0
say "installing in $folder: ${missing[*]}"
# A mirror of Debian testing may be older than the week for which its index is valid.
# shellcheck disable=SC2016 # $0 is the inner shell's
LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive unshare -m sh -c 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" &&
  exec chroot "$0" sh -c "apt-get -o Acquire::Check-Valid-Until=false update -qq &&
    apt-get install -y -qq --no-install-recommends $*"' "$folder" "${missing[@]}" >"$folder.log" 2>&1 ||
  { tail -n 30 "$folder.log" >&2; die "apt-get install failed"; }
