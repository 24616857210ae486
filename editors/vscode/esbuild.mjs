// Bundles the extension into dist/, and the pipeline view's page into dist/webview/.
import { copyFileSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

rmSync('dist', { recursive: true, force: true });
const shared = { bundle: true, minify: true, legalComments: 'none', logLevel: 'warning' };
await build({
  ...shared,
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  platform: 'node',
  target: 'node18',
  format: 'cjs',
  external: ['vscode'],
});
await build({ ...shared, entryPoints: ['src/webview/pipeline.ts'], outfile: 'dist/webview/pipeline.js', platform: 'browser', target: 'es2022', format: 'iife' });
copyFileSync('src/webview/pipeline.css', 'dist/webview/pipeline.css');
