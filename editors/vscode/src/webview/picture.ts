// The timeline as SVG: instructions down, cycles across. The names on the left and the cycles above stay in view while
// the rest is scrolled.
import { describeGap, gapOf, isCut, labelOf, lastCycle, partsOf, pathClass, producersOf, type Instance, type Part, type Phase, type Shown } from './timeline';

export interface Cell {
  row: number;
  cycle: number;
}

const svgSpace = 'http://www.w3.org/2000/svg';
const rowHeight = 20;
const headHeight = 22;
const characterWidth = 7.3;
/** Characters of a name, and the part of the view that names may take. */
const maxLabel = 40;
const minLabel = 18;
const labelPart = 0.4;
/** Phases differ by their height, so that the colours are not needed. In pixels. */
const heights: Record<Phase, number> = { held: 2, dispatch: 14, wait: 7, execute: 14, done: 3, retire: 14 };
/** Pixels of a cycle in which a letter has room. */
const letterWidth = 11;

function make(name: string, attributes: Record<string, string | number>, text?: string): SVGElement {
  const made = document.createElementNS(svgSpace, name);
  for (const [key, value] of Object.entries(attributes))
    made.setAttribute(key, String(value));
  if (text !== undefined)
    made.textContent = text;
  return made;
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

export class Picture {
  private timeline: Shown | undefined;
  private labelWidth = 0;
  private cycleWidth = 0;
  private readonly labels = make('g', { class: 'labels' });
  private readonly head = make('g', { class: 'head' });
  private readonly rows = make('g', { class: 'rows' });
  private readonly arrows = make('g', { class: 'arrows' });
  private readonly cursor = make('rect', { class: 'cursor' });

  constructor(
    private readonly svg: SVGSVGElement,
    private readonly scroll: HTMLElement,
  ) {
    scroll.addEventListener('scroll', () => this.keepInView());
    svg.replaceChildren(arrowHead(), this.rows, this.arrows, this.cursor, this.labels, this.head);
  }

  /** Draws everything again. `cycleWidth`: pixels. */
  draw(timeline: Shown, cycleWidth: number): void {
    this.timeline = timeline;
    this.cycleWidth = cycleWidth;
    const room = Math.floor((labelPart * this.scroll.clientWidth) / characterWidth);
    const length = Math.max(minLabel, Math.min(maxLabel, room));
    const names = timeline.instances.map((one) => shortened(labelOf(timeline, one), length));
    this.labelWidth = 12 + characterWidth * Math.max(8, ...names.map((name) => name.length));
    const end = lastCycle(timeline) + 1;
    const gapEnds = timeline.instances.map((one) => this.gapTextAt(one) + characterWidth * describeGap(timeline, one).length);
    this.svg.setAttribute('width', String(Math.max(this.xOf(end), ...gapEnds) + 8));
    this.svg.setAttribute('height', String(this.yOf(timeline.instances.length) + 8));
    this.rows.replaceChildren(...this.grid(end), ...timeline.instances.map((one, row) => this.row(one, row, end)));
    this.labels.replaceChildren(
      make('rect', { class: 'ground', x: 0, y: headHeight, width: this.labelWidth - 6, height: rowHeight * names.length + 8 }),
      ...names.map((name, row) => make('text', { class: 'label', x: 4, y: this.yOf(row) + 14 }, name)));
    this.head.replaceChildren(
      make('rect', { class: 'ground', x: 0, y: 0, width: this.xOf(end) + 8, height: headHeight }),
      ...this.numbers(end));
    this.keepInView();
  }

  private xOf(cycle: number): number {
    return this.labelWidth + cycle * this.cycleWidth;
  }

  private yOf(row: number): number {
    return headHeight + row * rowHeight;
  }

  private row(one: Instance, row: number, end: number): SVGElement {
    const first = row > 0 && one.iteration !== this.timeline!.instances[row - 1].iteration;
    const group = make('g', { class: first ? 'row first' : 'row' });
    group.append(make('rect', { class: `band ${pathClass(one.path)}`, x: 0, y: this.yOf(row), width: this.xOf(end), height: rowHeight }));
    if (first)
      group.append(make('line', { class: 'iteration', x1: 0, x2: this.xOf(end), y1: this.yOf(row), y2: this.yOf(row) }));
    group.append(...this.gap(one, row, /*isText=*/false));
    for (const part of partsOf(one))
      group.append(...this.part(part, row));
    group.append(...this.gap(one, row, /*isText=*/true));
    return group;
  }

  /** Beside everything else in the row. */
  private gapTextAt(one: Instance): number {
    return this.xOf(Math.max(one.executed, one.retired) + 1) + 6;
  }

  /** The cycles after a mispredicted branch, drawn behind its cells, or their cause next to them. */
  private gap(one: Instance, row: number, isText: boolean): SVGElement[] {
    const gap = gapOf(one);
    if (!gap)
      return [];
    if (isText)
      return [make('text', { class: 'cause', x: this.gapTextAt(one), y: this.yOf(row) + 14 }, describeGap(this.timeline!, one))];
    const width = (gap.to - gap.from) * this.cycleWidth;
    return [make('rect', { class: 'gap', x: this.xOf(gap.from), y: this.yOf(row), width, height: rowHeight })];
  }

  private part({ phase, from, to }: Part, row: number): SVGElement[] {
    const height = heights[phase];
    const y = this.yOf(row) + (rowHeight - height) / 2;
    const box = make('rect', { class: `cell ${phase}`, x: this.xOf(from), y, width: (to - from) * this.cycleWidth - 1, height });
    const letter = { dispatch: 'D', execute: 'E', retire: 'R' }[phase as string];
    if (!letter || this.cycleWidth < letterWidth)
      return [box];
    return [box, make('text', { class: 'letter', x: this.xOf(to - 0.5) - 0.5, y: this.yOf(row) + 14 }, letter)];
  }

  private marks(end: number): number[] {
    const every = this.cycleWidth >= 14 ? 5 : this.cycleWidth >= 6 ? 10 : 20;
    return Array.from({ length: Math.ceil(end / every) }, (_, index) => index * every);
  }

  private grid(end: number): SVGElement[] {
    const bottom = this.yOf(this.timeline!.instances.length);
    return this.marks(end).map((cycle) => make('line', { class: 'grid', x1: this.xOf(cycle), x2: this.xOf(cycle), y1: headHeight, y2: bottom }));
  }

  private numbers(end: number): SVGElement[] {
    const numbers = this.marks(end).map((cycle) => make('text', { class: 'cycle', x: this.xOf(cycle), y: 15 }, String(cycle)));
    return [make('text', { class: 'cycle', x: 4, y: 15 }, isCut(this.timeline!) ? 'cycle (the rest is left out)' : 'cycle'), ...numbers];
  }

  private keepInView(): void {
    this.labels.setAttribute('transform', `translate(${this.scroll.scrollLeft} 0)`);
    this.head.setAttribute('transform', `translate(0 ${this.scroll.scrollTop})`);
  }

  /** Marks a cell, and draws arrows from the instances that its own waits for. */
  select(cell: Cell, withArrows: boolean): void {
    const timeline = this.timeline!;
    this.svg.querySelector('.row.selected')?.classList.remove('selected');
    this.svg.querySelector('.label.selected')?.classList.remove('selected');
    this.svg.querySelectorAll('.row')[cell.row]?.classList.add('selected');
    this.svg.querySelectorAll('.label')[cell.row]?.classList.add('selected');
    for (const [key, value] of Object.entries({
      x: this.xOf(cell.cycle) - 0.5, y: this.yOf(cell.row) + 1, width: this.cycleWidth, height: rowHeight - 2 }))
      this.cursor.setAttribute(key, String(value));
    const one = timeline.instances[cell.row];
    this.arrows.replaceChildren(...(withArrows ? producersOf(timeline, one).map((from) => this.arrow(from, one, cell.row)) : []));
  }

  private arrow(from: Instance, to: Instance, row: number): SVGElement {
    // A reader may begin before the result is whole: the arrow begins where that is.
    const x1 = this.xOf(Math.min(from.executed + 1, to.issued)) - 1;
    const y1 = this.yOf(this.timeline!.instances.indexOf(from)) + rowHeight / 2;
    const x2 = this.xOf(to.issued) - 1;
    const y2 = this.yOf(row) + rowHeight / 2;
    const bend = Math.max(16, this.cycleWidth);
    return make('path', { class: 'arrow', d: `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`, 'marker-end': 'url(#arrowhead)' });
  }

  /** Scrolls so that the cell is visible, right of the names and below the cycles. */
  reveal(cell: Cell): void {
    const left = this.xOf(cell.cycle), top = this.yOf(cell.row);
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.scroll;
    const x = Math.min(left - this.labelWidth, Math.max(scrollLeft, left + this.cycleWidth + 8 - clientWidth));
    const y = Math.min(top - headHeight, Math.max(scrollTop, top + rowHeight + 8 - clientHeight));
    this.scroll.scrollTo(x, y);
  }

  /** The cell at a place of the window; nothing outside of the rows. */
  cellAt(x: number, y: number): Cell | undefined {
    const box = this.svg.getBoundingClientRect();
    const row = Math.floor((y - box.top - headHeight) / rowHeight);
    const cycle = Math.floor((x - box.left - this.labelWidth) / this.cycleWidth);
    const onLabel = x - box.left - this.scroll.scrollLeft < this.labelWidth;
    const onHead = y - box.top - this.scroll.scrollTop < headHeight;
    const inside = !onLabel && !onHead && cycle >= 0 && this.timeline?.instances[row];
    return inside ? { row, cycle: Math.min(cycle, lastCycle(this.timeline!)) } : undefined;
  }

  /** The picture with its colours written into it, as no style sheet comes with it. */
  standalone(): string {
    const copy = this.svg.cloneNode(true) as SVGSVGElement;
    const originals = this.svg.querySelectorAll('*');
    copy.querySelectorAll('*').forEach((node, index) => {
      const style = getComputedStyle(originals[index]);
      for (const property of ['fill', 'stroke', 'fill-opacity', 'stroke-width', 'stroke-dasharray', 'font-family', 'font-size', 'opacity', 'text-anchor'])
        node.setAttribute(property, style.getPropertyValue(property));
    });
    copy.querySelector('.cursor')?.remove();
    copy.querySelectorAll('.labels, .head').forEach((group) => group.removeAttribute('transform'));
    for (const name of ['id', 'tabindex', 'role', 'aria-roledescription', 'aria-describedby'])
      copy.removeAttribute(name);
    copy.prepend(make('rect', { width: '100%', height: '100%', fill: getComputedStyle(document.body).backgroundColor }));
    copy.setAttribute('xmlns', svgSpace);
    return `${new XMLSerializer().serializeToString(copy)}\n`;
  }
}

function arrowHead(): SVGElement {
  const definitions = make('defs', {});
  const marker = make('marker', { id: 'arrowhead', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 6, markerHeight: 6, orient: 'auto' });
  marker.append(make('path', { class: 'arrowhead', d: 'M0 0 L8 4 L0 8 z' }));
  definitions.append(marker);
  return definitions;
}
