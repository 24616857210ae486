#!/usr/bin/env bash
#:   test vscode          package the extension and try it in a real VS Code, in a browser without a window; pictures of what
#:                        it shows go to build/vscode
. "$(dirname "$0")/../../../.dev/common.sh"

editors/vscode/test/prepare.sh
root=$PWD vsix=$PWD/build/vscode/mca-lsp.vsix
cd editors/vscode
npm run --silent check
npm run --silent test
node settings.mjs "$root/build/release/bin/mca-lsp" --check
say "packaging again"
(umask 077 && TZ=Asia/Tokyo node package.mjs "$root/build/release/bin" / "$vsix.again")
node test/package.mjs "$vsix" "$vsix.again"
rm "$vsix.again"
say "testing in VS Code"
VSCODE_HOST=$root/build/vscode/host MCA_VSIX=$vsix ARTEFACTS=$root/build/vscode/pictures \
  node --test --test-concurrency=1 --test-timeout=600000 test/ui/*.test.mjs
