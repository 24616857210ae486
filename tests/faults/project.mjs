// The project that the server has open while faults happen: C and C++ with a shared header and a compile_commands.json,
// and assembly of both kinds.
//
// Each document has variants. Their functions have other names, so that the numbers of one are never compared with
// those of another: a comparison would show what was there before, and a fresh server knows nothing of that. One loop
// has the same instructions in all variants, so that what a fault made of its numbers would stay visible.
import fs from 'node:fs';
import path from 'node:path';

const OPERATORS = ['+', '*', '-'];

/** The text of a document is unique: what was set aside stays set aside, and must not be met again by chance. */
const TAILS = { '.s': (tail) => `# ${tail}\n` };
const tailOf = (name, tail) => (TAILS[path.extname(name)] ?? ((text) => `/* ${text} */\n`))(tail);

const sameLoop = (name, v) => `
void ${name}_v${v}(double *__restrict to, const double *__restrict from, long n) {
  for (long i = 0; i < n; ++i)
    to[i] = from[i] * 3.0 + 1.0;
}
`;

const dot = (v) => `#include "inc/kernels.h"
float dot_v${v}(const float *a, const float *b, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[i] ${OPERATORS[v]} b[i];
  return sum;
}
void blended_v${v}(float *a, const float *b, int n) {
  BLEND(a, b, n);
}
${sameLoop('dotSame', v)}`;

const filters = (v) => `#include "inc/kernels.h"
template <class T>
static T fold_v${v}(const T *values, int n, T start) {
  for (int i = 0; i < n; ++i)
    start = start ${OPERATORS[v]} values[i];
  return start;
}
unsigned foldUnsigned_v${v}(const unsigned *values, int n) { return fold_v${v}(values, n, 1u); }
double foldDouble_v${v}(const double *values, int n) { return fold_v${v}(values, n, 1.0); }
void filtered_v${v}(float *a, const float *b, int n) {
  BLEND(a, b, n / 2);
}
${sameLoop('filterSame', v)}`;

const words = (v) => `unsigned long count_v${v}(const char *text, char letter) {
  unsigned long found = ${v};
  while (*text)
    found += *text++ == letter;
  return found;
}
int largest_v${v}(const int *values, int n) {
  int largest = values[0];
  for (int i = 1; i < n; ++i)
    if (largest < (values[i] ${OPERATORS[v]} 3))
      largest = values[i];
  return largest;
}
${sameLoop('wordSame', v)}`;

const matrix = (v) => `struct Matrix {
  double cells[16][16];
};
Matrix product_v${v}(const Matrix &a, const Matrix &b) {
  Matrix c{};
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j)
      for (int k = 0; k < 16; ++k)
        c.cells[i][j] += a.cells[i][k] ${OPERATORS[v]} b.cells[k][j];
  return c;
}
${sameLoop('matrixSame', v)}`;

const kernels = (v) => `#ifndef KERNELS_H
#define KERNELS_H
void blend_h${v}(float *a, const float *b, int n);
inline __attribute__((always_inline)) void blendInline_h${v}(float *a, const float *b, int n) {
  for (int i = 0; i < n; ++i)
    a[i] = a[i] * 0.5f ${'+-'[v]} b[i];
}
void scale_h${v}(float *a, float by, int n) {
  for (int i = 0; i < n; ++i)
    a[i] *= by;
}
#define BLEND blendInline_h${v}
#define BLENDED blended_h${v}
#endif
`;

/**
 * The source as a part of which the header is compiled, as it has its name and is open. It is never edited, and yet
 * each variant of the header makes it another one.
 */
const KERNELS_SOURCE = `#include "inc/kernels.h"
void BLENDED(float *a, const float *b, int n) {
  BLEND(a, b, n);
}
`;

const INSTRUCTIONS = ['addq', 'imulq', 'subq'];

const sums = (v) => `# mca: triple=x86_64-linux-gnu cpu=skylake
\t.text
sum_v${v}:
\txorl %eax, %eax
.Lsum${v}:
\t${INSTRUCTIONS[v]} (%rdi,%rcx,8), %rax
\tincq %rcx
\tcmpq %rsi, %rcx
\tjne .Lsum${v}
\tretq
same_v${v}:
	nop
.Lsame:
\tmulsd %xmm1, %xmm0
\tdecq %rdi
\tjne .Lsame
\tretq
`;

const marked = (v) => `# mca: triple=aarch64-linux-gnu cpu=cortex-a76
\t.text
\t// LLVM-MCA-BEGIN marked_v${v}
\tldr x1, [x0], #8
\t${['add', 'mul', 'sub'][v]} x2, x2, x1
\tsubs x3, x3, #1
\tb.ne .Lagain
\t// LLVM-MCA-END
\tret
`;

const copies = (v) => `#include "inc/asm.h"
\t.text
copy_v${v}:
	nop
.Lcopy${v}:
\tvmovups (%rsi), %ymm0
\tREPEATED_${v}
\tvmovups %ymm0, (%rdi)
\taddq $WIDTH, %rsi
\taddq $WIDTH, %rdi
\tdecq %rcx
\tjne .Lcopy${v}
\tretq
`;

const ASM_HEADER = `#define WIDTH 32
#define REPEATED_0 vaddps %ymm1, %ymm0, %ymm0
#define REPEATED_1 vmulps %ymm1, %ymm0, %ymm0
#define REPEATED_2 vsubps %ymm1, %ymm0, %ymm0
`;

/**
 * `group`: compiled, preprocessed or plain. `reads`: the header that it includes. In the order of their URIs, as the
 * server lists them.
 */
export const DOCUMENTS = [
  { name: 'dot.c', language: 'c', group: 'compiled', reads: 'inc/kernels.h', make: dot },
  { name: 'filters.cpp', language: 'cpp', group: 'compiled', reads: 'inc/kernels.h', make: filters },
  { name: 'inc/kernels.h', language: 'c', group: 'compiled', make: kernels, variants: 2 },
  { name: 'copies.S', language: 'asm', group: 'preprocessed', reads: 'inc/asm.h', make: copies },
  { name: 'marked.s', language: 'asm', group: 'plain', make: marked },
  { name: 'matrix.cpp', language: 'cpp', group: 'compiled', make: matrix },
  { name: 'sums.s', language: 'asm', group: 'plain', make: sums },
  { name: 'words.c', language: 'c', group: 'compiled', make: words },
].map((document) => ({ variants: OPERATORS.length, ...document }));

export const DATABASES = 2;
const FLAGS = ['-O2 -march=skylake', '-O2 -march=haswell']; // of one length: only the time says which of them it is
/** words.c has no entry: its command is inferred. */
const LISTED = ['dot.c', 'filters.cpp', 'kernels.c', 'matrix.cpp', 'copies.S'];

export const documentNamed = (name) => DOCUMENTS.find((one) => one.name === name);

const allFirst = () => Object.fromEntries(DOCUMENTS.map(({ name }) => [name, 0]));

/** Which variant each document has, which of it was saved last, and which the database has. */
export const INITIAL_STATE = { variants: allFirst(), saved: allFirst(), database: 0 };

/** All that an answer about a document depends on. */
export function keyOf(document, state) {
  const own = state.variants[document.name];
  const header = document.reads in state.variants ? state.variants[document.reads] : '-';
  return `${document.name} ${own} ${header} ${document.group === 'plain' ? '-' : state.database}`;
}

/** Those documents, and what has to be compiled again when one of them was saved. */
export function withReaders(names) {
  const readers = DOCUMENTS.filter((one) => names.includes(one.reads)).map((one) => one.name);
  return DOCUMENTS.map((one) => one.name).filter((name) => names.includes(name) || readers.includes(name));
}

/** The files in one folder. */
export class Project {
  constructor(folder) {
    this.folder = folder;
  }

  path(name) {
    return path.join(this.folder, name);
  }

  get database() {
    return this.path('compile_commands.json');
  }

  text(document, variant, tail) {
    return document.make(variant) + tailOf(document.name, tail);
  }

  databaseText(variant) {
    const entries = LISTED.map((file) => ({
      directory: this.folder,
      file,
      command: `clang ${FLAGS[variant]} -c ${file}`,
    }));
    return JSON.stringify(entries, null, 1);
  }

  /** Whatever lies at the place of the file is replaced. */
  write(name, text) {
    const file = this.path(name);
    const isFile = fs.lstatSync(file, { throwIfNoEntry: false })?.isFile();
    if (!isFile) fs.rmSync(file, { recursive: true, force: true });
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }

  writeDatabase(variant) {
    this.write('compile_commands.json', this.databaseText(variant));
  }

  /** Writes all files. Returns the texts of what is open, by name. */
  writeAll(state, tail) {
    this.write('inc/asm.h', ASM_HEADER);
    this.write('kernels.c', KERNELS_SOURCE);
    this.writeDatabase(state.database);
    const texts = { 'kernels.c': KERNELS_SOURCE };
    for (const document of DOCUMENTS) {
      texts[document.name] = this.text(document, state.variants[document.name], tail);
      this.write(document.name, texts[document.name]);
    }
    return texts;
  }

  writeAsmHeader() {
    this.write('inc/asm.h', ASM_HEADER);
  }

  /** Opens what an editor has open. */
  async open(editor, texts) {
    await editor.open(this.path('kernels.c'), 'c', texts['kernels.c']);
    for (const { name, language } of DOCUMENTS) await editor.open(this.path(name), language, texts[name]);
  }
}
