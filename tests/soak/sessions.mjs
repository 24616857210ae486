// The eight recorded sessions: reading them, and unfolding their actions to single steps. record.mjs says what they
// hold.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const SESSIONS = path.join(path.dirname(fileURLToPath(import.meta.url)), 'sessions');

/** The actions that stand for as many steps: for each character of `text`, or `times`. */
const REPEATED = { type: 'insert', backspace: 'backspace', undo: 'undo', redo: 'redo' };
/** Steps that are one edit; of `switchBranch` each document of the session has one. */
const EDITS = new Set(['insert', 'backspace', 'undo', 'redo', 'paste', 'cut', 'restore']);

function stepsOf(action) {
  const step = REPEATED[action.do];
  if (!step) return [action];
  const parts = action.do === 'type' ? [...action.text] : Array(action.times).fill('');
  return parts.map((text, i) => ({ at: action.at + i * action.each, do: step, doc: action.doc, text }));
}

/** Its steps in the order of their times, which are in ms from its start. */
export function readSession(file) {
  const session = JSON.parse(fs.readFileSync(path.join(SESSIONS, file), 'utf8'));
  const steps = session.actions.flatMap(stepsOf).sort((a, b) => a.at - b.at);
  return { ...session, steps, length: steps.at(-1).at };
}

export function readSessions() {
  return fs.readdirSync(SESSIONS).sort().map(readSession);
}

/** How many edits one replay makes if the session has `documents`. */
export function editsOf(session, documents) {
  const edits = (step) => (step.do === 'switchBranch' ? documents : EDITS.has(step.do) ? 1 : 0);
  return session.steps.reduce((sum, step) => sum + edits(step), 0);
}
