// What a block contains that a prediction may be wrong about. A block has several of these kinds or none.
import { mnemonicOf } from './blocks.mjs';

const operation = (pattern) => (block) => block.instructions.some((text) => pattern.test(mnemonicOf(text)));
const text = (pattern) => (block) => block.instructions.some((text) => pattern.test(text));

const addressOf = (instruction) => /(?:^|[\s,])(-?\d*\([^)]*\))/.exec(instruction)?.[1];

/** Does it load from an address that it stores to, in this iteration or the one before? */
function forwards({ instructions, kinds }) {
  const stored = new Set(instructions.filter((_, i) => kinds[i]?.mayStore).map(addressOf));
  return instructions.some((text, i) => kinds[i]?.mayLoad && addressOf(text) && stored.has(addressOf(text)));
}

/** A write of a part of a register that leaves the rest, such as movb $1, %al. */
const WRITES_PART = /^(?!v|cmp|test|bt\s|bt[wlq]? |push|set|.*%[xyz]mm).*[\s,]%([abcd][lhx]|[sd]il?|[sb]pl?|r\d+[bw])$/;

/** Names of kinds, as in "blocks with …", with what says whether a block is of that kind. */
const KINDS = {
  loads: (block) => block.kinds.some((kind) => kind.mayLoad),
  stores: (block) => block.kinds.some((kind) => kind.mayStore),
  'loads of what they store': forwards,
  'push, pop': operation(/^(push|pop)[wlqf]/),
  'moves between registers': text(/^v?mov(abs)?\w* %\w+, %\w+$/),
  'zero idioms': text(/^v?p?(xor|sub)\w* (?:%(\w+), )?%(\w+), (?:%\3|\$0, %\3)$|^(xor|sub)[lq] (%\w+), \5$/),
  lea: operation(/^lea/),
  'additions of constants': text(/^(add|sub|inc|dec)[wlq]? (\$-?\d+, )?%\w+$/),
  'shifts and rotates': operation(/^(sh[lr]|sa[lr]|ro[lr]|rc[lr]|shld|shrd|rorx|sarx|shlx|shrx)/),
  'integer multiplications': operation(/^(i?mul[bwlq]?|mulx[lq]?)$/),
  'integer divisions': operation(/^i?div[bwlq]$/),
  'cmov, setcc': operation(/^(cmov|set)/),
  'adc, sbb': operation(/^(adc|sbb|adcx|adox)/),
  'bit counts and scans': operation(/^(popcnt|lzcnt|tzcnt|bs[fr]|bt[rsc]?[wlq]?$|bl[cs]|bextr|bzhi|pdep|pext)/),
  'writes of parts of registers': text(WRITES_PART),
  'x87': operation(/^f(?!xsave|xrstor|emms)/),
  'vectors of 128 bits': text(/%xmm/),
  'vectors of 256 or 512 bits': text(/%[yz]mm/),
  'floating point': operation(/^v?(add|sub|mul|fn?m(add|sub)\w*|min|max|cmp|u?comi|round|h(add|sub))(s|p)[sd]$|^vf/),
  'vector divisions, square roots': operation(/^v?(div|sqrt|rsqrt|rcp)\w*[sp][sd]$/),
  'conversions': operation(/^v?cvt/),
  'between integer and vector registers': text(/^v?(mov[dq] (%[er]\w+, %xmm|%xmm\d+, %[er])|pextr|pinsr|p?movmsk)/),
  lock: text(/^lock |^xchg\w* .*\(/),
};

/** The kinds of a block { instructions, kinds }: the texts, and what mca -json says of each. */
export const kindsOf = (block) => Object.keys(KINDS).filter((name) => KINDS[name](block));
export const KIND_NAMES = Object.keys(KINDS);
