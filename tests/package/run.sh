#!/usr/bin/env bash
#:   test package         make the packages, twice, and install each into a bare Debian 12 and a bare Debian 13, without compiler
#:                        or network, those for arm64 under qemu; needs root, and 5 GB in build/package
. "$(dirname "$0")/../../.dev/common.sh"

# Programs for arm64 run in a chroot if the kernel starts qemu for them. The package qemu-user-static sees to that where
# systemd runs.
need_arm64_programs() {
  local formats=/proc/sys/fs/binfmt_misc
  [ -e $formats/qemu-aarch64 ] && return
  [ -e $formats/register ] || mount -t binfmt_misc binfmt_misc $formats || die "needs binfmt_misc, to run arm64 programs"
  cat /usr/lib/binfmt.d/qemu-aarch64.conf >$formats/register
}

needs_root chroot
need package packages bare-debian node
own=$(dpkg --print-architecture)
architectures=("$own") tests=(tests/package/package.test.mjs)
[ "$own" = arm64 ] || architectures+=(arm64)
need_modules tests/transcripts
editors/package/package.sh "${architectures[@]}"
say "packaging again"
(umask 077 && TZ=Asia/Tokyo editors/package/package.sh --out=build/package/again "${architectures[@]}")
diff build/package/files/SHA256SUMS build/package/again/SHA256SUMS || die "two packages of the same programs differ"
rm -r build/package/again
tests/package/bare_debian.sh build/package/bookworm bookworm "$own"
tests/package/bare_debian.sh build/package/trixie trixie "$own"
if [ "$own" != arm64 ]; then
  need_arm64_programs
  tests/package/bare_debian.sh build/package/bookworm-arm64 bookworm arm64
  tests+=(tests/package/arm64.test.mjs)
fi
say "installing"
MCA_PACKAGES=$PWD/build/package MCA_LSP=$PWD/build/release/bin/mca-lsp node --test --test-concurrency=1 "${tests[@]}"
