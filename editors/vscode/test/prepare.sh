#!/usr/bin/env bash
#: Makes what a try in a real VS Code needs: the programs, the extension's package of them (build/vscode/mca-lsp.vsix), and
#: VS Code as a server with a browser to drive it (build/vscode/host, 700 MB).
. "$(dirname "$0")/../../../.dev/common.sh"

host=build/vscode/host

install_host() {
  local vscode=node_modules/code-server/lib/vscode module
  say "installing code-server"
  mkdir -p $host
  cd $host
  npm install --silent --ignore-scripts code-server@4.100.3 playwright-core@1.65.1
  npm rebuild --silent argon2
  cd $vscode
  npm install --silent --omit=dev --ignore-scripts
  for module in @vscode/spdlog native-watchdog kerberos @vscode/deviceid @parcel/watcher; do npm rebuild --silent "$module"; done
  # Its post-install step fails after the build.
  npm rebuild --silent node-pty || test -f node_modules/node-pty/build/Release/pty.node
  mkdir -p node_modules/@vscode/ripgrep/bin
  ln -sf /usr/bin/rg node_modules/@vscode/ripgrep/bin/rg
  ln -sfn node_modules node_modules.asar
  cd extensions
  npm install --silent --omit=dev --ignore-scripts
}

need build node vscode
[ "$(node -p 'process.versions.node.split(".")[0]')" = 20 ] || die "code-server 4.100 needs Node 20"
if [ ! -e $host/.ready ]; then
  (install_host)
  touch $host/.ready
fi
build_programs
need_modules editors/vscode
say "packaging"
(cd editors/vscode && node package.mjs ../../build/release/bin / ../../build/vscode/mca-lsp.vsix)
