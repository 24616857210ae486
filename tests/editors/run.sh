#!/usr/bin/env bash
#:   test editors         try the server in Neovim, Helix, Kate and Emacs, each set up by what docs/editors.md prints; needs
#:                        root, and 4 GB in build/editors; MCA_ARCHIVE names an archive of ./dev package to try
. "$(dirname "$0")/../../.dev/common.sh"

folder=$PWD/build/editors
archive=${MCA_ARCHIVE:-build/package/files/mca-lsp-$version-linux-$(uname -m).tar.gz}

needs_root chroot
need node
if [ -z "${MCA_ARCHIVE:-}" ]; then
  build_programs
  if [ ! -e "$archive" ] || [ -n "$(find build/release/bin editors/package -type f -newer "$archive")" ]; then
    editors/package/package.sh
  fi
fi
architecture=$(dpkg --print-architecture)
tests/package/bare_debian.sh "$folder/trixie" trixie "$architecture" \
  neovim hx emacs-nox clangd tmux kate xvfb xdotool imagemagick dbus-daemon fonts-dejavu-core
tests/package/bare_debian.sh "$folder/forky" forky "$architecture" neovim hx clangd tmux
for codename in trixie forky; do
  rm -rf "$folder/$codename/opt/mca-lsp"
  mkdir "$folder/$codename/opt/mca-lsp"
  tar -xzf "$archive" --strip-components=1 -C "$folder/$codename/opt/mca-lsp"
done
say "testing in editors"
MCA_EDITORS=$folder MCA_PICTURES=$folder/pictures node --test --test-concurrency=1 tests/editors/*.test.mjs
