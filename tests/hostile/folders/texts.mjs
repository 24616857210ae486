// Assembly that takes all time and all memory of the worker, and texts with very much of one thing.
import { SHORT_LIMITS } from '../session.mjs';
import { LOOP } from '../world.mjs';

const limits = /limit of --\w|crashed|ran out of memory|took too long|needs more than/;
const tooMany = /regions from here on are not analysed/;
const bomb = (name, text, { open = 'a.s', told = limits, ...more } = {}) => ({
  name,
  open,
  make: (folder) => folder.write(open, text),
  told,
  once: true,
  ...more,
});
const times = (count, line) => Array.from({ length: count }, (_, i) => line(i)).join('');

export const options = { limits: SHORT_LIMITS };

export const cases = [
  bomb('.rept without end', `${LOOP}\t.rept 1000000000\n\tnop\n\t.endr\n`),
  bomb('a macro that calls itself', `.macro bomb\n\tnop\n\tbomb\n\tbomb\n.endm\n\tbomb\n${LOOP}`, { told: /nested|limit|crashed/ }),
  bomb('macros that double', `.macro m0\n\tnop\n.endm\n${times(40, (i) => `.macro m${i + 1}\n\tm${i}\n\tm${i}\n.endm\n`)}\tm40\n`, { told: /nested|limit|crashed/ }),
  bomb('a chain of 100,000 .set', `${times(100_000, (i) => `.set s${i}, s${i + 1} + 1\n`)}\tmovl $s0, %eax\n${LOOP}`, { told: null }),
  bomb('an .include of itself', `\t.include "a.s"\n${LOOP}`, { told: null }),
  bomb('.fill, .zero and .org', `\t.zero 1099511627776\n\t.fill 1099511627776, 8, 1\n\t.org 0x7fffffffffff\n${LOOP}`, { told: null }),
  bomb('a line of 5 MB', `${LOOP}# ${'x'.repeat(5_000_000)}\n\t.byte ${'1,'.repeat(1_000_000)}1\n`, { told: null }),
  bomb('10,000 markers', times(5_000, (i) => `# LLVM-MCA-BEGIN r${i}\n\tnop\n# LLVM-MCA-END r${i}\n`), { told: null }),
  bomb('100,000 markers', times(50_000, (i) => `# LLVM-MCA-BEGIN r${i}\n\taddl $${i}, %eax\n# LLVM-MCA-END r${i}\n`), { told: tooMany }),
  bomb('20,000 markers that never end', `${times(20_000, (i) => `# LLVM-MCA-BEGIN r${i}\n`)}\tnop\n`, { told: null }),
  bomb('20,000 regions inside of each other', times(20_000, (i) => `# LLVM-MCA-BEGIN r${i}\n\taddl $1, %eax\n\tnop\n`), { told: /regions from here on are not analysed|needs more than/ }),
];
