// docs/README.md leads to each page once, directly or through the README of a folder: the site's list of pages is made of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contents } from '../../docs/site/contents.mjs';
import { root } from './pages.mjs';

test('docs/README.md lists each page once', () => {
  assert.ok(contents(root).length);
});
