import assert from 'node:assert/strict';
import test from 'node:test';
import { withEdits } from './edits.mjs';

const edit = (line, column, endLine, endColumn, newText) => ({ range: { line, column, endLine, endColumn }, newText });

test('edits apply in their order, at one place one after the other', () => {
  const text = 'é one\ntwo\n';
  assert.equal(withEdits(text, [edit(1, 4, 1, 4, '{ '), edit(1, 4, 1, 7, 'ONE'), edit(2, 4, 2, 4, ' }')]), 'é { ONE\ntwo }\n');
  assert.equal(withEdits(text, []), text);
});
