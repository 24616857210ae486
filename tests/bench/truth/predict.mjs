// What mca predicts for many blocks at once: the steady rate, in cycles of one iteration.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const BLOCKS_OF_A_RUN = 200;
/**
 * Iterations of two runs, whose difference is free of run-up and drain. The shorter run fills every buffer of a CPU even
 * with a single instruction; the rest is a multiple of each number up to 10, so of most periods.
 */
const SHORT_RUN = 1000;
const COUNTED = 2520;
const LONG_RUN = SHORT_RUN + COUNTED;

/**
 * Blocks as regions of one text, named by their indexes. Each begins a line of code, as it does where it is measured, and
 * is a function, so that the code before it says nothing of its registers.
 */
export const markRegions = (texts) =>
  texts.map((text, i) => `.type b${i}, @function\n.p2align 6\nb${i}:\n# LLVM-MCA-BEGIN b${i}\n${text}\n# LLVM-MCA-END b${i}\n`).join('');

/** mca for x86-64. `options`: such as -mcpu=NAME or -calibration=FILE; `folder`: for its input. */
export class Predictor {
  #program;
  #options;
  #file;
  /** As mca calls the CPU; known after the first prediction. */
  cpu = '';

  constructor(program, options, folder) {
    this.#program = program;
    this.#options = options;
    this.#file = path.join(folder, 'predict.s');
  }

  /** For each text { cycles, kinds }, or { refused } with mca's message; `kinds`: what LLVM says of the instructions. */
  predict(texts) {
    const predictions = [];
    for (let begin = 0; begin < texts.length; begin += BLOCKS_OF_A_RUN)
      predictions.push(...this.#predictSome(texts.slice(begin, begin + BLOCKS_OF_A_RUN)));
    return predictions;
  }

  /** One bad block spoils a run: its half is tried again without the other one. */
  #predictSome(texts) {
    fs.writeFileSync(this.#file, markRegions(texts));
    const short = this.#simulate(SHORT_RUN);
    const long = short.regions && this.#simulate(LONG_RUN);
    if (long?.regions)
      return texts.map((_, i) => {
        const cycles = long.regions[i].SummaryView.TotalCycles - short.regions[i].SummaryView.TotalCycles;
        const { InstructionInfoView, Instructions } = long.regions[i];
        return { cycles: cycles / COUNTED, kinds: InstructionInfoView?.InstructionList ?? Instructions };
      });
    if (texts.length === 1) return [{ refused: (long ?? short).message }];
    const half = texts.length >> 1;
    return [...this.#predictSome(texts.slice(0, half)), ...this.#predictSome(texts.slice(half))];
  }

  #simulate(iterations) {
    const options = ['-mtriple=x86_64-linux-gnu', '-json', '-resource-pressure=0', `-iterations=${iterations}`];
    const result = spawnSync(this.#program, [...options, ...this.#options, this.#file], {
      encoding: 'utf8',
      maxBuffer: 1 << 30,
    });
    if (result.error) throw result.error;
    if (result.status !== 0) return { message: /error: (.*)/.exec(result.stderr)?.[1] ?? `status ${result.status}` };
    const report = JSON.parse(result.stdout);
    this.cpu = (report.TargetInfo ?? report.Calibration).CPUName;
    return { regions: report.CodeRegions };
  }
}

