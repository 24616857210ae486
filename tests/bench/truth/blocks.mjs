// Basic blocks from the text that llvm-objdump prints (AT&T syntax), and which of them can be measured alone.
//
// A block begins at the target of a direct branch and after each branch, call or return. It ends before the next one;
// what ends it is left out. The target of an indirect branch follows a jump or a return nearly always, so it begins a
// block, too.

export const LONGEST = 40;

const PREFIXES = /^((rep|repe|repne|repz|repnz|lock|bnd|notrack|data16|addr32|xacquire|xrelease)\s+)+/;
const BRANCHES = /^(l?(jmp|call|ret)\w*|j\w+|loop\w*|iret\w*|xbegin|xabort)$/;
const NOT_CODE = /^(ud[012]\w*|hlt|int3|<unknown>|\(bad\))$/;

const LONE_PREFIX = /^(rep|repe|repne|repz|repnz|lock|xacquire|xrelease)$/;

/** The operation of an instruction, without prefixes such as lock. */
export const mnemonicOf = (text) => text.replace(PREFIXES, '').split(/\s/, 1)[0];

/** One spelling for one instruction: single spaces, decimal numbers, neither comments nor names of symbols. */
export function normalise(text) {
  return text
    .replace(/#.*/, '')
    .replace(/<[^>]*\+0x[^>]*>/g, '')
    .replace(/0x[0-9a-f]+/gi, (number) => BigInt(number).toString())
    .replace(/\s+/g, ' ')
    .trim();
}

/** The instructions of a disassembly: { address, text }. Data beside the code is called data@ADDRESS. */
export function readDisassembly(output) {
  const instructions = [];
  for (const line of output.split('\n')) {
    const match = /^\s*([0-9a-f]+):\s+(\S.*)$/.exec(line);
    if (!match) continue;
    const text = normalise(match[2]);
    // A prefix stands on a line of its own.
    const before = instructions.at(-1);
    if (before && LONE_PREFIX.test(before.text)) before.text += ` ${text}`;
    else instructions.push({ address: parseInt(match[1], 16), text });
  }
  for (let i = 0; i + 1 < instructions.length; ++i) {
    const nameData = (_, distance) => `data@${instructions[i + 1].address + Number(distance)}(%rip)`;
    instructions[i].text = instructions[i].text.replace(/(-?\d+)\(%rip\)/, nameData);
  }
  return instructions;
}

/** Labels for the data of a block, in the order of their use, so that the same code elsewhere has the same text. */
function labelData(block) {
  const labels = new Map();
  const labelOf = (name) => {
    if (!labels.has(name)) labels.set(name, `.Ldata${labels.size}`);
    return labels.get(name);
  };
  return block.map((text) => text.replace(/data@\d+/, labelOf));
}

const targetOf = ({ text }) => {
  const match = /^(?:bnd |notrack )*(?:j|loop)\w* (\d+)\b/.exec(text);
  return match ? Number(match[1]) : undefined;
};

const isNop = (text) => /^(nop|xchgw %ax, %ax|data16|cs )/.test(text);

/**
 * All blocks of at least one instruction, each a list of texts. Code that runs into data is left out, and so are nops at
 * the begin, which pad the space between functions.
 */
export function basicBlocks(instructions) {
  const targets = new Set(instructions.map(targetOf).filter((target) => target !== undefined));
  const blocks = [];
  let block = [];
  const end = (keep = true) => {
    if (keep && block.length > 0) blocks.push(labelData(block));
    block = [];
  };
  for (const { address, text } of instructions) {
    if (targets.has(address)) end();
    const mnemonic = mnemonicOf(text);
    if (NOT_CODE.test(mnemonic)) end(false);
    else if (BRANCHES.test(mnemonic)) end();
    else if (block.length > 0 || !isNop(text)) block.push(text);
  }
  return blocks;
}

// What a process may not do, what stops others, and what reads or sets the state of the processor.
const SYSTEM = new RegExp(
  '^(' +
    [
      'syscall|sys(enter|exit|ret)\\w*|int|into|int1|cli|sti|in|out|in[bwl]|out[bwl]|ins[bwl]|outs[bwl]|clts|lmsw\\w*|smsw\\w*',
      '[ls][gil]dt\\w*|ltr\\w*|str[wlq]?|inv\\w*|wbinvd|wbnoinvd|rdmsr|wrmsr|rdpmc|rdtscp?|rdpid\\w*|cpuid|x[gs]etbv',
      'vm(m?call|launch|resume|run|load|save|func|clear|ptr\\w+|read\\w?|write\\w?|xo\\w+)|u?monitor\\w*|u?mwait\\w*|tpause|pause',
      'swapgs|(rd|wr)[fg]sbase\\w*|(rd|wr)pkru|f?x(save|rstor)\\w*|fn?(save|stenv)|frstor|fldenv',
      'cl(flush|flushopt|wb|demote|zero)|rdrand\\w*|rdseed\\w*|xend|xtest|encl[su]|serialize|ver[rw]\\w*|lar\\w*|lsl[wlq]|arpl\\w*',
      'l[defgs]s\\w*|(std|cld)|popf\\w*|(inc|rd|save|setssbsy|rstor|clrssbsy|wru?)ss\\w*',
    ].join('|') +
    ')$',
);
const SEGMENT_REGISTER = /%[c-gs]s(?!:)\b/;
const STRING = /^(movs[bwlq]|stos[bwlq]|lods[bwlq]|scas[bwlq]|cmps[bwlq])$/;

/** Why an instruction cannot be measured in a block of its own; nothing if it can. */
export function obstacleOf(text) {
  const mnemonic = mnemonicOf(text);
  if (SYSTEM.test(mnemonic) || SEGMENT_REGISTER.test(text)) return 'a system instruction';
  if (/%[fg]s:/.test(text)) return 'memory of the thread (fs, gs)';
  if (STRING.test(mnemonic)) return 'a string instruction';
  return undefined;
}

/** Why a block is not in the sample: a reason to count it by; nothing if it may be. */
export function refusalOf(block) {
  if (block.length > LONGEST) return `more than ${LONGEST} instructions`;
  for (const text of block) {
    const obstacle = obstacleOf(text);
    if (obstacle) return obstacle;
  }
  return undefined;
}

