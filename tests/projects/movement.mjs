// How far the addresses of a loop's memory accesses move in one iteration of the machine code, in bytes.
//
// Only sums of a register and constants are followed, along one way through the loop: a register that the iteration
// leaves a constant further than it found it is an induction; one that nothing writes does not move; of the others
// nothing is said.
const SIZES = { al: 'rax', bl: 'rbx', cl: 'rcx', dl: 'rdx', sil: 'rsi', dil: 'rdi', bpl: 'rbp', spl: 'rsp',
  ah: 'rax', bh: 'rbx', ch: 'rcx', dh: 'rdx' };

function registerOf(name) {
  if (SIZES[name]) return SIZES[name];
  const numbered = /^(r\d+)[dwb]?$/.exec(name);
  if (numbered) return numbered[1];
  const classic = /^[er]?([abcd]x|[sd]i|[sb]p)$/.exec(name);
  return classic ? `r${classic[1]}` : name;
}

const operandsOf = (text) => {
  const rest = text.replace(/^\S+\s*/, '');
  return rest.match(/[^,(]*\([^)]*\)|[^,]+/g)?.map((operand) => operand.trim()) ?? [];
};
const isMemory = (operand) => /\(.*\)/.test(operand);

/** { displacement, base, index, scale } of `8(%rax,%rbx,4)`. */
function addressOf(operand) {
  const match = /^(?:%[a-z]s:)?([^(]*)\(([^)]*)\)$/.exec(operand);
  if (!match) return undefined;
  const [base, index, scale] = match[2].split(',').map((part) => part.trim().replace('%', ''));
  return { displacement: match[1], base: base ? registerOf(base) : '', index: index ? registerOf(index) : '', scale: Number(scale ?? 1) };
}

/** Reads two operands and writes none, whatever the suffix. */
const ONLY_READS = /^(cmp|test|bt|ucomis|comis|vucomis|vcomis|ptest|vptest|j|nop|prefetch|call|ret)/;
const WRITES_MORE = { cltd: ['rdx'], cqto: ['rdx'], cltq: ['rax'], cwtl: ['rax'] };
const CALLER_SAVED = ['rax', 'rcx', 'rdx', 'rsi', 'rdi', 'r8', 'r9', 'r10', 'r11'];

function writtenBy(mnemonic, operands) {
  if (WRITES_MORE[mnemonic]) return WRITES_MORE[mnemonic];
  if (mnemonic.startsWith('call')) return CALLER_SAVED;
  if (/^(i?mul|i?div)[bwlq]$/.test(mnemonic) && operands.length === 1) return ['rax', 'rdx'];
  if (/^(rep|lock|movs[bwlq]$|stos[bwlq]$|cmpxchg|xadd|xchg|mulx|cpuid|rdtsc)/.test(mnemonic)) return ['rax', 'rdx', 'rcx', 'rsi', 'rdi', ...operands];
  if (ONLY_READS.test(mnemonic)) return [];
  const last = operands.at(-1);
  return last?.startsWith('%') ? [registerOf(last.slice(1))] : [];
}

/** What a register holds: { origin, offset }, the value of `origin` at the iteration's begin and a constant; or nothing. */
function step(values, text) {
  const mnemonic = text.split(' ')[0];
  const operands = operandsOf(text);
  const [source, target] = operands;
  const value = (register) => (values.has(register) ? values.get(register) : { origin: register, offset: 0 });
  const constant = /^\$-?\d+$/.test(source ?? '') ? Number(source.slice(1)) : undefined;
  const moved = (register, by) => {
    const old = value(register);
    return old && { origin: old.origin, offset: old.offset + by };
  };
  const name = (operand) => registerOf(operand.slice(1));
  if (/^(add|sub)[lq]$/.test(mnemonic) && constant !== undefined && target?.startsWith('%'))
    return values.set(name(target), moved(name(target), mnemonic.startsWith('add') ? constant : -constant));
  if (/^(inc|dec)[lq]$/.test(mnemonic) && source?.startsWith('%'))
    return values.set(name(source), moved(name(source), mnemonic.startsWith('inc') ? 1 : -1));
  if (/^mov[lq]$/.test(mnemonic) && source?.startsWith('%') && target?.startsWith('%'))
    return values.set(name(target), value(name(source)));
  if (/^lea[lq]$/.test(mnemonic)) {
    const address = addressOf(source);
    const plain = address?.base && !address.index && /^-?\d*$/.test(address.displacement);
    return values.set(name(target), plain ? moved(address.base, Number(address.displacement || 0)) : undefined);
  }
  for (const register of writtenBy(mnemonic, operands)) values.set(register, undefined);
  return values;
}

/**
 * [{ instruction, bytes }] for each memory access of the way through a loop: how far its address moves in each
 * iteration, undefined where that is not a constant. Instructions have `text`.
 */
export function movementsOf(instructions) {
  const values = new Map();
  for (const { text } of instructions) step(values, text);
  const stepOf = (register) => {
    if (register === '' || register === 'rip' || register === 'rsp' || !values.has(register)) return 0; // pushes are undone
    const value = values.get(register);
    return value?.origin === register ? value.offset : undefined;
  };
  // What a register holds at the access may be another's value of the iteration before: then its step is the origin's.
  const found = [];
  const now = new Map();
  for (const instruction of instructions) {
    const stepNow = (register) => {
      if (!now.has(register)) return stepOf(register);
      const value = now.get(register);
      return value ? stepOf(value.origin) : undefined;
    };
    if (!/^(lea|nop)/.test(instruction.text))
      for (const operand of operandsOf(instruction.text)) {
        const address = isMemory(operand) ? addressOf(operand) : undefined;
        if (!address) continue;
        const base = stepNow(address.base);
        const index = address.index ? stepNow(address.index) : 0;
        const known = base !== undefined && index !== undefined;
        found.push({ instruction, bytes: known ? base + address.scale * index : undefined });
      }
    step(now, instruction.text);
  }
  return found;
}
