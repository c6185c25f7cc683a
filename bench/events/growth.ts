import type { Bench } from './bench.ts';
import { medianTimes } from './measure.ts';
import { questions } from './questions.ts';
import type { Line } from './report.ts';

const PART = 'growth';

/** How the product's own times, disk and loading grow with the number of events. */
export async function benchGrowth(bench: Bench): Promise<void> {
  const { options, datasets, report } = bench;
  const sizes = [0.1, 0.3, 1, 3].map((share) => Math.round(options.rows * share));
  if (!bench.isNamed(PART)) sizes.pop();
  const lines = new Map<string, Line>();
  const note = (what: string, size: number, value: number) => {
    const line = lines.get(what) ?? { what, values: {} };
    lines.set(what, line);
    line.values[size.toLocaleString('en-US')] = value;
  };
  for (const size of sizes) {
    const { store, loaded } = await datasets.own(size);
    for (const question of questions) {
      const times = await medianTimes({ own: () => question.ask(store) }, options.rounds);
      note(`${question.name}, ms`, size, times.own);
    }
    note('disk, bytes per event', size, loaded.disk.tables / size);
    note('loading, events/s', size, size / loaded.seconds);
    await store.runtime.close();
  }
  report.table(PART, 'ours, by number of events', [...lines.values()]);
}
