// llvm-mca on instructions that the script cut out itself. It starts slowly: each run gets many regions in one text.
//
// A load waits for the store to the same operand, which llvm-mca does not know: regions whose listing says that they have
// one are given to `mca`, which is llvm-mca byte for byte but for the comment that says it.
import fs from 'node:fs';
import { must } from './programs.mjs';

const REGIONS_OF_A_RUN = 2000;

const SAME_OPERANDS = '# mca: same-operands';

/** Sets `llvm` ({ cycles, instructions, microOps }, all as strings) of each { region, lines, iterations }. */
export async function simulateWithLlvm(regions, cpu, stem, mca) {
  const groups = new Map();
  for (const one of regions) {
    const program = one.region.listing.includes(SAME_OPERANDS) ? mca : 'llvm-mca-22';
    const key = `${program}\n${one.iterations}`;
    groups.set(key, { program, iterations: one.iterations, group: [...(groups.get(key)?.group ?? []), one] });
  }
  for (const { program, iterations, group } of groups.values())
    for (let begin = 0; begin < group.length; begin += REGIONS_OF_A_RUN)
      await simulateSome(group.slice(begin, begin + REGIONS_OF_A_RUN), iterations, cpu, stem, program, program === mca ? `${SAME_OPERANDS}\n` : '');
}

async function simulateSome(regions, iterations, cpu, stem, program, statement) {
  const unique = new Map();
  for (const region of regions) {
    const text = region.lines.join('\n');
    unique.set(text, [...(unique.get(text) ?? []), region]);
  }
  const texts = [...unique.keys()];
  const marked = texts.map((text, i) => `# LLVM-MCA-BEGIN r${i}\n${statement}${text}\n# LLVM-MCA-END r${i}\n`).join('');
  fs.writeFileSync(`${stem}.s`, marked);
  const output = await must(program, ['-mtriple=x86_64-linux-gnu', `-mcpu=${cpu}`, `-iterations=${iterations}`,
    '-instruction-info=0', '-resource-pressure=0', '-call-latency=1', '-skip-unsupported-instructions=lack-sched', `${stem}.s`]);
  const reports = output.split(/^\[\d+\] Code Region - /m).slice(1);
  if (reports.length !== texts.length) throw new Error(`llvm-mca: ${reports.length} reports for ${texts.length} regions`);
  const field = (report, name) => new RegExp(`^${name}:\\s+(\\S+)$`, 'm').exec(report)?.[1];
  reports.forEach((report, i) => {
    for (const region of unique.get(texts[i]))
      region.llvm = {
        cycles: field(report, 'Total Cycles'),
        instructions: field(report, 'Instructions'),
        microOps: field(report, 'Total uOps'),
      };
  });
}
