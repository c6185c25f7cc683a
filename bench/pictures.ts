import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import type { CardBasis, CardData, CardType, RenderedCard } from '../src/charts/answer.ts';
import { cardSvg } from '../src/charts/card.ts';
import { PALETTES } from '../src/charts/palette.ts';
import { row } from './support.ts';

const OPTIONS = { width: 640, height: 360, palette: PALETTES.light, locale: 'en' };
const WARM_UP = 300;
const PICTURES = 1_000;

/** CPU time and bytes of a card's SVG, and the bytes of the module in a browser. */
export async function benchPictures(): Promise<void> {
  for (const [name, rendered] of Object.entries(cards)) {
    for (let count = 0; count < WARM_UP; count++) cardSvg(rendered, OPTIONS);
    const before = process.cpuUsage();
    for (let count = 0; count < PICTURES; count++) cardSvg(rendered, OPTIONS);
    const { user, system } = process.cpuUsage(before);
    const bytes = Buffer.byteLength(cardSvg(rendered, OPTIONS));
    const micros = ((user + system) / PICTURES).toFixed(0);
    row(`SVG of ${name}, ${bytes} bytes`, `${micros} microseconds of CPU`, '<= 1000 microseconds');
  }
  const entry = new URL('../src/charts/card.ts', import.meta.url).pathname;
  const { outputFiles } = buildSync({ entryPoints: [entry], bundle: true, minify: true, format: 'esm', write: false });
  const { contents } = outputFiles[0]!;
  const packed = gzipSync(contents).length;
  row(`src/charts, minified: ${contents.length} bytes`, `${packed} bytes with gzip`, '<= 30000 bytes');
}

const basis: CardBasis = {
  aggregation: 'count',
  from: '2026-02-26T00:00:00.000Z',
  to: '2026-03-12T00:00:00.000Z',
  timezone: 'UTC',
  matchedEvents: 1_234,
};

function card(cardType: CardType, data: CardData): RenderedCard {
  return { card: { title: 'Conversations by day and channel', cardType }, data, basis };
}

function seriesOf(lines: number, buckets: number): CardData {
  return {
    series: Array.from({ length: lines * buckets }, (_, index) => ({
      bucket: `${new Date(Date.UTC(2026, 0, 1 + (index % buckets))).toISOString().slice(0, 19)}+00:00`,
      ...(lines > 1 && { group: `channel ${Math.floor(index / buckets)}` }),
      value: (index * 7_919) % 211,
    })),
  };
}

const groups = ['web', 'whatsapp', 'email', 'phone', 'kiosk', 'partner', 'other'].map((group, index) => ({
  group,
  value: 600 - index * 83,
}));

const cards: Record<string, RenderedCard> = {
  line: card('line', seriesOf(1, 14)),
  '10 series x 92 days': card('line', seriesOf(10, 92)),
  'bars over time': card('bar', seriesOf(5, 14)),
  bar: card('bar', { groups }),
  pie: card('pie', { groups }),
  gauge: card('gauge', {
    value: 4.21,
    formatted: '4.21',
    min: 1,
    max: 5,
    target: 4,
    thresholds: [
      { value: 3, label: 'fair', color: 'amber' },
      { value: 4, label: 'good', color: 'green' },
    ],
  }),
  funnel: card('funnel', {
    steps: ['asked', 'answered', 'resolved', 'rated'].map((label, index) => ({
      label,
      eventName: label,
      count: 2_480 - index * 600,
      conversion: 1 - index * 0.24,
    })),
  }),
  table: card('table', {
    rows: Array.from({ length: 20 }, (_, index) => ({
      topic: `topic ${index}`,
      resolved: 300 - index,
      minutes: index / 7,
    })),
    columns: [
      { key: 'topic', type: 'string' },
      { key: 'resolved', type: 'number' },
      { key: 'minutes', type: 'number' },
    ],
    total: 20,
  }),
  number: card('number', {
    value: 578,
    formatted: '578',
    previous: { value: 622, change: -44, changeRatio: -0.0707 },
  }),
};
