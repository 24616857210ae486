// The names of the remarks that LLVM's passes can emit, from the shared library itself.
//
// A pass refers to each name at the place that emits it. So names that stand near each other in the code belong to one
// pass or to one of its helpers: what is near a name that is known is another one, an argument's key, or a word that
// tests/docs/remark_names.txt lists as none. x86-64 alone: the instruction that takes an address (LEA relative to RIP).
import { readFileSync } from 'node:fs';

/** How far names of one function, or of neighbouring ones, stand from each other; in bytes of code. */
const NEAR = 8192;
const IDENTIFIER = /^[A-Z][A-Za-z0-9]{5,60}$/;

/** The sections of a little-endian ELF file of 64 bits: name → { offset, address, size }. */
function sectionsOf(file) {
  const table = Number(file.readBigUInt64LE(0x28));
  const header = (index) => {
    const at = table + 64 * index;
    return {
      name: file.readUInt32LE(at),
      address: Number(file.readBigUInt64LE(at + 16)),
      offset: Number(file.readBigUInt64LE(at + 24)),
      size: Number(file.readBigUInt64LE(at + 32)),
    };
  };
  const names = header(file.readUInt16LE(0x3e));
  const nameAt = (at) => file.toString('latin1', names.offset + at, file.indexOf(0, names.offset + at));
  const all = Array.from({ length: file.readUInt16LE(0x3c) }, (_, index) => header(index));
  return new Map(all.map((section) => [nameAt(section.name), section]));
}

/** All places of the code that take the address of a text that looks like a name, in ascending order. */
export function referencesIn(library) {
  const file = readFileSync(library);
  const sections = sectionsOf(file);
  const code = sections.get('.text');
  const data = sections.get('.rodata');
  const found = [];
  for (let at = code.offset; at + 7 < code.offset + code.size; ++at) {
    // REX.W or REX.WR, the opcode, and a ModRM byte that says "relative to RIP".
    if ((file[at] & 0xfb) !== 0x48 || file[at + 1] !== 0x8d || (file[at + 2] & 0xc7) !== 0x05) continue;
    const place = code.address + at - code.offset;
    const text = data.offset + (place + 7 + file.readInt32LE(at + 3) - data.address);
    if (text <= data.offset || text >= data.offset + data.size || file[text - 1] !== 0) continue;
    const name = file.toString('latin1', text, file.indexOf(0, text));
    if (IDENTIFIER.test(name)) found.push({ place, name });
  }
  return found;
}

/** The names near those that are known. */
export function namesNear(references, known) {
  const anchors = references.filter(({ name }) => known.has(name)).map(({ place }) => place);
  const isNear = (place) => anchors.some((anchor) => Math.abs(anchor - place) <= NEAR);
  return new Set(references.filter(({ place }) => isNear(place)).map(({ name }) => name));
}
