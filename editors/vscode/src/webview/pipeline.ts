// The page of the pipeline view: shows a Timeline, and answers to mouse, keyboard and buttons.
import { Picture, type Cell } from './picture';
import { asText, describeCell, headOf, lastCycle, pathClass, shownOf, type Shown, type Timeline } from './timeline';

interface State {
  zoom: number;
  arrows: boolean;
  /** Whether the loop is shown although there is a trace. */
  loop?: boolean;
}
interface Host {
  postMessage(message: unknown): void;
  getState(): State | undefined;
  setState(state: State): void;
}
declare function acquireVsCodeApi(): Host;

const host = acquireVsCodeApi();
/** Pixels of a cycle. */
const zooms = [2, 3, 4, 6, 8, 11, 14, 18, 24];
const page = 10;
/** A unit that is busy for this part of the cycles is what limits the loop. */
const full = 0.95;

const element = <Kind extends Element>(id: string): Kind => document.getElementById(id) as unknown as Kind;
const svg = element<SVGSVGElement>('picture');
const tip = element<HTMLElement>('tip');
const picture = new Picture(svg, element('scroll'));
let state: State = host.getState() ?? { zoom: 5, arrows: false };
let received: Timeline | undefined;
/** What is drawn of it. */
let timeline: Shown | undefined;
let cell: Cell = { row: 0, cycle: 0 };

function drawPressure(shown: Timeline): void {
  const most = Math.max(shown.cyclesPerIteration, ...shown.pressure.map((use) => use.cycles), 1e-9);
  const rows = shown.pressure.map(({ unit, cycles }) => {
    const row = document.createElement('tr');
    const name = document.createElement('th');
    const value = document.createElement('td');
    const track = document.createElement('td');
    const bar = document.createElement('div');
    name.scope = 'row';
    name.textContent = unit;
    value.textContent = cycles.toFixed(2);
    bar.className = cycles >= full * shown.cyclesPerIteration ? 'bar full' : 'bar';
    bar.style.width = `${(100 * cycles) / most}%`;
    bar.title = `${unit} is busy in ${cycles.toFixed(2)} of ${shown.cyclesPerIteration.toFixed(2)} cycles per iteration`;
    track.className = 'track';
    track.append(bar);
    row.append(name, value, track);
    return row;
  });
  element('pressure').replaceChildren(...rows);
  element('pressures').toggleAttribute('hidden', rows.length === 0);
}

/** A legend of the paths, and a switch if there is a trace and a loop. */
function drawTrace(): void {
  const paths = (timeline?.along?.paths ?? []).map((path, index) => {
    const item = document.createElement('li');
    item.className = pathClass(index);
    item.textContent = `path ${index + 1}: ${path}`;
    return item;
  });
  element('paths').replaceChildren(...paths);
  element('trace').toggleAttribute('hidden', !received?.trace);
  element('trace').setAttribute('aria-pressed', String(Boolean(timeline?.along)));
}

function show(next: Timeline): void {
  received = next;
  timeline = next.problem === undefined && next.instances.length > 0 ? shownOf(next, !state.loop) : undefined;
  document.body.classList.toggle('empty', !timeline);
  element('title').textContent = timeline ? next.title : (next.problem ?? 'There is nothing to draw.');
  element('numbers').textContent = timeline ? headOf(timeline) : '';
  tip.hidden = true;
  drawTrace();
  if (!timeline)
    return;
  drawPressure(timeline);
  redraw();
}

function redraw(): void {
  host.setState(state);
  element('arrows').setAttribute('aria-pressed', String(state.arrows));
  if (!timeline)
    return;
  picture.draw(timeline, zooms[state.zoom]);
  cell = { row: Math.min(cell.row, timeline.instances.length - 1), cycle: Math.min(cell.cycle, lastCycle(timeline)) };
  select();
}

function select(): void {
  picture.select(cell, state.arrows);
  element('status').textContent = timeline ? describeCell(timeline, timeline.instances[cell.row], cell.cycle) : '';
}

function moveTo(row: number, cycle: number): void {
  if (!timeline)
    return;
  cell = {
    row: Math.max(0, Math.min(row, timeline.instances.length - 1)),
    cycle: Math.max(0, Math.min(cycle, lastCycle(timeline))),
  };
  select();
  picture.reveal(cell);
}

function zoomBy(steps: number): void {
  state = { ...state, zoom: Math.max(0, Math.min(state.zoom + steps, zooms.length - 1)) };
  redraw();
  picture.reveal(cell);
}

function goToLine(): void {
  const line = timeline?.instructions[timeline.instances[cell.row].instruction].line;
  if (line !== undefined)
    host.postMessage({ type: 'goToLine', line });
}

const actions: Record<string, () => void> = {
  zoomIn: () => zoomBy(1),
  zoomOut: () => zoomBy(-1),
  arrows: () => {
    state = { ...state, arrows: !state.arrows };
    redraw();
  },
  trace: () => {
    if (!received?.trace)
      return;
    state = { ...state, loop: !state.loop };
    show(received);
  },
  copy: () => timeline && host.postMessage({ type: 'copy', text: asText(timeline) }),
  export: () => timeline && host.postMessage({ type: 'export', svg: picture.standalone() }),
};

const selected = () => timeline?.instances[cell.row];
const keys: Record<string, () => void> = {
  ArrowUp: () => moveTo(cell.row - 1, cell.cycle),
  ArrowDown: () => moveTo(cell.row + 1, cell.cycle),
  ArrowLeft: () => moveTo(cell.row, cell.cycle - 1),
  ArrowRight: () => moveTo(cell.row, cell.cycle + 1),
  PageUp: () => moveTo(cell.row - page, cell.cycle),
  PageDown: () => moveTo(cell.row + page, cell.cycle),
  Home: () => moveTo(cell.row, selected()?.dispatched ?? 0),
  End: () => moveTo(cell.row, Math.max(selected()?.retired ?? 0, selected()?.executed ?? 0)),
  Enter: goToLine,
  '+': actions.zoomIn,
  '=': actions.zoomIn,
  '-': actions.zoomOut,
  a: actions.arrows,
  t: actions.trace,
};

function showTip(event: MouseEvent): void {
  const at = picture.cellAt(event.clientX, event.clientY);
  tip.hidden = !at;
  if (!at || !timeline)
    return;
  tip.textContent = describeCell(timeline, timeline.instances[at.row], at.cycle);
  tip.style.left = `${Math.max(0, Math.min(event.clientX + 12, window.innerWidth - tip.offsetWidth - 8))}px`;
  const below = event.clientY + 16;
  tip.style.top = `${below + tip.offsetHeight > window.innerHeight ? event.clientY - tip.offsetHeight - 8 : below}px`;
}

function listen(): void {
  for (const [id, action] of Object.entries(actions))
    element(id).addEventListener('click', action);
  svg.addEventListener('keydown', (event) => {
    const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
    if (!action)
      return;
    event.preventDefault();
    action();
  });
  svg.addEventListener('click', (event) => {
    const at = picture.cellAt(event.clientX, event.clientY);
    if (at)
      moveTo(at.row, at.cycle);
  });
  svg.addEventListener('dblclick', goToLine);
  svg.addEventListener('mousemove', showTip);
  svg.addEventListener('mouseleave', () => (tip.hidden = true));
  svg.addEventListener('wheel', (event) => {
    if (!event.ctrlKey)
      return;
    event.preventDefault();
    zoomBy(event.deltaY < 0 ? 1 : -1);
  }, { passive: false });
  window.addEventListener('resize', redraw);
  window.addEventListener('message', (event: MessageEvent<{ type: string; timeline: Timeline }>) => {
    if (event.data.type === 'timeline')
      show(event.data.timeline);
  });
}

listen();
host.postMessage({ type: 'ready' });
