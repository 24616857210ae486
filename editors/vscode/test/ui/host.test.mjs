// Runs the tests of test/host inside the extension host of a real VS Code, beside the installed package.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import { assembly, profile, profiledAssembly, sourceForAnyCpu } from './samples.mjs';
import { eventually, Workbench } from './workbench.mjs';

test('inside the extension host', async (t) => {
  const out = mkdtempSync(path.join(tmpdir(), 'mca-host-'));
  const bundle = path.join(out, 'tests.js');
  const results = path.join(out, 'results.json');
  await build({ entryPoints: ['test/host/commands.ts'], outfile: bundle, bundle: true, platform: 'node', format: 'cjs', external: ['vscode'], logLevel: 'warning' });
  const bench = await Workbench.open({
    vsix: process.env.MCA_VSIX,
    artefacts: process.env.ARTEFACTS,
    files: { 'dot.s': assembly, 'sum.cpp': sourceForAnyCpu, 'hot.s': profiledAssembly, 'hot.mcaprofile': profile },
    environment: { MCA_HOST_RESULTS: results },
    hostTests: { beside: path.resolve('test/host/extension'), bundle },
  });
  try {
    const soFar = () => (existsSync(`${results}.part`) ? readFileSync(`${results}.part`, 'utf8') : 'none');
    await eventually('the results', () => existsSync(results), 420_000).catch((error) => assert.fail(`${error.message}; so far: ${soFar()}`));
    for (const { name, error } of JSON.parse(readFileSync(results, 'utf8')))
      await t.test(name, () => assert.ok(!error, error));
  } finally {
    await bench.close();
    rmSync(out, { recursive: true, force: true });
  }
});
