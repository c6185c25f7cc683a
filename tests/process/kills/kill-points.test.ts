import { STAGES, type Stage } from '../../../src/storage/events/duckdb/observer.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { rareTest } from '../../support/rare.ts';
import { KilledStore } from './kill-points.ts';

const isOf = (...kinds: string[]) => STAGES.filter((stage) => kinds.some((kind) => stage.startsWith(kind)));

/** The n-th time: an early one is in the middle of the first flushes. */
const NTH: Partial<Record<Stage, number>> = { 'append:committing': 30, 'append:committed': 20, 'flush:committed': 2 };

rareTest('EventStore: a kill during append, flush or discard loses and duplicates nothing', async (t) => {
  const killed = new KilledStore(temporaryDirectory(t));
  for (const stage of isOf('append', 'flush', 'discard')) await killed.kill(t, stage, NTH[stage] ?? 1);
});

rareTest('EventStore: a kill while arrivals are sorted loses and duplicates nothing', async (t) => {
  const killed = new KilledStore(temporaryDirectory(t));
  for (const stage of isOf('sort')) {
    await killed.fillArrivals();
    await killed.kill(t, stage, 1);
  }
});

rareTest('EventStore: a kill while runs are merged loses and duplicates nothing', async (t) => {
  const killed = new KilledStore(temporaryDirectory(t));
  for (const stage of isOf('merge')) {
    await killed.fillRuns();
    await killed.kill(t, stage, 1);
  }
});

rareTest('EventStore: a kill while the file is compacted loses and duplicates nothing', async (t) => {
  const killed = new KilledStore(temporaryDirectory(t));
  for (const stage of isOf('compact')) {
    await killed.fillBehindHole();
    await killed.kill(t, stage, 1);
  }
});

rareTest('EventStore: a kill while a copy is made leaves two complete stores', async (t) => {
  await new KilledStore(temporaryDirectory(t)).kill(t, 'copy:made', 1);
});

for (const stage of isOf('erase')) {
  rareTest(`EventStore: an erasure killed at ${stage} can be repeated`, async (t) => {
    await new KilledStore(temporaryDirectory(t)).kill(t, stage, 2);
  });
}
