// Whether cycles in the program, as a recording and counts make them, are those of the time stamp counter, and whether
// "outside of the core" is said of the loops whose data are in memory and of none whose data are in the first cache.
//
//   node profiles.mjs FOLDER-OF-THE-PROGRAMS FOLDER-TO-BUILD-IN [SECONDS]
//
// Six loops (kernels.c) with data of four sizes run for SECONDS each (default 0.5) under --record-profile, and time
// themselves meanwhile (driver.c). The same program, built to count, says how often each loop iterates. So a neighbour
// on the machine slows both times alike. Fails if a time differs by more than a tenth, or a reason is wrong.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { processorText, thisProcessor } from '../truth/processor.mjs';
import { checkFiles } from '../loops/predict.mjs';
import { hostCpu } from '../loops/builds.mjs';

const [programs, folder, seconds = '0.5'] = process.argv.slice(2).map((one, i) => (i < 2 ? path.resolve(one) : one));
const sources = path.dirname(fileURLToPath(import.meta.url));
const COMPILER = 'clang-22';
const FOOTPRINTS = ['l1', 'l2', 'l3', 'memory'];
const TOLERANCE = 0.1;

const inFolder = (name) => path.join(folder, name);
const run = (program, args, options = {}) =>
  execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], ...options });

/** A copy of the loops for each footprint, as the time and the counts of a loop are those of its line. */
function writeKernels() {
  const text = fs.readFileSync(path.join(sources, 'kernels.c'), 'utf8');
  const flags = ['-O2', '-g', `-I${sources}`];
  const entries = FOOTPRINTS.map((footprint) => {
    const file = inFolder(`${footprint}.c`);
    fs.writeFileSync(file, `#define FOOTPRINT ${footprint}\n${text}`);
    return { directory: folder, file, arguments: [COMPILER, ...flags, '-c', file] };
  });
  fs.writeFileSync(inFolder('compile_commands.json'), JSON.stringify(entries));
  return { files: entries.map(({ file }) => file), flags };
}

/** The profile of a run, with what the program itself measured: cycles per iteration by "kernel footprint". */
function record({ files, flags }) {
  const driver = path.join(sources, 'driver.c');
  const counting = ['-g', '-fprofile-instr-generate', '-fcoverage-mapping', `-I${sources}`];
  run(COMPILER, [...flags, ...files, driver, '-o', 'timed']);
  run(COMPILER, [...counting, ...files, driver, '-o', 'counted']);
  const mcaLsp = path.join(programs, 'mca-lsp');
  const printed = run(mcaLsp, ['--record-profile', '-o', 'time.mcaprofile', '--', inFolder('timed'), seconds]);
  run(inFolder('counted'), [seconds], { env: { ...process.env, LLVM_PROFILE_FILE: inFolder('counts.profraw') } });
  const both = ['--import-profile', 'mcaprofile', 'time.mcaprofile', '--import-profile', 'profdata', 'counts.profraw'];
  run(mcaLsp, [...both, '--program', inFolder('counted'), '-o', 'both.mcaprofile']);
  const lines = printed.split('\n').map((line) => line.split(' ')).filter((words) => words.length === 4);
  return new Map(lines.map(([kernel, footprint, , cycles]) => [`${kernel} ${footprint}`, Number(cycles)]));
}

/** The loops of a file by the kernel that they are in, the one whose numbers the hint shows first. */
function loopsByKernel(report) {
  const loops = new Map();
  for (const region of report.regions) {
    const kernel = /\bin (\w+)_/.exec(region.instance)?.[1];
    loops.set(kernel, [...(loops.get(kernel) ?? []), region]);
  }
  return loops;
}

function judge(measured, reports) {
  let failures = 0;
  console.log('loop      data     predicted  in program    by TSC  difference');
  for (const [file, report] of reports) {
    const footprint = path.basename(file, '.c');
    for (const [kernel, regions] of loopsByKernel(report)) {
      const truth = measured.get(`${kernel} ${footprint}`);
      const { cyclesPerIteration, profile } = regions[0];
      const observed = profile?.cyclesPerIteration ?? 0;
      const isOutside = regions.some((region) => region.profile?.outsideOfCore);
      const isWrong = Math.abs(observed / truth - 1) > TOLERANCE;
      const isMisjudged = { l1: isOutside, memory: !isOutside }[footprint] ?? false;
      failures += isWrong || isMisjudged;
      const numbers = [cyclesPerIteration, observed, truth].map((cycles) => cycles.toFixed(2).padStart(10));
      const difference = `${(100 * (observed / truth - 1)).toFixed(1)} %`.padStart(10);
      const remark = `${isOutside ? '  outside of the core' : ''}${isWrong || isMisjudged ? '  WRONG' : ''}`;
      console.log(`${kernel.padEnd(10)}${footprint.padEnd(7)}${numbers.join('  ')}${difference}${remark}`);
    }
  }
  return failures;
}

fs.mkdirSync(folder, { recursive: true });
const measured = record(writeKernels());
const reports = checkFiles(programs, folder, hostCpu(), 'auto', [`--profile=${inFolder('both.mcaprofile')}`]);
console.log(processorText(thisProcessor()));
const failures = judge(measured, reports);
if (failures > 0) throw new Error(`${failures} of ${measured.size} loops are wrong`);
