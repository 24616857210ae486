// Writes the settings of the server into package.json, from the server's own table; with --check only compares.
//
// node settings.mjs SERVER [--check]
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const [server, mode] = process.argv.slice(2);
const schema = JSON.parse(execFileSync(server, ['--print-schema'], { encoding: 'utf8' }));
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

const own = Object.entries(manifest.contributes.configuration.properties).filter(([, { scope }]) => scope);
const programs = new Set(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations);
/** Definitions that are no settings but shared by some. */
const shared = new Set(['severity']);
const inlined = (value) => JSON.parse(JSON.stringify(value, (_, part) => (part?.$ref ? schema.definitions[part.$ref.split('/').pop()] : part)));
const generated = Object.entries(schema.definitions)
  .filter(([name]) => !shared.has(name))
  .map(([name, { description, markdownDescription, ...rest }]) => {
    const own = programs.has(`mca.${name}`) ? ' Taken from your own settings only.' : '';
    return [`mca.${name}`, { ...inlined(rest), markdownDescription: `${markdownDescription ?? description}${own}` }];
  });
manifest.contributes.configuration.properties = Object.fromEntries([...own, ...generated]);
const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
if (mode === '--check') {
  const now = `${JSON.stringify(JSON.parse(readFileSync('package.json', 'utf8')), undefined, 2)}\n`;
  if (now !== text) {
    console.error('package.json has other settings than the server: run node settings.mjs');
    process.exit(1);
  }
} else {
  writeFileSync('package.json', text);
}
