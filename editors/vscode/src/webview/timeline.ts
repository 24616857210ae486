// What the pipeline view draws, and what it says about one cell. Shared by the view's two sides; nothing here touches
// the page.

/** Part of an instance's life in which it waits. Cycles, half-open. */
export interface WaitPart {
  from: number;
  to: number;
  /** "for xmm0", "for SKLPort5". */
  why: string;
  /** The instructions that it waits for, by position. */
  by: number[];
}

/** One execution of one instruction. Cycles; -1 for what lies beyond the part that was recorded. */
export interface Instance {
  iteration: number;
  instruction: number;
  dispatched: number;
  issued: number;
  executed: number;
  retired: number;
  waits: WaitPart[];
}

export interface Timeline {
  title: string;
  cpu: string;
  cyclesPerIteration: number;
  /** 0-based line in the document; none for what has none. */
  instructions: { text: string; line?: number }[];
  instances: Instance[];
  pressure: { unit: string; cycles: number }[];
  /** Why there is nothing to draw. */
  problem?: string;
}

export type Phase = 'none' | 'dispatch' | 'wait' | 'execute' | 'done' | 'retire';

/** The letters of llvm-mca's timeline. */
const letters: Record<Phase, string> = { none: '.', dispatch: 'D', wait: '=', execute: 'e', done: '-', retire: 'R' };

export function lastCycle(timeline: Timeline): number {
  return timeline.instances.reduce((last, one) => Math.max(last, one.retired, one.executed, one.dispatched), 0);
}

export function phaseAt(one: Instance, cycle: number): Phase {
  if (one.dispatched < 0 || cycle < one.dispatched)
    return 'none';
  if (cycle === one.dispatched)
    return 'dispatch';
  if (one.issued < 0 || cycle < one.issued)
    return 'wait';
  if (one.executed < 0 || cycle <= one.executed)
    return 'execute';
  if (one.retired < 0 || cycle < one.retired)
    return 'done';
  return cycle === one.retired ? 'retire' : 'none';
}

/** One sentence about a cell, for the tooltip and for screen readers. */
export function describeCell(timeline: Timeline, one: Instance, cycle: number): string {
  const text = timeline.instructions[one.instruction].text;
  const where = `Cycle ${cycle}, iteration ${one.iteration}, ${text}: `;
  const wait = one.waits.find((part) => part.from <= cycle && cycle < part.to);
  const because = wait ? ` ${wait.why}${culprits(timeline, wait)}` : '';
  switch (phaseAt(one, cycle)) {
    case 'dispatch':
      return `${where}is dispatched`;
    case 'wait':
      return `${where}waits${because}`;
    case 'execute':
      return `${where}executes, from cycle ${one.issued} to ${one.executed < 0 ? 'beyond the end' : one.executed}`;
    case 'done':
      return `${where}is executed and waits to retire${because}`;
    case 'retire':
      return `${where}retires`;
    case 'none':
      return `${where}${cycle < one.dispatched || one.dispatched < 0 ? 'is not dispatched yet' : 'has retired'}`;
  }
}

function culprits(timeline: Timeline, wait: WaitPart): string {
  if (wait.by.length === 0)
    return '';
  const named = wait.by.slice(0, 3).map((by) => {
    const { text, line } = timeline.instructions[by];
    return line === undefined ? text : `${text} (line ${line + 1})`;
  });
  return `: ${named.join(', ')}${wait.by.length > named.length ? ` and ${wait.by.length - named.length} more` : ''}`;
}

/** The instance whose result `one` waits for last: the same iteration's where the producer stands before it. */
export function producersOf(timeline: Timeline, one: Instance): Instance[] {
  const wanted = new Set(one.waits.filter((part) => part.from < one.issued).flatMap((part) => part.by));
  return [...wanted].flatMap((instruction) => {
    const iteration = instruction < one.instruction ? one.iteration : one.iteration - 1;
    return timeline.instances.filter((other) => other.instruction === instruction && other.iteration === iteration);
  });
}

/** The picture as text, with llvm-mca's letters. */
export function asText(timeline: Timeline): string {
  const cycles = lastCycle(timeline) + 1;
  const head = `${timeline.title} on ${timeline.cpu}, ${timeline.cyclesPerIteration.toFixed(2)} cycles per iteration`;
  const rows = timeline.instances.map((one) => {
    let row = '';
    for (let cycle = 0; cycle < cycles; ++cycle) {
      const phase = phaseAt(one, cycle);
      row += phase === 'execute' && cycle === one.executed ? 'E' : phase === 'none' && cycle > one.retired ? ' ' : letters[phase];
    }
    return `[${one.iteration},${one.instruction}]`.padEnd(9) + row.trimEnd().padEnd(cycles + 2) +
      timeline.instructions[one.instruction].text;
  });
  return `${head}\n\n${rows.join('\n')}\n`;
}
