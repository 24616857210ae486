// Writes the settings of the server into package.json, from the server's own table; with --check only compares.
//
// node settings.mjs SERVER [--check]
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const [server, mode] = process.argv.slice(2);
const schema = JSON.parse(execFileSync(server, ['--print-schema'], { encoding: 'utf8' }));
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

/** The settings of one object of the schema, with dots between the names of nested ones. */
function* settingsOf(properties, prefix) {
  for (const [name, property] of Object.entries(properties)) {
    if (name === 'fragments' || name === '$schema')
      continue;
    if (property.type === 'object' && property.properties)
      yield* settingsOf(property.properties, `${prefix}${name}.`);
    else
      yield [`${prefix}${name}`, property];
  }
}

const own = Object.entries(manifest.contributes.configuration.properties).filter(([, { scope }]) => scope);
const programs = new Set(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations);
const generated = [...settingsOf(schema.properties, 'mca.')].map(([name, { description, ...rest }]) => [
  name,
  { ...rest, ...(programs.has(name) ? { markdownDescription: `${description} Taken from your own settings only.` } : { markdownDescription: description }) },
]);
manifest.contributes.configuration.properties = Object.fromEntries([...own, ...generated]);
const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
if (mode === '--check') {
  const now = `${JSON.stringify(JSON.parse(readFileSync('package.json', 'utf8')), undefined, 2)}\n`;
  if (now !== text) {
    console.error('the settings in package.json are not those of the server: run node settings.mjs');
    process.exit(1);
  }
} else {
  writeFileSync('package.json', text);
}
