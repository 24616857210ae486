// The truth: what mca-measure says of many blocks. It gates each measurement by canaries and refuses what it cannot
// measure.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { FORMS } from './forms.mjs';
import { markRegions } from './predict.mjs';

const BLOCKS_OF_A_RUN = 50;

/**
 * Measures the texts in one form; `report(done)` after each part. For each text { cycles, spread } or { refused } with
 * the reason; fewer than there are texts if the machine became too noisy, with mca-measure's message in `stopped`.
 */
export function measureBlocks(program, texts, form, folder, report) {
  const results = [];
  const file = path.join(folder, 'measure.s');
  for (let begin = 0; begin < texts.length; begin += BLOCKS_OF_A_RUN) {
    const part = texts.slice(begin, begin + BLOCKS_OF_A_RUN);
    fs.writeFileSync(file, markRegions(part));
    const { error, status, stdout, stderr } = spawnSync(program, ['run', file, `--form=${FORMS[form].option}`, '--json'], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    if (error) throw error;
    if (status !== 0 && stdout === '') return { results, stopped: stderr.trim() || `status ${status}` };
    const measured = JSON.parse(stdout);
    results.push(...resultsOf(measured, measured.Error ? measured.Regions.length : part.length));
    report(results.length);
    if (measured.Error) return { results, stopped: measured.Error };
  }
  return { results };
}

/** The one form of each region of a report, by the regions' names, which are those of markRegions. */
function resultsOf(report, count) {
  const byName = new Map(report.Regions.map((region) => [region.Name, region]));
  return Array.from({ length: count }, (_, i) => {
    const [measured] = byName.get(`b${i}`)?.Forms ?? [];
    if (!measured) return { refused: 'mca-measure does not mention it' };
    if (measured.Refused) return { refused: measured.Refused };
    return { cycles: measured.Cycles, spread: measured.Spread };
  });
}
