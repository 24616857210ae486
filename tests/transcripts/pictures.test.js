// The pictures of docs/images, taken in VS Code by `./dev pictures`: each text of ours in them is what the server says
// today, and no picture was exchanged without its texts.
'use strict';

const assert = require('node:assert/strict');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const { Editor, FULL_CAPABILITIES, labelOf, lsp, temporaryFolder, until } = require('./editor.js');

const docs = path.join(__dirname, '../../docs');
const images = path.join(docs, 'images');
const capabilities = {
  ...FULL_CAPABILITIES,
  textDocument: { ...FULL_CAPABILITIES.textDocument, codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'refactor'] } } } },
};
const shown = JSON.parse(fs.readFileSync(path.join(images, 'shown.json'), 'utf8'));

/** A text without markdown and blanks, as it is shown. */
const bare = (text) =>
  text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/&nbsp;/g, ' ').replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&')
    .replace(/[\\`*#]/g, '').replace(/\s+/g, '');

/** All that the server says of a file: hints, findings, hovers, actions and documents of each line. */
async function saidOf(editor, file, text) {
  const said = (await editor.hintsOf(file)).map(labelOf);
  const findings = await editor.diagnosticsOf(file);
  for (const { message, relatedInformation = [] } of findings) said.push(message, ...relatedInformation.map((one) => one.message));
  const textDocument = { uri: editor.uri(file) };
  const lines = text.split('\n');
  for (let line = 0; line < lines.length; ++line) {
    const hover = await editor.hover(file, line, Math.max(0, lines[line].search(/\S/) + 2));
    if (hover) said.push(hover.contents.value);
    const start = { line, character: Math.max(0, lines[line].search(/\S/)) };
    const actions = await editor.connection.sendRequest(lsp.CodeActionRequest.type, { textDocument, range: { start, end: start }, context: { diagnostics: [] } });
    said.push(...(actions ?? []).map(({ title }) => title));
  }
  for (const hint of await editor.hintsOf(file))
    for (const command of ['mca.showReport', 'mca.showAssembly']) {
      const { uri } = await editor.command(command, editor.place(file, hint.position.line)).catch(() => ({}));
      if (uri) said.push(await editor.content(uri));
    }
  return bare(said.join('\n'));
}

for (const [picture, { sha256, file: name, edit, advised, profile, shows }] of Object.entries(shown))
  test(`${picture} shows what the server says`, async (t) => {
    const bytes = fs.readFileSync(path.join(images, picture));
    assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256, `./dev pictures makes ${picture} and its texts`);
    const folder = temporaryFolder(t);
    for (const one of [name, 'compile_flags.txt']) fs.copyFileSync(path.join(docs, 'demo', one), path.join(folder, one));
    const file = path.join(folder, name);
    let text = fs.readFileSync(file, 'utf8');
    const args = profile ? ['--profile', path.join(docs, 'demo', profile)] : [];
    const editor = await Editor.start(t, { capabilities, args });
    await editor.open(file, name.endsWith('.s') ? 'asm' : 'cpp', text);
    await editor.hintsOf(file);
    if (edit) {
      const lines = text.split('\n');
      lines[edit.line - 1] = edit.text;
      text = lines.join('\n');
      fs.writeFileSync(file, text);
      await editor.change(file, text);
      await editor.save(file);
      await editor.diagnosticsOf(file, (all) => all.some(({ code }) => code === 'region-slower'));
    }
    let advice = '';
    if (advised) {
      const { uri } = await editor.command('mca.advise', editor.place(file, advised - 1));
      advice = bare(await editor.content(uri));
    }
    const left = new Set(shows);
    const allSaid = async () => {
      const said = (await saidOf(editor, file, text)) + advice;
      for (const line of left) if (said.includes(bare(line))) left.delete(line);
      return left.size === 0;
    };
    // The reasons of loops come after the numbers.
    await until(allSaid, `all that ${picture} shows`, undefined, () => `: the server does not say ${JSON.stringify([...left])}: ./dev pictures`);
  });

test('each picture of the pages is one of them, or drawn', () => {
  const pictures = fs.readdirSync(images).filter((one) => one.endsWith('.png'));
  assert.deepEqual(pictures.sort(), Object.keys(shown).sort());
});
