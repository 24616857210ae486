// Sources that take all time and all memory of compilers: the limits hold, the server answers, and the user is told which
// limit it was.
import { SHORT_LIMITS } from '../session.mjs';
import { SUM } from '../world.mjs';

const doublings = (count, line) => Array.from({ length: count }, (_, i) => line(i)).join('');
const limits = /did not finish|MiB of memory|limit of --\w|crashed with signal|too deep|exceeded|expands too|used more than/;

const bomb = (name, text, { open = 'a.c', told = limits, ...more } = {}) => ({
  name,
  open,
  make: (folder) => folder.write(open, text),
  told,
  once: true,
  ...more,
});

const template = `template<int N> struct T { T<N - 1> a; T<N - 2> b; long c[N + 1]; };
template<> struct T<0> {}; template<> struct T<1> {};
template<class A, class B> struct P { typedef P<P<A, B>, P<B, A>> next; };
P<int, P<int, char>>::next::next::next::next::next::next::next::next::next x;
template<int N, class... X> struct D : D<N - 1, X..., D<N - 1, X...>> {}; D<60> d;\n`;

export const options = { limits: SHORT_LIMITS };

export const cases = [
  bomb('an #include of itself', `#include "a.c"\n${SUM}`, { told: /nested too deeply/ }),
  bomb('an #include of itself twice', `#include "a.c"\n#include "a.c"\n${SUM}`, { told: /nested too deeply|did not finish/ }),
  bomb('macros that double', `#define M0 1 +\n${doublings(60, (i) => `#define M${i + 1} M${i} M${i}\n`)}int f() { return M60 1; }\n${SUM}`),
  bomb('templates without end', template, { open: 'a.cpp' }),
  bomb('a static initialiser of 4 GB', 'char big[1ull << 32] = {1};\nstruct { int a[1 << 28]; } t = {{[0 ... (1 << 28) - 1] = 7}};\n'),
  bomb('parentheses', `int x = ${'('.repeat(200_000)}1${')'.repeat(200_000)};\n`, { told: /bracket nesting|crashed/ }),
  bomb('nested loops', `void f(volatile int *p) {\n${'for (int i = 0; i < 9; ++i)\n'.repeat(20_000)}*p = 1;\n}\n`, { told: /crashed|did not finish|stack|limit|nested|nesting/ }),
  bomb('a compiler that crashes', '#pragma clang __debug crash\n', { told: /crashed with signal/ }),
  bomb('a compiler whose stack overflows', '#pragma clang __debug overflow_stack\n'),
  bomb('an #embed without end', 'const char z[] = {\n#embed "/dev/zero"\n};\n', { told: /Permission denied|cannot|not found/ }),
  bomb('an asm of many lines', `__asm__(".rept 1000000000\\nnop\\n.endr");\n${SUM}`, { hints: null, told: /./ }),
  {
    name: 'a header of 10 GB',
    make(folder) {
      folder.write('a.c', `#include "huge.h"\n${SUM}`);
      folder.sparse('huge.h', 10 * 2 ** 30);
    },
    told: /huge\.h|too large|MiB of memory|did not finish/,
  },
  {
    name: 'an #embed of 10 GB',
    make(folder) {
      folder.write('a.c', `const char z[] = {\n#embed "huge"\n};\n${SUM}`);
      folder.sparse('huge', 10 * 2 ** 30);
    },
    told: /huge|too large|MiB of memory|did not finish/,
  },
  {
    name: 'a database, a trace, a calibration and a configuration of 10 GB',
    make(folder) {
      folder.write('a.c', SUM);
      folder.sparse('compile_commands.json', 10 * 2 ** 30);
      folder.sparse('compile_flags.txt', 10 * 2 ** 30);
      folder.sparse('a.c.mcatrace', 10 * 2 ** 30);
      folder.sparse('.mca-lsp.json', 10 * 2 ** 30);
    },
    told: /is no regular file of at most/,
    hints: 'usual',
  },
];
