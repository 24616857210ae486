// The page of the pipeline view: draws a Timeline as SVG, and answers to mouse, keyboard and buttons.
import { asText, describeCell, lastCycle, phaseAt, producersOf, type Instance, type Phase, type Timeline } from './timeline';

interface Host {
  postMessage(message: unknown): void;
  getState(): { zoom?: number; arrows?: boolean } | undefined;
  setState(state: { zoom: number; arrows: boolean }): void;
}
declare function acquireVsCodeApi(): Host;

const host = acquireVsCodeApi();
const rowHeight = 20;
const labelWidth = 300;
const headHeight = 22;
const zooms = [4, 6, 8, 11, 14, 18, 24];
const svgSpace = 'http://www.w3.org/2000/svg';

let timeline: Timeline | undefined;
let zoom = host.getState()?.zoom ?? 4;
let arrows = host.getState()?.arrows ?? false;
let cell = { row: 0, cycle: 0 };

const element = <T extends Element>(id: string): T => document.getElementById(id) as unknown as T;
const picture = element<SVGSVGElement>('picture');
const status = element<HTMLElement>('status');
const tip = element<HTMLElement>('tip');

function make(name: string, attributes: Record<string, string | number>, text?: string): SVGElement {
  const made = document.createElementNS(svgSpace, name);
  for (const [key, value] of Object.entries(attributes))
    made.setAttribute(key, String(value));
  if (text !== undefined)
    made.textContent = text;
  return made;
}

const cycleWidth = (): number => zooms[zoom];
const xOf = (cycle: number): number => labelWidth + cycle * cycleWidth();
const yOf = (row: number): number => headHeight + row * rowHeight;

/** The cycles of one phase, which are always side by side. */
function span(one: Instance, phase: Phase, end: number): [number, number] | undefined {
  let first = -1, last = -1;
  for (let cycle = Math.max(one.dispatched, 0); cycle <= end; ++cycle)
    if (phaseAt(one, cycle) === phase) {
      if (first < 0)
        first = cycle;
      last = cycle;
    }
  return first < 0 ? undefined : [first, last];
}

function drawRow(one: Instance, row: number, end: number): SVGElement {
  const drawn = timeline!;
  const group = make('g', { class: row === cell.row ? 'row selected' : 'row' });
  const y = yOf(row);
  group.append(make('rect', { class: 'band', x: 0, y, width: xOf(end + 1), height: rowHeight }));
  const text = drawn.instructions[one.instruction].text;
  const shown = text.length > 36 ? `${text.slice(0, 35)}…` : text;
  group.append(make('text', { class: 'label', x: 4, y: y + 14 }, `[${one.iteration},${one.instruction}] ${shown}`));
  for (const phase of ['dispatch', 'wait', 'execute', 'done', 'retire'] as const) {
    const cycles = span(one, phase, end);
    if (!cycles)
      continue;
    const width = (cycles[1] - cycles[0] + 1) * cycleWidth() - 1;
    group.append(make('rect', { class: `cell ${phase}`, x: xOf(cycles[0]), y: y + 3, width, height: rowHeight - 6 }));
  }
  return group;
}

function drawHead(end: number): SVGElement[] {
  const every = cycleWidth() >= 14 ? 5 : 10;
  const marks: SVGElement[] = [];
  for (let cycle = 0; cycle <= end; cycle += every) {
    marks.push(make('text', { class: 'cycle', x: xOf(cycle), y: 14 }, String(cycle)));
    marks.push(make('line', { class: 'grid', x1: xOf(cycle), x2: xOf(cycle), y1: headHeight, y2: yOf(timeline!.instances.length) }));
  }
  return marks;
}

function drawArrows(): SVGElement[] {
  const drawn = timeline!;
  const one = drawn.instances[cell.row];
  if (!arrows || !one)
    return [];
  return producersOf(drawn, one).map((producer) => {
    const from = drawn.instances.indexOf(producer);
    const x1 = xOf(producer.executed + 1), y1 = yOf(from) + rowHeight / 2;
    const x2 = xOf(one.issued), y2 = yOf(cell.row) + rowHeight / 2;
    return make('path', { class: 'arrow', d: `M${x1} ${y1} C${x1 + 16} ${y1} ${x2 - 16} ${y2} ${x2} ${y2}`, 'marker-end': 'url(#head)' });
  });
}

function arrowHead(): SVGElement {
  const definitions = make('defs', {});
  const marker = make('marker', { id: 'head', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 6, markerHeight: 6, orient: 'auto' });
  marker.append(make('path', { class: 'head', d: 'M0 0 L8 4 L0 8 z' }));
  definitions.append(marker);
  return definitions;
}

function draw(): void {
  if (!timeline || timeline.problem)
    return;
  const end = lastCycle(timeline);
  cell.row = Math.min(cell.row, timeline.instances.length - 1);
  cell.cycle = Math.min(cell.cycle, end);
  picture.setAttribute('width', String(xOf(end + 1) + 8));
  picture.setAttribute('height', String(yOf(timeline.instances.length) + 8));
  const rows = timeline.instances.map((one, row) => drawRow(one, row, end));
  const cursor = make('rect', { class: 'cursor', x: xOf(cell.cycle), y: yOf(cell.row) + 1, width: cycleWidth(), height: rowHeight - 2 });
  picture.replaceChildren(arrowHead(), ...drawHead(end), ...rows, ...drawArrows(), cursor);
  host.setState({ zoom, arrows });
}

function drawPressure(): void {
  const drawn = timeline!;
  const most = Math.max(drawn.cyclesPerIteration, ...drawn.pressure.map((unit) => unit.cycles), 1e-9);
  const rows = drawn.pressure.map((unit) => {
    const row = document.createElement('tr');
    const name = document.createElement('th');
    name.scope = 'row';
    name.textContent = unit.unit;
    const value = document.createElement('td');
    value.textContent = unit.cycles.toFixed(2);
    const bar = document.createElement('td');
    const meter = document.createElement('meter');
    meter.max = most;
    meter.value = unit.cycles;
    meter.title = `${unit.unit} is busy in ${unit.cycles.toFixed(2)} of ${drawn.cyclesPerIteration.toFixed(2)} cycles per iteration`;
    bar.append(meter);
    row.append(name, value, bar);
    return row;
  });
  element('pressure').replaceChildren(...rows);
}

function show(received: Timeline): void {
  timeline = received;
  element('title').textContent = received.problem ?? received.title;
  element('numbers').textContent = received.problem
    ? ''
    : `${received.cyclesPerIteration.toFixed(2)} cycles per iteration on ${received.cpu}`;
  document.body.classList.toggle('empty', received.problem !== undefined);
  if (received.problem)
    return;
  draw();
  drawPressure();
}

function say(): void {
  const one = timeline?.instances[cell.row];
  if (timeline && one)
    status.textContent = describeCell(timeline, one, cell.cycle);
}

function moveTo(row: number, cycle: number): void {
  if (!timeline)
    return;
  cell = {
    row: Math.max(0, Math.min(row, timeline.instances.length - 1)),
    cycle: Math.max(0, Math.min(cycle, lastCycle(timeline))),
  };
  draw();
  say();
  picture.querySelector('.cursor')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

function setZoom(to: number): void {
  zoom = Math.max(0, Math.min(to, zooms.length - 1));
  draw();
}

/** The cell under the mouse; nothing outside the rows. */
function cellAt(event: MouseEvent): { row: number; cycle: number } | undefined {
  const box = picture.getBoundingClientRect();
  const row = Math.floor((event.clientY - box.top - headHeight) / rowHeight);
  const cycle = Math.floor((event.clientX - box.left - labelWidth) / cycleWidth());
  return timeline?.instances[row] && cycle >= 0 ? { row, cycle } : undefined;
}

/** The picture with its colours written into it, as it has to stand alone. */
function standaloneSvg(): string {
  const copy = picture.cloneNode(true) as SVGSVGElement;
  copy.querySelector('.cursor')?.remove();
  const originals = picture.querySelectorAll('*');
  const drop = picture.querySelector('.cursor');
  const kept = [...originals].filter((node) => node !== drop);
  copy.querySelectorAll('*').forEach((node, index) => {
    const style = getComputedStyle(kept[index]);
    for (const property of ['fill', 'stroke', 'stroke-width', 'font-family', 'font-size', 'opacity'])
      node.setAttribute(property, style.getPropertyValue(property));
  });
  const page = make('rect', { width: '100%', height: '100%', fill: getComputedStyle(document.body).backgroundColor });
  copy.prepend(page);
  copy.setAttribute('xmlns', svgSpace);
  return new XMLSerializer().serializeToString(copy);
}

const actions: Record<string, () => void> = {
  zoomIn: () => setZoom(zoom + 1),
  zoomOut: () => setZoom(zoom - 1),
  arrows: () => {
    arrows = !arrows;
    element('arrows').setAttribute('aria-pressed', String(arrows));
    draw();
  },
  copy: () => timeline && host.postMessage({ type: 'copy', text: asText(timeline) }),
  export: () => timeline && host.postMessage({ type: 'export', svg: standaloneSvg() }),
  goToLine: () => {
    const line = timeline?.instructions[timeline.instances[cell.row]?.instruction]?.line;
    if (line !== undefined)
      host.postMessage({ type: 'goToLine', line });
  },
};

const keys: Record<string, () => void> = {
  ArrowUp: () => moveTo(cell.row - 1, cell.cycle),
  ArrowDown: () => moveTo(cell.row + 1, cell.cycle),
  ArrowLeft: () => moveTo(cell.row, cell.cycle - 1),
  ArrowRight: () => moveTo(cell.row, cell.cycle + 1),
  PageUp: () => moveTo(cell.row - 10, cell.cycle),
  PageDown: () => moveTo(cell.row + 10, cell.cycle),
  Home: () => moveTo(cell.row, Math.max(timeline?.instances[cell.row]?.dispatched ?? 0, 0)),
  End: () => moveTo(cell.row, timeline?.instances[cell.row]?.retired ?? 0),
  Enter: actions.goToLine,
  '+': actions.zoomIn,
  '-': actions.zoomOut,
  a: actions.arrows,
};

for (const id of ['zoomIn', 'zoomOut', 'arrows', 'copy', 'export'])
  element(id).addEventListener('click', actions[id]);
element('arrows').setAttribute('aria-pressed', String(arrows));
picture.addEventListener('keydown', (event) => {
  const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
  if (!action)
    return;
  event.preventDefault();
  action();
});
picture.addEventListener('focus', say);
picture.addEventListener('click', (event) => {
  const at = cellAt(event);
  if (at)
    moveTo(at.row, at.cycle);
});
picture.addEventListener('dblclick', actions.goToLine);
picture.addEventListener('mousemove', (event) => {
  const at = cellAt(event);
  tip.hidden = !at;
  if (!at || !timeline)
    return;
  tip.textContent = describeCell(timeline, timeline.instances[at.row], at.cycle);
  tip.style.left = `${Math.min(event.clientX + 12, window.innerWidth - tip.offsetWidth - 8)}px`;
  tip.style.top = `${event.clientY + 16}px`;
});
picture.addEventListener('mouseleave', () => (tip.hidden = true));
window.addEventListener('message', (event: MessageEvent<{ type: string; timeline: Timeline }>) => {
  if (event.data.type === 'timeline')
    show(event.data.timeline);
});
host.postMessage({ type: 'ready' });
