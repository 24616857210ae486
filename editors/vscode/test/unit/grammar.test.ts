// The colours of assembly: the scopes of each dialect's samples (test/grammar), and that nothing which a compiler prints
// is left without one.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import { INITIAL, type IGrammar } from 'vscode-textmate';
import { loadGrammar, tokenise, type Token } from '../grammar/tokenizer';

let grammar: IGrammar;
before(async () => {
  grammar = await loadGrammar();
});

const samples = 'test/grammar';

interface Expectation {
  begin: number;
  end: number;
  scopes: string[];
}

/** What a comment below a line says of it: carets stand below the text, <--- is about the first four characters. */
function expectationOf(line: string): Expectation | undefined {
  const [, before, mark, scopes] = /^((?:#|\/\/|@)\s*)(\^+|<-*)\s+(\S.*)$/.exec(line) ?? [];
  if (!mark)
    return undefined;
  const [begin, end] = mark[0] === '<' ? [0, mark.length] : [before.length, before.length + mark.length];
  return { begin, end, scopes: scopes.split(' ') };
}

/** Whether one of its scopes is this one or a finer one. */
const has = (token: Token, scope: string): boolean => token.scopes.some((one) => one === scope || one.startsWith(`${scope}.`));

function problemsOf(tokens: Token[], { begin, end, scopes }: Expectation): string[] {
  const inside = tokens.filter((token) => token.begin < end && token.end > begin);
  if (inside.length === 0)
    return ['no text above it'];
  const seen = inside.map(({ text, scopes: own }) => `"${text}" is ${own.join(' ')}`).join(', ');
  // A comment may go on; all else ends where the marks end.
  const isWhole = inside.every((token) => has(token, 'comment')) || (inside[0].begin === begin && inside[inside.length - 1].end === end);
  return isWhole && inside.every((token) => scopes.every((scope) => has(token, scope))) ? [] : [seen];
}

for (const name of readdirSync(samples).filter((one) => /\.[sS]$/.test(one)))
  test(`the scopes of ${name}`, () => {
    const text = readFileSync(path.join(samples, name), 'utf8');
    const tokens = tokenise(grammar, text);
    let subject = -1;
    let count = 0;
    const problems = text.split('\n').flatMap((line, index) => {
      const expected = expectationOf(line);
      if (!expected) {
        subject = index;
        return [];
      }
      ++count;
      return problemsOf(tokens[subject], expected).map((problem) => `${name}:${index + 1}: not ${expected.scopes.join(' ')}: ${problem}`);
    });
    assert.deepEqual(problems, []);
    assert.ok(count > 5);
  });

const source = `
extern int g; extern void visit(int *, double);
static const double table[] = {1.5, 2, 3};
int total; _Atomic int atomic; char text[] = "a\\"b\\n\\001";
double dot(const double *a, const double *b, int n) { double s = 0; for (int i = 0; i < n; ++i) s += a[i] * b[i]; return s; }
int run(int *p, int n, int k) {
  total += n;
  __c11_atomic_fetch_add(&atomic, 1, 5);
  for (int i = 0; i < n; ++i) { visit(p + i, table[i % 3]); g += p[i] >> 3; }
  switch (k) { case 0: return g; case 1: return n; case 2: return 17; case 3: return *p; case 4: return 99; case 5: return text[n]; }
  return (long)&visit;
}
float scale(float x) { __asm__ volatile("nop"); return x * 1.25e-3f + (x > 0 ? -x : x); }
`;

/** Assembly of the source above, as clang-22 prints it. */
const compile = (flags: string[]): string =>
  execFileSync('clang-22', ['-xc', '-O2', '-S', '-o-', ...flags, '-'], { input: source, encoding: 'utf8' });

for (const [name, ...flags] of [
  ['x86, AT&T', '--target=x86_64-linux-gnu', '-march=znver4', '-fPIC', '-g'],
  ['x86, Intel', '--target=x86_64-linux-gnu', '-march=znver4', '-masm=intel'],
  ['AArch64', '--target=aarch64-linux-gnu', '-mcpu=neoverse-v2'],
  ['AArch64 of Darwin', '--target=arm64-apple-macos'],
  ['ARM', '--target=armv7-linux-gnueabihf'],
  ['RISC-V', '--target=riscv64-linux-gnu', '-march=rv64gcv'],
])
  test(`what clang prints for ${name} has no text without a scope`, () => {
    const tokens = tokenise(grammar, compile(flags));
    assert.ok(tokens.length > 100);
    const unknown = tokens.flatMap((line, index) =>
      line.filter(({ text, scopes }) => text.trim() && scopes.length === 0).map(({ text }) => `${index + 1}: ${text}`));
    assert.deepEqual(unknown, []);
    const kinds = new Set(tokens.flat().flatMap(({ scopes }) => scopes));
    for (const kind of ['keyword.mnemonic', 'keyword.control.mnemonic', 'support.type.directive', 'variable.other.register',
      'entity.name.function.label', 'entity.name.function.label.local', 'constant.numeric', 'string.quoted.double', 'comment.line'])
      assert.ok(kinds.has(kind), kind);
  });

const longLine = 100_000;

/** Processor time of this process, so that other programs do not count. */
function processorMs(body: () => void): number {
  const before = process.cpuUsage();
  body();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test(`a line of ${longLine} characters takes less than two seconds, whatever it repeats`, () => {
  const parts = [' ', 'a', '.', '#', '@', ';a ', '"', '\\', '%', ':a', 'a_', '.L1', '0x', '/*', 'mov eax, 1; ', 'x0, #8, ', '#define A ', 'LLVM-MCA-'];
  const slow = parts.flatMap((part, index) => {
    const line = (index % 2 ? '' : '    mov ') + part.repeat(longLine / part.length);
    const ms = processorMs(() => grammar.tokenizeLine2(line, INITIAL));
    return ms > 2000 ? [`${JSON.stringify(line.slice(0, 30))}…: ${Math.round(ms)} ms`] : [];
  });
  assert.deepEqual(slow, []);
});
