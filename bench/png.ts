import type { RenderedCard } from '../src/core/analytics/dashboards/render.ts';
import { Pictures } from '../src/pictures/pictures.ts';
import { row } from './support.ts';

const DAYS = 30;
const SERIES = ['de', 'fr', 'pt-BR'];
const MEASURED = 100;
const MANY = 2_000;

/** CPU time of a PNG, and the memory over many. All PNGs differ, so none comes from the cache. */
export async function benchPng(): Promise<void> {
  const pictures = new Pictures();
  let drawn = 0;
  const draw = async (count: number, width: number, height: number): Promise<number> => {
    const before = process.cpuUsage();
    for (let index = 0; index < count; index++) {
      drawn += 1;
      await pictures.png(lines(drawn), { width, height, scale: 1, theme: 'light', locale: 'en' });
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000 / count;
  };
  await draw(20, 640, 360);
  row('PNG 640 x 360, CPU', `${(await draw(MEASURED, 640, 360)).toFixed(1)} ms`, '<= 20 ms');
  row('PNG 1280 x 720, CPU', `${(await draw(MEASURED, 1_280, 720)).toFixed(1)} ms`, '-');
  // Fills the cache and lets the heap grow before memory is measured.
  await draw(MANY, 640, 360);
  const before = rss();
  await draw(MANY, 640, 360);
  row(`memory over ${MANY} PNGs, from ${before.toFixed(0)} MB`, `${(rss() - before).toFixed(0)} MB more`, '<= 30 MB');
  await pictures.close();
}

const rss = () => process.memoryUsage.rss() / 1e6;

function lines(seed: number): RenderedCard {
  const buckets = Array.from({ length: DAYS }, (_, day) => `2026-03-${String(day + 1).padStart(2, '0')}`);
  const series = SERIES.flatMap((group, at) =>
    buckets.map((bucket, day) => ({ bucket, group, value: Math.round(40 + 30 * Math.sin(seed + at * 2 + day / 3)) })),
  );
  return {
    card: { id: `${seed}`, title: `Orders by country, ${seed}`, cardType: 'line' },
    data: { series },
    basis: {
      eventName: 'order',
      agentId: null,
      filters: [],
      from: '2026-03-01T00:00:00.000Z',
      to: '2026-03-31T00:00:00.000Z',
      timezone: 'UTC',
      matchedEvents: 4_000,
      lastEventAt: null,
      aggregation: 'count',
    },
  };
}
