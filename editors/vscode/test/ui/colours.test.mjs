// The colours of assembly in a real VS Code: a plain install has them, and an extension that has a language of its own
// for these files keeps both.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { eventually, Workbench } from './workbench.mjs';

const vsix = process.env.MCA_VSIX;
const artefacts = process.env.ARTEFACTS;

/** Line 1 is no assembly that VS Code could know the language by. */
const x86 = `# Copyright: nobody
# mca: triple=x86_64-linux-gnu cpu=znver4
    .text
    .globl dot
    .type dot, @function
dot:
    vxorps %xmm0, %xmm0, %xmm0
# LLVM-MCA-BEGIN dot
.L2:
    vmovups 8(%rdi,%rax), %ymm1 # 32-byte load
    vfmadd231ps table+64(%rip), %ymm1, %ymm0
    addq $0x20, %rax
    cmpq %rdx, %rax
    jb .L2
# LLVM-MCA-END
    call memcpy@PLT
    ret
    .section .rodata.str1.1,"aMS",@progbits,1
    .asciz "a text\\n"
`;

const aarch64 = `    .arch armv9-a // by hand
// mca: triple=aarch64-linux-gnu cpu=neoverse-v2
dot:
    ld1d { z0.d }, p0/z, [x0, x8, lsl #3]
    add x9, x9, #:lo12:table
    ldr x0, [x1, #-16]!
    cbnz x0, dot
`;

let bench;
let folder;
before(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'mca-colours-'));
  bench = await Workbench.open({ vsix, artefacts, files: { 'notes.txt': 'no assembly\n' }, outside: ['dot.s', x86] });
});
after(async () => {
  await bench?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Each text of the line that is expected, in a colour of its own. */
async function assertDistinct(where, line, ...texts) {
  const colours = await eventually(`${texts} in line ${line}`, async () => {
    const shown = await where.colours(line);
    const found = texts.map((text) => Object.entries(shown).find(([token]) => token.includes(text))?.[1]);
    return found.every(Boolean) && new Set(found).size === found.length ? found : assert.fail(JSON.stringify(shown));
  });
  return colours;
}

async function assertColours() {
  await assertDistinct(bench, 2, 'mca:', 'triple', 'x86_64');
  await assertDistinct(bench, 4, '.globl', 'dot');
  await assertDistinct(bench, 8, '#', 'LLVM-MCA-BEGIN');
  await assertDistinct(bench, 10, 'vmovups', '8', '%rdi', '# 32-byte load');
  await assertDistinct(bench, 11, 'vfmadd231ps', 'table', '64', '%rip');
  await assertDistinct(bench, 14, 'jb', '.L2');
  await assertDistinct(bench, 19, '.asciz', 'a text');
  const [move] = await assertDistinct(bench, 10, 'vmovups');
  const [jump] = await assertDistinct(bench, 14, 'jb');
  assert.notEqual(move, jump, 'branches stand out');
}

test('a file of assembly is coloured, if the folder has none, too', async () => {
  await eventually('the language', async () => (await bench.language()) === 'Assembly (GNU)');
  await bench.hint(8);
  await assertColours();
});

for (const [name, theme, kind] of [['dark', 'Dark Modern', /\bvs-dark\b/], ['light', 'Light Modern', /\bvs\b/]])
  test(`it is coloured in a ${name} theme`, async () => {
    await bench.chooseTheme(theme);
    await eventually('the theme', async () => kind.test(await bench.page.locator('.monaco-workbench').getAttribute('class')));
    await assertColours();
    await bench.picture(`colours-${name}`);
  });

/** An extension that has a language for .s, and one with the id "assembly"; its folder's name sorts before this one's. */
function otherExtension() {
  const other = path.join(folder, 'other');
  mkdirSync(other);
  const languages = [{ id: 'gas', extensions: ['.s'], aliases: ['Other Assembly'] }, { id: 'assembly', extensions: ['.asm'], aliases: ['Old Assembly'] }];
  const grammars = languages.map(({ id }) => ({ language: id, scopeName: 'source.other', path: './other.json' }));
  const manifest = { name: 'assembly', publisher: 'another', version: '1.0.0', engines: { vscode: '^1.91.0' }, contributes: { languages, grammars } };
  writeFileSync(path.join(other, 'package.json'), JSON.stringify(manifest));
  writeFileSync(path.join(other, 'other.json'), JSON.stringify({ scopeName: 'source.other', patterns: [{ match: '.+', name: 'string' }] }));
  const file = path.join(folder, 'other.vsix');
  const vsce = [path.resolve('node_modules/@vscode/vsce/vsce'), 'package', '--no-dependencies', '--skip-license', '--allow-missing-repository', '--out', file];
  execFileSync(process.execPath, vsce, { cwd: other, stdio: 'pipe' });
  return file;
}

test('another extension keeps its languages and their colours, and has hints', async () => {
  const both = await Workbench.open({ vsix, artefacts, others: [otherExtension()], files: { 'dot.s': x86, 'old.asm': x86, 'free.sx': aarch64 } });
  try {
    for (const [name, language] of [['dot.s', 'Other Assembly'], ['old.asm', 'Old Assembly']]) {
      await both.openFile(name);
      await both.hint(8);
      assert.equal(await both.language(), language);
      assert.equal(new Set(Object.values(await both.colours(5))).size, 1, 'one colour for all');
      await both.picture(`colours-${language.split(' ')[0].toLowerCase()}`);
    }
    await both.openFile('free.sx');
    await eventually('what the other one does not claim', async () => (await both.language()) === 'Assembly (GNU)');
    await assertDistinct(both, 4, 'ld1d', 'z0.d', '3');
    await both.picture('colours-aarch64');
  } finally {
    await both.close();
  }
});
