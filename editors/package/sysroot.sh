#!/usr/bin/env bash
# Makes a folder with what a cross-build for another architecture needs of Debian: libraries, headers, and the database
# of the packages that they are of, for dependencies and licences. The packages are only unpacked: none of their programs
# runs, nothing is installed on this machine, and no rights are needed.
#
# sysroot.sh ARCHITECTURE CODENAME MIRROR FOLDER PACKAGE...: Debian's name of the architecture, the release, and the
# packages whose dependencies come along.
set -euo pipefail
architecture=$1 codename=$2 mirror=$3 folder=$4
shift 4

rm -rf "$folder"
mkdir -p "$folder"
folder=$(realpath "$folder")
apt=$folder/apt database=$folder/var/lib/dpkg
mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial" "$apt/etc/apt.conf.d" "$apt/etc/preferences.d" "$database/info"
printf 'deb %s %s main\ndeb %s %s-security main\n' "$mirror" "$codename" "${mirror%/}-security" "$codename" >"$apt/etc/sources.list"
: >"$database/status"

# This machine's keys, proxies and package sources stay what they are; its architecture and its packages play no part.
# As root, apt would download as the user _apt, who may not write here.
apt_get() {
  apt-get -qq -o APT::Architecture="$architecture" -o APT::Architectures::="$architecture" -o Dir::State="$apt/state" \
    -o Dir::State::status="$database/status" -o Dir::Cache="$apt/cache" -o Dir::Etc::sourcelist="$apt/etc/sources.list" \
    -o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferencesparts="$apt/etc/preferences.d" -o APT::Sandbox::User=root "$@"
}
apt_get update
apt_get install --download-only --no-install-recommends -y "$@"

# Files of /lib are in /usr/lib, as on an installed system.
mkdir -p "$folder"/usr/{bin,sbin,lib}
ln -s usr/bin usr/sbin usr/lib "$folder"
for package in "$apt"/cache/archives/*.deb; do
  name=$(dpkg-deb -f "$package" Package)
  dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink --no-same-owner -C "$folder"
  dpkg-deb -e "$package" "$apt/control"
  for file in shlibs symbols; do
    [ ! -e "$apt/control/$file" ] || mv "$apt/control/$file" "$database/info/$name.$file"
  done
  # The database says where on this machine a file is: dpkg-shlibdeps looks up what it has found.
  dpkg-deb --fsys-tarfile "$package" | tar -t | awk -v folder="$folder" '
    { sub(/^[.]/, ""); sub(/\/$/, ""); if (/^\/(bin|sbin|lib)(\/|$)/) $0 = "/usr" $0; print folder $0 }' >"$database/info/$name.list"
  { dpkg-deb -f "$package" | sed '/^Package:/a Status: install ok installed' && echo; } >>"$database/status"
  rm -r "$apt/control"
done
# Links to files of the system, which here is another one.
find "$folder" -type l -lname '/*' -printf '%p %l\n' | while read -r link target; do ln -srfT "$folder$target" "$link"; done
rm -r "$apt"
