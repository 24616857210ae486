// Bundles the unit tests and runs them under node's own runner.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';

const out = mkdtempSync(path.join(tmpdir(), 'mca-unit-'));
const entryPoints = readdirSync('test/unit').map((name) => path.join('test/unit', name));
await build({ entryPoints, outdir: out, bundle: true, platform: 'node', format: 'cjs', outExtension: { '.js': '.cjs' }, logLevel: 'warning' });
const files = readdirSync(out).map((name) => path.join(out, name));
const { status } = spawnSync(process.execPath, ['--test', ...files], { stdio: 'inherit' });
rmSync(out, { recursive: true });
process.exit(status ?? 1);
