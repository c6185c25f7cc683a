/* Curves over a common x axis, one panel under the other, as the text of an SVG file. */

export interface Point {
  x: number;
  y: number;
}

export interface Panel {
  title: string;
  curves: { name: string; color: string; points: Point[] }[];
}

const WIDTH = 860;
const PANEL_HEIGHT = 210;
const MARGIN = { left: 64, right: 24, top: 40, bottom: 40 };
const PLOT_WIDTH = WIDTH - MARGIN.left - MARGIN.right;
const PLOT_HEIGHT = PANEL_HEIGHT - MARGIN.top - MARGIN.bottom;
const INK = '#222222';
const GRID = '#dddddd';

export function drawPanels(xLabel: string, panels: Panel[]): string {
  const height = panels.length * PANEL_HEIGHT + 8;
  const drawn = panels.map(
    (panel, at) => `<g transform="translate(0 ${at * PANEL_HEIGHT})">${drawPanel(panel, xLabel)}</g>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="12" fill="${INK}">
<rect width="100%" height="100%" fill="#ffffff"/>
${drawn.join('\n')}
</svg>
`;
}

function drawPanel({ title, curves }: Panel, xLabel: string): string {
  const points = curves.flatMap((curve) => curve.points);
  const xTicks = ticks(Math.max(0, ...points.map((point) => point.x)), 8);
  const yTicks = ticks(Math.max(0, ...points.map((point) => point.y)), 4);
  const xEnd = Math.max(...points.map((point) => point.x), 1e-9);
  const yEnd = yTicks.at(-1) || 1;
  const xAt = (x: number) => round(MARGIN.left + (x / xEnd) * PLOT_WIDTH);
  const yAt = (y: number) => round(MARGIN.top + PLOT_HEIGHT * (1 - y / yEnd));
  const bottom = MARGIN.top + PLOT_HEIGHT;
  const horizontal = yTicks.map(
    (tick) =>
      `<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${yAt(tick)}" y2="${yAt(tick)}" stroke="${GRID}"/>` +
      text(MARGIN.left - 8, yAt(tick) + 4, 'end', tick.toLocaleString('en-US')),
  );
  const vertical = xTicks
    .filter((tick) => tick <= xEnd)
    .map(
      (tick) =>
        `<line x1="${xAt(tick)}" x2="${xAt(tick)}" y1="${bottom}" y2="${bottom + 5}" stroke="${INK}"/>` +
        text(xAt(tick), bottom + 19, 'middle', tick.toLocaleString('en-US')),
    );
  const drawn = curves.map(
    ({ color, points: along }) =>
      `<polyline fill="none" stroke="${color}" stroke-width="1.8" points="${along.map(({ x, y }) => `${xAt(x)},${yAt(y)}`).join(' ')}"/>`,
  );
  const legend = curves.map(({ name, color }, at) =>
    legendEntry(name, color, WIDTH - MARGIN.right - 130 * (curves.length - at)),
  );
  return [
    `<text x="${MARGIN.left}" y="24" font-size="14" font-weight="bold">${escaped(title)}</text>`,
    ...legend,
    ...horizontal,
    ...vertical,
    `<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${bottom}" y2="${bottom}" stroke="${INK}"/>`,
    text(WIDTH - MARGIN.right, bottom + 35, 'end', xLabel),
    ...drawn,
  ].join('\n');
}

function legendEntry(name: string, color: string, x: number): string {
  return `<line x1="${x}" x2="${x + 20}" y1="20" y2="20" stroke="${color}" stroke-width="3"/>${text(x + 26, 24, 'start', name)}`;
}

function text(x: number, y: number, anchor: string, content: string): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}">${escaped(content)}</text>`;
}

/**
 * From 0 in steps of 1, 2 or 5 times a power of ten, about `count` of them, until the maximum is
 * reached.
 */
function ticks(maximum: number, count: number): number[] {
  const rough = Math.max(maximum, 1e-9) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  return Array.from({ length: Math.ceil(maximum / step) + 1 }, (_, at) => Number((at * step).toPrecision(12)));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
