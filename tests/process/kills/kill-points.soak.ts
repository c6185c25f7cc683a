import { test } from 'node:test';
import { STAGES } from '../../../src/storage/events/duckdb/observer.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { KilledStore } from './kill-points.ts';

for (const stage of STAGES) {
  // Each of these happens once in a life.
  const once = /^(sort|merge|copy|compact)/.test(stage);
  test(`EventStore: kills at ${stage} lose and duplicate no event`, { timeout: 600_000 }, async (t) => {
    const killed = new KilledStore(temporaryDirectory(t));
    for (const nth of once ? [1, 1] : [1, 2, 3, 5, 8, 20]) {
      if (stage.startsWith('sort')) await killed.fillArrivals();
      if (stage.startsWith('merge')) await killed.fillRuns();
      if (stage.startsWith('compact')) await killed.fillBehindHole();
      await killed.kill(t, stage, nth);
    }
  });
}

test('EventStore: fifty kills amid compaction and erasures lose and duplicate nothing', {
  timeout: 1_200_000,
}, async (t) => {
  const killed = new KilledStore(temporaryDirectory(t));
  for (let kill = 0; kill < 50; kill += 1) {
    if (kill % 10 === 0) await killed.fillArrivals();
    if (kill % 10 === 5) await killed.fillRuns();
    await killed.kill(t, kill % 2 === 0 ? 'erase:committed' : 'flush:committed', 1, Math.random() * 1_500);
  }
});
