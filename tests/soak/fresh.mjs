// Whether the server shows what a server shows that was started just now: after all edits, each document is opened in a
// second one, and the analyses of both are compared.
import { createRequire } from 'node:module';
import { KINDS } from './documents.mjs';
import { CURRENT_EDITOR, waitFor } from './server.mjs';
const { Editor } = createRequire(import.meta.url)('../transcripts/editor.js');

/** What an analysis says of the text alone: findings also compare with earlier texts, and `chosen` is the user's. */
async function analysisOf(editor, buffer) {
  const { files: [{ target, regions }] } = await editor.command('mca.exportJson', { uri: buffer.uri });
  return JSON.stringify({ target, regions }, null, 1);
}

/** The first lines that differ. */
function difference(a, b) {
  const [left, right] = [a.split('\n'), b.split('\n')];
  const line = left.findIndex((text, i) => text !== right[i]);
  return `${left[line]?.trim()} instead of ${right[line]?.trim()}`;
}

/** What differs in a document; undefined if nothing does. An analysis may still be on its way. */
async function compare(server, fresh, buffer, seconds) {
  let found;
  await waitFor(async () => {
    const [here, there] = [await analysisOf(server.editor, buffer), await analysisOf(fresh, buffer)];
    found = here === there ? undefined : difference(here, there);
    return !found;
  }, seconds);
  return found;
}

/** The documents, one line each, that the server shows otherwise than a fresh one. */
export async function compareWithFresh(cleanups, server, buffers, { settings, seconds }) {
  const fresh = await Editor.start(cleanups, { capabilities: CURRENT_EDITOR, settings, options: settings });
  for (const buffer of buffers) fresh.open(buffer.file, KINDS[buffer.kind].languageId, buffer.text, buffer.version);
  const known = (buffer) => fresh.diagnostics.get(buffer.uri)?.version === buffer.version;
  if (!(await waitFor(() => buffers.every(known), seconds)))
    return [`a fresh server has not analysed all documents in ${seconds} s`];
  const different = [];
  for (const buffer of buffers) {
    const found = await compare(server, fresh, buffer, different.length === 0 ? 10 : 1);
    if (found) different.push(`a fresh server shows something else for ${buffer.file}: ${found}`);
  }
  await fresh.quit();
  return different;
}
