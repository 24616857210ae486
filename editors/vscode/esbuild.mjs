// Bundles the extension and the page of its pipeline view into dist/.
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

rmSync('dist', { recursive: true, force: true });
mkdirSync('dist/webview', { recursive: true });
const common = { bundle: true, minify: true, sourcemap: false, legalComments: 'none', logLevel: 'warning' };
await build({ ...common, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', platform: 'node', target: 'node18', format: 'cjs', external: ['vscode'] });
await build({ ...common, entryPoints: ['src/webview/pipeline.ts'], outfile: 'dist/webview/pipeline.js', platform: 'browser', target: 'es2022', format: 'iife' });
copyFileSync('media/pipeline.css', 'dist/webview/pipeline.css');
