// llvm-mca on instructions that the script cut out itself. It starts slowly: each run gets many regions in one text.
import fs from 'node:fs';
import { must } from './programs.mjs';

const REGIONS_OF_A_RUN = 2000;

/** Sets `llvm` ({ cycles, instructions, microOps }, all as strings) of each { lines, iterations }. */
export async function simulateWithLlvm(regions, cpu, stem) {
  const byIterations = Map.groupBy ? Map.groupBy(regions, (region) => region.iterations) : groupBy(regions);
  for (const [iterations, group] of byIterations)
    for (let begin = 0; begin < group.length; begin += REGIONS_OF_A_RUN)
      await simulateSome(group.slice(begin, begin + REGIONS_OF_A_RUN), iterations, cpu, stem);
}

function groupBy(regions) {
  const groups = new Map();
  for (const region of regions) groups.set(region.iterations, [...(groups.get(region.iterations) ?? []), region]);
  return groups;
}

async function simulateSome(regions, iterations, cpu, stem) {
  const unique = new Map();
  for (const region of regions) {
    const text = region.lines.join('\n');
    unique.set(text, [...(unique.get(text) ?? []), region]);
  }
  const texts = [...unique.keys()];
  const marked = texts.map((text, i) => `# LLVM-MCA-BEGIN r${i}\n${text}\n# LLVM-MCA-END r${i}\n`).join('');
  fs.writeFileSync(`${stem}.s`, marked);
  const output = await must('llvm-mca-22', ['-mtriple=x86_64-linux-gnu', `-mcpu=${cpu}`, `-iterations=${iterations}`,
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
