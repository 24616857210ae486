// What the pipeline view draws, and what it says about one cell. Nothing here touches the page, so that it can be tested
// without one.

/** Part of an instance's life in which it waits for one thing. Cycles, half-open. */
export interface WaitPart {
  from: number;
  to: number;
  /** "for xmm0", "for SKLPort5". */
  why: string;
  /** The instructions that it waits for, by position. */
  by: number[];
}

/** One execution of one instruction: the cycles in which it is dispatched, issued, executed and retired. */
export interface Instance {
  iteration: number;
  instruction: number;
  dispatched: number;
  issued: number;
  executed: number;
  retired: number;
  waits: WaitPart[];
  /** Along a trace: a branch that is predicted wrongly, and the cycle in which fetching continues after it. */
  mispredicted?: boolean;
  resumed?: number;
  /** Along a trace: which of the paths its iteration takes, from 0; none if it is no whole one. */
  path?: number;
}

/** Iterations of the loop on the way that its branches take. */
export interface Trace {
  /** "along the trace kern.mcatrace" */
  name: string;
  cyclesPerIteration: number;
  instructions: { text: string; line?: number }[];
  instances: Instance[];
  /** "through line 12" */
  paths: string[];
}

/** The reply to mca/timeline. */
export interface Timeline {
  /** By which it is asked for again. */
  uri: string;
  title: string;
  cpu: string;
  cyclesPerIteration: number;
  /** 0-based line in the document; none for what has none. */
  instructions: { text: string; line?: number }[];
  instances: Instance[];
  pressure: { unit: string; cycles: number }[];
  trace?: Trace;
  /** Why there is nothing to draw. */
  problem?: string;
}

/** A timeline as it is drawn: of the loop, or along its trace. */
export interface Shown extends Timeline {
  along?: Trace;
}

/** The pressure is for the loop's first path, so it is left out along a trace. */
export function shownOf(timeline: Timeline, wantsTrace: boolean): Shown {
  const { trace } = timeline;
  if (!trace || !wantsTrace)
    return timeline;
  const { cyclesPerIteration, instructions, instances } = trace;
  return { ...timeline, cyclesPerIteration, instructions, instances, pressure: [], along: trace };
}

export function headOf(shown: Shown): string {
  const along = shown.along ? `, ${shown.along.name}` : '';
  return `${shown.cyclesPerIteration.toFixed(2)} cycles per iteration on ${shown.cpu}${along}`;
}

/** Before dispatch: held, dispatch. Before execution: wait. Before retirement: done. */
export type Phase = 'held' | 'dispatch' | 'wait' | 'execute' | 'done' | 'retire';

/** Cycles of one phase, half-open. */
export interface Part {
  phase: Phase;
  from: number;
  to: number;
}

/** The letters of llvm-mca's timeline; it has none for what is held before dispatch. */
const letters: Record<Phase, string> = { held: '.', dispatch: 'D', wait: '=', execute: 'e', done: '-', retire: 'R' };

/**
 * The phases of an instance in the order of time. What is executed as it is dispatched shows no execution, and where
 * nothing retires in order there is no retirement.
 */
export function partsOf(one: Instance): Part[] {
  const { dispatched, issued, executed, retired } = one;
  const held = one.waits
    .filter((wait) => wait.from < dispatched)
    .map((wait): Part => ({ phase: 'held', from: wait.from, to: Math.min(wait.to, dispatched) }));
  const parts: Part[] = [
    ...held,
    { phase: 'dispatch', from: dispatched, to: dispatched + 1 },
    { phase: 'wait', from: dispatched + 1, to: issued },
    { phase: 'execute', from: Math.max(issued, dispatched + 1), to: executed + 1 },
    { phase: 'done', from: executed + 1, to: retired },
    { phase: 'retire', from: Math.max(retired, executed + 1), to: retired + 1 },
  ];
  return parts.filter((part) => part.from < part.to);
}

export function phaseAt(one: Instance, cycle: number): Phase | undefined {
  return partsOf(one).find((part) => part.from <= cycle && cycle < part.to)?.phase;
}

export function lastCycle(timeline: Timeline): number {
  return timeline.instances.reduce((last, one) => Math.max(last, one.retired, one.executed), 0);
}

/** Cycles after a mispredicted branch in which nothing enters: until it is executed, and then until fetching continues. */
export interface Gap {
  from: number;
  to: number;
  wait: number;
  redirect: number;
}

/** None if the trace ends with the branch. */
export function gapOf(one: Instance): Gap | undefined {
  if (!one.mispredicted || one.resumed === undefined)
    return undefined;
  const { dispatched, executed, resumed } = one;
  return { from: dispatched + 1, to: resumed, wait: executed - dispatched, redirect: resumed - executed };
}

/** "mispredicted, 8 + 14 cycles", as `mca` prints it; empty if the instance is predicted right. */
export function mispredictionOf(one: Instance): string {
  const gap = gapOf(one);
  return gap ? `mispredicted, ${gap.wait} + ${gap.redirect} cycles` : one.mispredicted ? 'mispredicted' : '';
}

/** Why nothing enters after an instance; empty if it is predicted right. */
export function describeGap(timeline: Timeline, one: Instance): string {
  const gap = gapOf(one);
  const mnemonic = timeline.instructions[one.instruction].text.split(/\s/)[0];
  return gap ? `${mnemonic} mispredicted: ${gap.wait} cycles until executed + ${gap.redirect} redirect` : '';
}

/** The last of the colours is followed by the first. */
const pathColours = 6;

/** The style class of a path; empty for a row of none. */
export function pathClass(path: number | undefined): string {
  return path === undefined ? '' : `path${path % pathColours}`;
}

/** One sentence about a cell, for the tooltip and for screen readers. */
export function describeCell(timeline: Timeline, one: Instance, cycle: number): string {
  const text = timeline.instructions[one.instruction].text;
  const path = one.path === undefined ? '' : ` on path ${one.path + 1}`;
  const where = `Cycle ${cycle}, iteration ${one.iteration}${path}, ${text}: `;
  const gap = gapOf(one);
  const held = gap && gap.from <= cycle && cycle < gap.to ? `. Nothing enters: ${describeGap(timeline, one)}` : '';
  return `${where}${stateOf(timeline, one, cycle)}${held}`;
}

function stateOf(timeline: Timeline, one: Instance, cycle: number): string {
  const wait = one.waits.find((part) => part.from <= cycle && cycle < part.to);
  const because = wait ? ` ${wait.why}${culprits(timeline, wait)}` : '';
  switch (phaseAt(one, cycle)) {
    case 'held':
      return `is held before dispatch${because}`;
    case 'dispatch':
      return 'is dispatched';
    case 'wait':
      return `waits${because}`;
    case 'execute':
      return `executes, from cycle ${one.issued} to ${one.executed}`;
    case 'done':
      return `is executed and waits${because || ' to retire'}`;
    case 'retire':
      return 'retires';
    case undefined:
      return cycle < one.dispatched ? 'is not dispatched yet' : 'is over';
  }
}

const maxCulprits = 3;

function culprits(timeline: Timeline, wait: WaitPart): string {
  if (wait.by.length === 0)
    return '';
  const named = wait.by.slice(0, maxCulprits).map((by) => {
    const { text, line } = timeline.instructions[by];
    return line === undefined ? text : `${text} (line ${line + 1})`;
  });
  const more = wait.by.length - named.length;
  return `: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/**
 * The instances that `one` waits for before it executes. Of several instances of an instruction it is the latest one before
 * `one` in program order that executes during the wait; a later instance may also hold a unit.
 */
export function producersOf(timeline: Timeline, one: Instance): Instance[] {
  const own = timeline.instances.indexOf(one);
  const found = new Set<Instance>();
  for (const wait of one.waits.filter((part) => part.from < one.issued))
    for (const by of wait.by) {
      const atWork = timeline.instances.filter(
        (other) => other !== one && other.instruction === by && other.issued < wait.to && other.executed >= wait.from - 1);
      const before = atWork.filter((other) => timeline.instances.indexOf(other) < own);
      const producer = before.at(-1) ?? atWork[0];
      if (producer)
        found.add(producer);
    }
  return [...found];
}

/** The last iteration is not drawn whole. A trace goes on after what is drawn of it anyway. */
export function isCut(timeline: Shown): boolean {
  return !timeline.along && timeline.instances.length % Math.max(timeline.instructions.length, 1) !== 0;
}

export function labelOf(timeline: Timeline, one: Instance): string {
  return `[${one.iteration},${one.instruction}] ${timeline.instructions[one.instruction].text}`;
}

/** A row with llvm-mca's letters. */
function rowAsText(one: Instance): string {
  const cells: string[] = [];
  for (const { phase, from, to } of partsOf(one))
    for (let cycle = from; cycle < to; ++cycle)
      cells[cycle] = phase === 'execute' && cycle === one.executed ? 'E' : letters[phase];
  return Array.from(cells, (cell) => cell ?? ' ').join('');
}

/** The picture as text. */
export function asText(timeline: Shown): string {
  const cycles = lastCycle(timeline) + 1;
  const along = timeline.along ? `, ${timeline.along.name}` : '';
  const head = `${timeline.title} on ${timeline.cpu}, ${timeline.cyclesPerIteration.toFixed(2)} cycles per iteration${along}`;
  const missed = (one: Instance): string => (one.mispredicted ? `  ${mispredictionOf(one)}` : '');
  const rows = timeline.instances.map(
    (one) => `[${one.iteration},${one.instruction}]`.padEnd(10) + rowAsText(one).padEnd(cycles + 2) +
      timeline.instructions[one.instruction].text + missed(one));
  if (timeline.pressure.length === 0)
    return `${head}\n\n${rows.join('\n')}\n`;
  const units = timeline.pressure.map((use) => `${use.unit.padEnd(24)}${use.cycles.toFixed(2).padStart(7)}`);
  return `${head}\n\n${rows.join('\n')}\n\nPressure, cycles per iteration\n${units.join('\n')}\n`;
}
