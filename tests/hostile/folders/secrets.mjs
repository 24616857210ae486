// Sources and flags that read the user's secrets: the kernel refuses them to the compiler, and no message quotes them.
import { LOOP, SUM } from '../world.mjs';

const refused = /Permission denied|file not found|no such file|cannot open|could not find|left out/i;

const source = (name, text, { open = 'a.c', flags, told = refused, hints, ...more } = {}) => ({
  name,
  open,
  make(folder, world) {
    const filled = (one) => one.replaceAll('KEY', world.key).replaceAll('OUTSIDE', world.outside).replaceAll('HOME', world.home);
    folder.write(open, filled(text));
    if (flags) folder.database(['clang', '-O2', ...flags.map(filled), '-c', open], { file: open });
  },
  told,
  hints,
  ...more,
});


const flagged = (name, flags, more) => source(name, SUM, { flags, ...more });

export const cases = [
  source('#include of a key', `#include "KEY"\n${SUM}`),
  source('#include of a file outside', `#include "OUTSIDE/secret.h"\n${SUM}`),
  source('#include by a relative path', `#include "../../outside/secret.h"\n${SUM}`),
  source('#include of the environment', `#include "/proc/self/environ"\n${SUM}`),
  source("#include of the parent's environment", `#include "/proc/${process.pid}/environ"\n${SUM}`),
  source('#include of shadow', `#include "/etc/shadow"\n${SUM}`),
  source('#include of a terminal', `#include "/dev/tty"\n${SUM}`),
  source('#include of standard input', `#include "/dev/stdin"\n#include "/proc/self/fd/0"\n${SUM}`, { told: null }),
  source('#include by a macro', `#define P "KEY"\n#include P\n${SUM}`),
  source('#include_next, #import', `#import "KEY"\n${SUM}`),
  source('__has_include', `#if __has_include("KEY")\n#include "KEY"\n#endif\nint HUSHED = there_is_none;\n${SUM}`, { told: /./ }),
  source('#embed whose bytes an error would show', `constexpr unsigned char k[] = {\n#embed "KEY"\n};\ntemplate<int...> struct S; S<k[0], k[1]> s;\n${SUM}`, { open: 'a.cpp' }),
  source('asm of .incbin', `__asm__(".data\\n.incbin \\"KEY\\"\\n.text");\n${SUM}`, { told: null }),
  source('asm of .include', `__asm__(".include \\"KEY\\"");\n${SUM}`, { told: null }),
  source('.incbin in assembly', `${LOOP}\t.data\n\t.incbin "KEY"\n`, { open: 'a.s', told: null }),
  source('.include in assembly', `\t.include "KEY"\n${LOOP}`, { open: 'a.s', told: null }),
  source('.include of assembly outside', `\t.include "OUTSIDE/secret.s"\n${LOOP}`, { open: 'a.s', told: null }),
  source('#include in assembly', `#include "OUTSIDE/secret.s"\n${LOOP}`, { open: 'a.S' }),
  source('#line that names a key', `#line 1 "KEY"\n${SUM}`, { told: null }),
  source('a line marker that names a file outside', `# 1 "OUTSIDE/secret.h" 1\n${SUM}# 9 "a.c" 2\n`, { told: null }),
  source('.file and .loc that name a key', `\t.file 1 "KEY"\n\t.text\nsum:\n.Lsum:\n\t.loc 1 2 1\n\taddl (%rdi), %eax\n\tdecq %rsi\n\tjne .Lsum\n\tretq\n`, { open: 'a.s', told: null, hints: /cyc/ }),
  flagged('-include of a key', ['-include', 'KEY']),
  flagged('-imacros of a key', ['-imacros', 'KEY']),
  source('-include of assembly outside', LOOP, { open: 'a.S', flags: ['-include', 'OUTSIDE/secret.s'], told: null }),
  flagged('-fsanitize-ignorelist of a file outside', ['-fsanitize=address', '-fsanitize-ignorelist=OUTSIDE/flags.rsp'], { told: null }),
  flagged('-fprofile-use of a file outside', ['-fprofile-use=OUTSIDE/secret.txt'], { told: null }),
  flagged('-include of a file outside', ['-include', 'OUTSIDE/secret.h'], { told: /its text is not shown/ }),
  source('-I of a folder of secrets', `#include "id_rsa"\n${SUM}`, { flags: ['-IHOME/.ssh'], told: null }),
  source('-I of the home', `#include ".ssh/id_rsa"\n${SUM}`, { flags: ['-IHOME'] }),
  source('-I of the root', `#include <proc/self/environ>\n${SUM}`, { flags: ['-I/'] }),
  source('-isystem of a folder outside', `#include <secret.h>\n${SUM}`, { flags: ['-isystem', 'OUTSIDE'], told: /its text is not shown/ }),
  source('-isysroot and --sysroot', `#include <secret.h>\n${SUM}`, { flags: ['--sysroot=OUTSIDE', '-isysroot', 'OUTSIDE'] }),
  source('-working-directory', `#include "id_rsa"\n${SUM}`, { flags: ['-working-directory=HOME/.ssh', '-I.'], told: null }),
  flagged('-fprofile-use of a key', ['-fprofile-use=KEY'], { told: null }),
  flagged('-fprofile-sample-use of a key', ['-fprofile-sample-use=KEY'], { told: null }),
  flagged('-fmodule-map-file of a key', ['-fmodules', '-fmodule-map-file=KEY']),
  flagged('-resource-dir outside', ['-resource-dir=OUTSIDE'], { told: null }),
  flagged('-fsanitize-ignorelist of a key', ['-fsanitize=address', '-fsanitize-ignorelist=KEY'], { told: null }),
  flagged('-fxray and lists of functions in a key', ['-fxray-instrument', '-fxray-always-instrument=KEY', '-fprofile-list=KEY'], { told: null }),
  flagged('a response file that is a key', ['@KEY'], { told: null }),
  flagged('a response file outside', ['@OUTSIDE/flags.rsp'], { told: /outside of the opened folders/ }),
  flagged('a list of symbols in a key', ['-fbasic-block-sections=list=KEY', '-mllvm', '-x=KEY'], { told: null }),
];
