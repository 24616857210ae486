// Samples over time as an SVG: one panel for each unit, one line for each quantity.
const WIDTH = 900;
const PANEL = 220;
const LEFT = 70;
const RIGHT = 170;
const TOP = 40;
const BOTTOM = 30;

const PANELS = [
  {
    title: 'resident memory, MiB',
    lines: { server: 'server', worker: 'largest worker', others: 'compilers and others' },
  },
  { title: 'open descriptors', lines: { server_descriptors: 'server', worker_descriptors: 'largest worker' } },
  { title: 'processes', lines: { processes: 'server and all below it' } },
];
const COLOURS = ['#1f6feb', '#bf4b00', '#3b7d3b'];

/** A round step that cuts `range` into at most five parts. */
function stepOf(range) {
  const size = 10 ** Math.floor(Math.log10(range / 5 || 1));
  return size * [1, 2, 5, 10].find((factor) => range / (size * factor) <= 5);
}

function ticks(most) {
  const step = stepOf(most);
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => Number((i * step).toPrecision(6)));
}

function panelOf({ title, lines }, samples, top) {
  const width = WIDTH - LEFT - RIGHT;
  const height = PANEL - TOP - BOTTOM;
  const minutes = Math.max(...samples.map(({ seconds }) => seconds)) / 60 || 1;
  const most = Math.max(1, ...Object.keys(lines).flatMap((column) => samples.map((sample) => sample[column]))) * 1.05;
  const x = (minute) => (LEFT + (minute / minutes) * width).toFixed(1);
  const y = (value) => (top + TOP + height - (value / most) * height).toFixed(1);
  const across = ticks(most).map(
    (value) =>
      `<line x1="${LEFT}" x2="${LEFT + width}" y1="${y(value)}" y2="${y(value)}" stroke="#ddd"/>` +
      `<text x="${LEFT - 8}" y="${y(value)}" dy="4" text-anchor="end">${value}</text>`,
  );
  const below = ticks(minutes).map(
    (value) => `<text x="${x(value)}" y="${top + PANEL - BOTTOM + 18}" text-anchor="middle">${value} min</text>`,
  );
  const drawn = Object.entries(lines).map(([column, name], i) => {
    const points = samples.map((sample) => `${x(sample.seconds / 60)},${y(sample[column])}`).join(' ');
    return (
      `<polyline points="${points}" fill="none" stroke="${COLOURS[i]}" stroke-width="1.5"/>` +
      `<text x="${LEFT + width + 12}" y="${top + TOP + 14 + 18 * i}" fill="${COLOURS[i]}">${name}</text>`
    );
  });
  return [
    `<text x="${LEFT}" y="${top + TOP - 12}" font-weight="bold">${title}</text>`,
    ...across,
    ...below,
    ...drawn,
  ].join('\n');
}

/** `title` stands above the panels. */
export function svgOf(title, samples) {
  const height = 30 + PANELS.length * PANEL;
  const panels = PANELS.map((panel, i) => panelOf(panel, samples, 30 + i * PANEL));
  const font = 'font-family="sans-serif" font-size="12"';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" ${font}>
<rect width="100%" height="100%" fill="white"/>
<text x="${LEFT}" y="24" font-size="14">${title.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</text>
${panels.join('\n')}
</svg>
`;
}
