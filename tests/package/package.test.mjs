// This machine's packages in a bare Debian 12 and a bare Debian 13.
import { execFileSync } from 'node:child_process';
import { testPackages } from './suite.mjs';

const systems = {
  x86_64: { debian: 'amd64', platform: 'linux-x64', cpu: 'skylake' },
  aarch64: { debian: 'arm64', platform: 'linux-arm64', cpu: 'neoverse-v2' },
};
const machine = execFileSync('uname', ['-m'], { encoding: 'utf8' }).trim();

for (const codename of ['bookworm', 'trixie'])
  testPackages({ codename, machine, ...systems[machine] });
