// What the faults of a run are. All of it follows from the seed and a fault's number, so that each can be repeated
// alone: which kind, which documents are edited, at which step the fault happens, and how long it lasts.
import { COMPILER_FAULTS } from './compiler_faults.mjs';
import { FILE_FAULTS } from './file_faults.mjs';
import { FRAME_FAULTS } from './frame_faults.mjs';
import { DOCUMENTS, INITIAL_STATE, documentNamed, withReaders } from './project.mjs';
import { Random } from './random.mjs';
import { RESOURCE_FAULTS } from './resource_faults.mjs';
import { WORKER_FAULTS } from './worker_faults.mjs';

export const KINDS = [...WORKER_FAULTS, ...COMPILER_FAULTS, ...FRAME_FAULTS, ...FILE_FAULTS, ...RESOURCE_FAULTS];

/** A server lives for so many faults. */
const SESSION = 50;
/** The shapes of the sessions of a run, over and over. */
const SHAPES = ['own', 'script', 'own', 'proxy', 'own', 'script', 'own', 'proxy', 'own', 'clock'];

const GROUPS = {
  any: () => true,
  read: (document) => document.group !== 'plain',
  reading: (document) => document.reads !== undefined,
};
const STAGES = ['compiling', 'parsing', 'looking for regions', 'simulating', 'idle'];

/** The faults of a run, by their number. `options`: seed; only: a kind's name; each: so many of each kind, in order. */
export class Plan {
  constructor(options, kinds) {
    this.options = options;
    this.kinds = kinds.filter((kind) => !options.only || kind.name === options.only);
    if (this.kinds.length === 0) throw new Error(`no kind of fault is named ${options.only}`);
    this.ordered = [...new Set(SHAPES)].flatMap((shape) => this.kinds.filter((kind) => kind.shape === shape));
  }

  /** The length of a run of each kind. */
  get countOfEach() {
    return this.options.each * this.kinds.length;
  }

  /** Which session a fault belongs to. Those of one session follow each other and have one shape. */
  session(number) {
    const { each } = this.options;
    const shape = each
      ? this.ordered[Math.floor(number / each) % this.ordered.length].shape
      : this.shapeOf(Math.floor(number / SESSION));
    const first = each ? this.ordered.findIndex((kind) => kind.shape === shape) * each : number - (number % SESSION);
    const compileOn = new Random(this.options.seed ^ 0x5e55, first).pick(['change', 'save']);
    return { first, shape, compileOn };
  }

  shapeOf(session) {
    const shapes = SHAPES.filter((shape) => this.kinds.some((kind) => kind.shape === shape));
    return shapes[session % shapes.length];
  }

  /** The choices of a fault, before the state of the documents is known. */
  draw(number) {
    const random = new Random(this.options.seed, number);
    const { shape, compileOn } = this.session(number);
    const { each } = this.options;
    const chosen = random.weighted(this.kinds.filter((kind) => kind.shape === shape));
    const kind = each ? this.ordered[Math.floor(number / each) % this.ordered.length] : chosen;
    const names = drawNames(random, kind);
    const params = kind.draw(random);
    const moment = drawMoment(random, kind, documentNamed(names[0]));
    const hold = random.chance(0.4) ? 0 : random.between(0, 200);
    const isPatient = random.chance(kind.patience ?? 0.4);
    const steps = [0, 1, 2].map(() => drawSteps(random, compileOn));
    return { number, kind, shape, names, params, moment, hold, isPatient, steps };
  }

  /** The fault `number`, and the state of the documents before it. */
  fault(number) {
    let state = structuredClone(INITIAL_STATE);
    for (let before = this.session(number).first; before < number; ++before) state = this.complete(before, state).after;
    return this.complete(number, state);
  }

  /** The edits of a fault: the one that it strikes, another one during it if its kind makes one, and one after it. */
  complete(number, before) {
    const fault = this.draw(number);
    const { kind, params, names, steps } = fault;
    const state = structuredClone(before);
    const edit = (edited, by) => {
      const changes = edited.map((name) => ({ name, ...by[name], variant: otherVariant(name, state, by[name].step) }));
      for (const { name, variant, saved, reopened } of changes) {
        state.variants[name] = variant;
        if (saved || reopened) state.saved[name] = variant;
      }
      return changes;
    };
    const first = edit(names, steps[0]);
    const again = params.isEdited ? edit(names, steps[1]) : [];
    if (params.database !== undefined) state.database = params.database;
    const isRead = ({ name, group }) => names.includes(name) || (params.database !== undefined && group !== 'plain');
    const healed = DOCUMENTS.filter(isRead).map(({ name }) => name);
    const last = kind.heals === 'edit' ? edit(healed, steps[2]) : [];
    return { ...fault, before, first, again, last, after: state };
  }
}

/** Neither the present variant nor the one that was saved last, with whose numbers the new ones are compared. */
function otherVariant(name, state, step) {
  const variants = Array.from({ length: documentNamed(name).variants }, (_, variant) => variant);
  const others = variants.filter((variant) => variant !== state.variants[name] && variant !== state.saved[name]);
  return others[step % others.length];
}

/** One to three documents. The first of them is the one whose step is waited for. */
function drawNames(random, kind) {
  const possible = DOCUMENTS.filter(GROUPS[kind.documents]).map((document) => document.name);
  const count = random.pick([1, 1, 1, 2, 2, 3]);
  const first = random.pick(possible);
  const others = Array.from({ length: count - 1 }, () => random.pick(possible));
  const all = withReaders([first, ...others]);
  return [first, ...all.filter((name) => name !== first)];
}

function drawMoment(random, kind, document) {
  const stage = random.pick(STAGES.slice(document.group === 'plain' ? 1 : 0));
  const delay = random.chance(0.5) ? 0 : random.between(0, 30);
  const after = random.between(0, 250);
  const choice = random.real();
  if (kind.early || (choice < 0.15 && !kind.late)) return { isBefore: true };
  return choice < 0.7 ? { stage, delay } : { after };
}

/**
 * The next variant of each document, and whether it is saved then, or opened anew. Headers are always saved, as their
 * readers read the file; so are all that are compiled only when saved.
 */
function drawSteps(random, compileOn) {
  const steps = {};
  for (const { name, group } of DOCUMENTS) {
    const step = random.below(2);
    const isSaved = random.chance(0.6);
    const saved = isSaved || name.endsWith('.h') || (group === 'compiled' && compileOn === 'save');
    steps[name] = { step, saved, reopened: random.chance(0.15) };
  }
  return steps;
}
