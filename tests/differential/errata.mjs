// errata.mjs ROWS OTHER-ROWS: what differs between the scheduling models of two LLVMs, as model_rows.cpp prints them.
//
// Opcodes of a CPU that changed alike are one line, with both rows: only the parts that differ, the old before the new.
//
//   x86_64 znver4
//     uops 1 → 20, latency 5 → 19: VGATHERQPDZ256rm VPGATHERQQZ256rm
//
// If most rows of a CPU differ, it has another model, and they are only counted. CPUs that only one of the two has are
// listed at the end.
import fs from 'node:fs';

/** Map "arch cpu" → Map opcode → row: an object of parts. CPUs with one model share the inner map. */
function rowsOf(file) {
  const models = new Map();
  for (const line of fs.readFileSync(file, 'utf8').split('\n')) {
    const [architecture, cpu, opcode, ...parts] = line.split(' ');
    if (!opcode) continue;
    const model = `${architecture} ${cpu}`;
    if (opcode === '=') {
      models.set(model, models.get(`${architecture} ${parts[0]}`));
      continue;
    }
    if (!models.has(model)) models.set(model, new Map());
    // TableGen numbers resources without a name anew in each version.
    models.get(model).set(opcode, Object.fromEntries(parts.map((part) => part.replace(/^anonymous_\d+/, 'anonymous').split('='))));
  }
  return models;
}

/** "latency 5 → 19, Zn4Load 1 → 12"; empty if the rows are the same. */
function changeOf(before, after) {
  if ('variant' in before && 'variant' in after) return '';
  if ('variant' in before) return 'depends on the operands → has one row';
  if ('variant' in after) return 'has one row → depends on the operands';
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => before[name] !== after[name]);
  return names.map((name) => `${name} ${before[name] ?? '-'} → ${after[name] ?? '-'}`).join(', ');
}

const kNewModel = 0.5; // of the rows
const [before, after] = process.argv.slice(2, 4).map(rowsOf);

// CPUs that share a model in both are one.
const compared = [];
for (const [cpu, rows] of before) {
  const others = after.get(cpu);
  if (!others) continue;
  const known = compared.find((one) => one.rows === rows && one.others === others);
  if (known) known.cpus.push(cpu.split(' ')[1]);
  else compared.push({ cpus: [cpu], rows, others });
}
for (const { cpus, rows, others } of compared) {
  const alike = new Map();
  for (const [opcode, row] of rows) {
    const change = others.has(opcode) ? changeOf(row, others.get(opcode)) : '';
    if (change) alike.set(change, [...(alike.get(change) ?? []), opcode]);
  }
  if (alike.size) console.log(cpus.join(' '));
  const changed = [...alike.values()].reduce((sum, opcodes) => sum + opcodes.length, 0);
  if (changed > kNewModel * rows.size) {
    console.log(`  another model: ${changed} of ${rows.size} rows differ`);
    continue;
  }
  for (const [change, opcodes] of [...alike].sort((one, two) => two[1].length - one[1].length))
    console.log(`  ${change}: ${opcodes.join(' ')}`);
}
const only = (some, others) => [...some.keys()].filter((cpu) => !others.has(cpu)).join(', ') || 'none';
console.log(`CPUs that only the first has: ${only(before, after)}`);
console.log(`CPUs that only the second has: ${only(after, before)}`);
